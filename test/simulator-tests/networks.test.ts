import { describe, expect, it, test } from 'vitest';
import { network } from '../simulator/computenetwork.ts';
import { createNetwork, hex, hnsAroundEach, l2bridge, nat, overlay } from './test-client.ts';

const service = hnsAroundEach();
const id = '3c6fab4d-6191-4171-a627-dd46f8c2e392';

describe('identity', () => {
  it('a second network with the same name is refused with HCN_E_NETWORK_ALREADY_EXISTS [O hcsshim#850]', async () => {
    await createNetwork(nat, id);
    expect(await createNetwork({ ...overlay, Name: 'nat' })).toMatchObject({ hresult: '0x803B0010' });
  });
});

describe('HNS completes a network: it', () => {
  test('returns this document for an overlay network [T hcnnetwork_test.go]', async () => {
    const { document } = await createNetwork(overlay, id);
    expect(Object.keys(document)).toEqual(
      'ID Name SchemaVersion Health State Type Flags Policies MacPool Dns Ipams'.split(' '),
    );
    const { Health: _, ...rest } = document;
    expect(rest).toEqual({
      ID: id,
      Name: 'flannel.4096',
      SchemaVersion: { Major: 2, Minor: 0 },
      State: 1,
      Type: 'Overlay',
      Flags: 8,
      Policies: [
        { Type: 'DrMacAddress', Settings: { Address: '00-15-5D-8B-A6-00' } },
        { Type: 'ProviderAddress', Settings: { ProviderAddress: '10.0.0.4' } },
      ],
      MacPool: { Ranges: [{ StartMacAddress: '00-15-5D-52-C0-00', EndMacAddress: '00-15-5D-52-CF-FF' }] },
      Dns: {},
      Ipams: [
        {
          Type: 'Static',
          Subnets: [
            {
              ID: expect.any(String),
              IpAddressPrefix: '10.244.3.0/24',
              Policies: [{ Type: 'VSID', Settings: { IsolationId: 4096 } }],
              Routes: [{ NextHop: '10.244.3.1', DestinationPrefix: '0.0.0.0/0' }],
              IpSubnets: [{ ID: expect.any(String), IpAddressPrefix: '10.244.3.0/24', Flags: 3 }],
            },
          ],
        },
      ],
    });
  });
  it('assigns each network its own MAC pool [O docker-netrestore]', async () => {
    const pools = [await createNetwork(nat), await createNetwork(overlay)].map(
      ({ document }) => document['MacPool'],
    );
    expect(pools).toEqual([
      { Ranges: [{ StartMacAddress: '00-15-5D-52-C0-00', EndMacAddress: '00-15-5D-52-CF-FF' }] },
      { Ranges: [{ StartMacAddress: '00-15-5D-52-D0-00', EndMacAddress: '00-15-5D-52-DF-FF' }] },
    ]);
  });
});

test.for([
  ['an unknown adapter', { ...l2bridge, Policies: [adapter('Ethernet 7')] }, '0x803B0006', 'O SDN#269'],
  [
    "a NAT subnet that contains the host's address",
    withSubnet({ IpAddressPrefix: '10.0.0.0/24' }),
    '0x80070034',
    'C AppSandbox',
  ],
  [
    'an unknown network policy type',
    { ...nat, Policies: [{ Type: 'Routing' }] },
    '0x803B000E',
    'O hcsshim#470',
  ],
] as const)('$0 is refused with $2 [$3]', async ([, document, hresult]) => {
  expect((await createNetwork(document)).hresult).toBe(hresult);
  expect(service.hns.dump().networks).toEqual([]);
});

describe('restart', () => {
  it('deletes networks with EnableNonPersistent and closes every handle [O moby#38358, I]', async () => {
    const { handle } = await network.create(id, JSON.stringify({ ...overlay, SchemaVersion: { Major: 2 } }));
    await createNetwork({ Type: 'Private', Name: 'kept' });
    service.hns.restart();
    expect(hex((await network.query(handle, null)).hresult)).toBe('0x80070006');
    expect(service.hns.dump()).toMatchObject({ networks: [{ Name: 'kept' }], openHandles: 0 });
  });
});

function adapter(NetworkAdapterName: string) {
  return { Type: 'NetAdapterName', Settings: { NetworkAdapterName } };
}

function withSubnet(...Subnets: object[]) {
  return { Type: 'NAT', Ipams: [{ Type: 'Static', Subnets }] };
}
