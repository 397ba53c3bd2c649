import { describe, expect, it, test } from 'vitest';
import { network } from '../simulator/computenetwork.ts';
import { zeroGuid } from '../simulator/object-id.ts';
import {
  createEndpoint,
  createNetwork,
  enumerate,
  hex,
  hnsAroundEach,
  l2bridge,
  nat,
  overlay,
  query,
  remove,
} from './test-client.ts';

const service = hnsAroundEach();
const id = '3c6fab4d-6191-4171-a627-dd46f8c2e392';

describe('identity', () => {
  it('a second network with the same GUID is refused, so that creation is atomic [S WSL NatNetworking.cpp]', async () => {
    await createNetwork(nat, id);
    const second = await createNetwork({ ...overlay, Name: 'other' }, id);
    expect(second).toMatchObject({
      hresult: '0x803B0010',
      error: 'A network with this name already exists. ',
    });
  });
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
  it('omits the Type NAT [S hcnnetwork.go]', async () => {
    expect((await createNetwork(nat)).document).not.toHaveProperty('Type');
  });
  it('keeps a requested MAC pool [T hcnutils_test.go]', async () => {
    const Ranges = [{ StartMacAddress: '00-15-5D-52-C0-00', EndMacAddress: '00-15-5D-52-CF-FF' }];
    expect((await createNetwork({ ...nat, MacPool: { Ranges } })).document).toMatchObject({
      MacPool: { Ranges },
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
  it("accepts Go's empty structs and null members [S hcnnetwork.go]", async () => {
    const empty = { MacPool: {}, Dns: {}, Health: { Extra: {} }, Policies: null };
    expect((await createNetwork({ ...nat, ...empty })).hresult).toBe('0x00000000');
  });
});

test.for([
  ['an unknown adapter', { ...l2bridge, Policies: [adapter('Ethernet 7')] }, '0x803B0006', 'O SDN#269'],
  ['an overlay subnet without VSID', { ...overlay, Ipams: nat.Ipams }, '0x80070057', 'I'],
  ['an L2Bridge network without subnet', { Type: 'L2Bridge' }, '0x803B000A', 'I'],
  ['a prefix with host bits', withSubnet({ IpAddressPrefix: '10.1.0.1/24' }), '0x803B0030', 'I'],
  ['a gateway outside its subnet', withGateway('10.2.0.1'), '0x803B0032', 'I'],
  ['a gateway that is the network address', withGateway('10.1.0.0'), '0x803B0032', 'I'],
  ['a prefix length above 32', withSubnet({ IpAddressPrefix: '10.1.0.0/33' }), '0x803B0030', 'I'],
  ['a prefix length above 128', withSubnet({ IpAddressPrefix: 'fd00::/129' }), '0x803B0030', 'I'],
  ['a prefix length below 0', withSubnet({ IpAddressPrefix: '10.1.0.0/-1' }), '0x803B0030', 'I'],
  ['a VSID below 4096', withVsid(4095), '0x803B000D', 'I'],
  ['a VSID of more than 24 bits', withVsid(0x100_0000), '0x803B000D', 'I'],
  ['the same subnet twice', withSubnets('10.1.0.0/24', '10.1.0.0/24'), '0x803B0032', 'I'],
  ['overlapping subnets', withSubnets('10.1.0.0/16', '10.2.0.0/24', '10.1.9.0/24'), '0x803B0032', 'I'],
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
  ['an endpoint policy on a network', { ...nat, Policies: [{ Type: 'QOS' }] }, '0x803B000E', 'I'],
  ['a type that only newer releases support', { ...nat, Type: 'Mirrored' }, '0x803B000B', 'I'],
  ['an unknown type', { ...nat, Type: 'Bridge' }, '0x803B001B', 'I'],
] as const)('$0 is refused with $2 [$3]', async ([, document, hresult]) => {
  expect((await createNetwork(document)).hresult).toBe(hresult);
  expect(service.hns.dump().networks).toEqual([]);
});

describe('delete', () => {
  it('of a missing network returns ERROR_NOT_FOUND, and open HCN_E_NETWORK_NOT_FOUND [C]', async () => {
    expect(await remove(network, id)).toBe('0x80070490');
    expect(await query(network, id)).toMatchObject({
      hresult: '0x803B0001',
      error: 'The network was not found. ',
    });
  });
  it('deletes the endpoints too [T hnsv1_test.go, I]', async () => {
    await createNetwork(nat, id);
    await createEndpoint(id, {});
    expect(await remove(network, id)).toBe('0x00000000');
    expect(service.hns.dump()).toMatchObject({ networks: [], endpoints: [] });
  });
  it('leaves handles that return HCN_E_OBJECT_USED_AFTER_UNLOAD, even if the GUID is created again [I]', async () => {
    const { handle } = await network.create(
      id,
      JSON.stringify(nat).replace('{', '{"SchemaVersion":{"Major":2},'),
    );
    await remove(network, id);
    expect(hex((await network.query(handle, null)).hresult)).toBe('0x803B0031');
    await createNetwork(nat, id);
    expect(hex((await network.query(handle, null)).hresult)).toBe('0x803B0031');
    await network.close(handle);
  });
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

it('an enumeration returns ids in lower case without braces [T multipass test_it_hyperv_hcn_api.cpp]', async () => {
  expect(await enumerate(network)).toEqual([]);
  await createNetwork(nat, id);
  expect(await enumerate(network)).toEqual([id]);
  expect(id).not.toBe(zeroGuid);
});

function adapter(NetworkAdapterName: string) {
  return { Type: 'NetAdapterName', Settings: { NetworkAdapterName } };
}

function withSubnet(...Subnets: object[]) {
  return { Type: 'NAT', Ipams: [{ Type: 'Static', Subnets }] };
}

function withSubnets(...prefixes: string[]) {
  const subnets = prefixes.map((IpAddressPrefix) => ({ IpAddressPrefix }));
  return { ...withSubnet(...subnets), Type: 'L2Bridge' };
}

function withVsid(IsolationId: number) {
  const Policies = [{ Type: 'VSID', Settings: { IsolationId } }];
  return { ...withSubnet({ IpAddressPrefix: '10.1.0.0/24', Policies }), Type: 'Overlay' };
}

function withGateway(NextHop: string) {
  return withSubnet({
    IpAddressPrefix: '10.1.0.0/24',
    Routes: [{ NextHop, DestinationPrefix: '0.0.0.0/0' }],
  });
}
