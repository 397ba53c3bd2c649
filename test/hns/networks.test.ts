import { describe, expect, it, test } from 'vitest';
import { network } from './computenetwork.ts';
import { zeroGuid } from './object-id.ts';
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
const otherId = '8b1c4a52-0c39-4b8f-a1f7-3f4a2d9e6b01';

describe('identity', () => {
  it('honours the GUID of the caller [S]', async () => {
    expect(await createNetwork(nat, id)).toMatchObject({ hresult: '0x00000000', id });
  });
  it('takes the ID of the document when the argument is GUID_NULL [S]', async () => {
    expect((await createNetwork({ ...nat, ID: id.toUpperCase() })).id).toBe(id);
  });
  it('prefers the argument to the ID of the document [I]', async () => {
    expect((await createNetwork({ ...nat, ID: otherId }, id)).id).toBe(id);
  });
  it('refuses a GUID that exists, so that create is compare-and-set [S]', async () => {
    await createNetwork(nat, id);
    const second = await createNetwork({ ...overlay, Name: 'other' }, id);
    expect(second).toMatchObject({
      hresult: '0x803B0010',
      error: 'A network with this name already exists. ',
    });
  });
  it('refuses a name that exists [O]', async () => {
    await createNetwork(nat, id);
    expect(await createNetwork({ ...overlay, Name: 'nat' })).toMatchObject({ hresult: '0x803B0010' });
  });
});

describe('what HNS fills in', () => {
  test('an overlay network as its answer shows it [T]', async () => {
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
        { Type: 'DrMacAddress', Settings: { Address: '00-15-5D-3C-6F-AB' } },
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
  it('leaves Type out when it is NAT [S]', async () => {
    expect((await createNetwork(nat)).document).not.toHaveProperty('Type');
  });
  it('gives NAT without Ipams a /20 with the gateway at .1 [T]', async () => {
    const { document } = await createNetwork({ Type: 'NAT' });
    expect(document).toMatchObject({
      Ipams: [
        {
          Subnets: [
            {
              IpAddressPrefix: '172.21.16.0/20',
              Routes: [{ NextHop: '172.21.16.1', DestinationPrefix: '0.0.0.0/0' }],
            },
          ],
        },
      ],
    });
  });
  it('echoes a given MAC pool [T]', async () => {
    const Ranges = [{ StartMacAddress: '00-15-5D-52-C0-00', EndMacAddress: '00-15-5D-52-CF-FF' }];
    expect((await createNetwork({ ...nat, MacPool: { Ranges } })).document).toMatchObject({
      MacPool: { Ranges },
    });
  });
  it('gives every network a MAC pool of its own [O]', async () => {
    const pools = [await createNetwork(nat), await createNetwork(overlay)].map(
      ({ document }) => document['MacPool'],
    );
    expect(pools).toEqual([
      { Ranges: [{ StartMacAddress: '00-15-5D-52-C0-00', EndMacAddress: '00-15-5D-52-CF-FF' }] },
      { Ranges: [{ StartMacAddress: '00-15-5D-52-D0-00', EndMacAddress: '00-15-5D-52-DF-FF' }] },
    ]);
  });
  it("accepts Go's empty structs and null members [S]", async () => {
    const empty = { MacPool: {}, Dns: {}, Health: { Extra: {} }, Policies: null };
    expect((await createNetwork({ ...nat, ...empty })).hresult).toBe('0x00000000');
  });
});

test.each([
  ['an unknown adapter [O]', { ...l2bridge, Policies: [adapter('Ethernet 7')] }, '0x803B0006'],
  ['an overlay subnet without VSID [I]', { ...overlay, Ipams: nat.Ipams }, '0x80070057'],
  ['an L2Bridge network without subnet [I]', { Type: 'L2Bridge' }, '0x803B000A'],
  ['a prefix with host bits [I]', withSubnet({ IpAddressPrefix: '10.1.0.1/24' }), '0x803B0030'],
  ['a gateway outside of its subnet [I]', withGateway('10.2.0.1'), '0x803B0032'],
  ['a gateway that is the network address [I]', withGateway('10.1.0.0'), '0x803B0032'],
  ['a prefix length above 32 [I]', withSubnet({ IpAddressPrefix: '10.1.0.0/33' }), '0x803B0030'],
  ['a prefix length above 128 [I]', withSubnet({ IpAddressPrefix: 'fd00::/129' }), '0x803B0030'],
  ['a prefix length below 0 [I]', withSubnet({ IpAddressPrefix: '10.1.0.0/-1' }), '0x803B0030'],
  ['a VSID below 4096 [I]', withVsid(4095), '0x803B000D'],
  ['a VSID of more than 24 bits [I]', withVsid(0x100_0000), '0x803B000D'],
  ['the same subnet twice [I]', withSubnets('10.1.0.0/24', '10.1.0.0/24'), '0x803B0032'],
  ['overlapping subnets [I]', withSubnets('10.1.0.0/16', '10.2.0.0/24', '10.1.9.0/24'), '0x803B0032'],
  ['a NAT subnet that the host is in [C]', withSubnet({ IpAddressPrefix: '10.0.0.0/24' }), '0x80070034'],
  ['an unknown network policy type [O]', { ...nat, Policies: [{ Type: 'Routing' }] }, '0x803B000E'],
  ['an endpoint policy on a network [I]', { ...nat, Policies: [{ Type: 'QOS' }] }, '0x803B000E'],
  ['a type that only newer Windows has [I]', { ...nat, Type: 'Mirrored' }, '0x803B000B'],
  ['a type nobody has [I]', { ...nat, Type: 'Bridge' }, '0x803B001B'],
])('%s is refused', async (_, document, hresult) => {
  expect((await createNetwork(document)).hresult).toBe(hresult);
  expect(service.hns.dump().networks).toEqual([]);
});

describe('adapters', () => {
  it('are shared by networks of one type, not by networks of two [O]', async () => {
    await createNetwork(overlay);
    expect((await createNetwork({ ...overlay, Name: 'External' })).hresult).toBe('0x00000000');
    expect((await createNetwork(l2bridge)).hresult).toBe('0x803B0006');
  });
  it('overlapping NAT subnets are refused [C]', async () => {
    await createNetwork(nat);
    expect((await createNetwork({ ...nat, Name: 'other' })).hresult).toBe('0x80070034');
  });
});

describe('delete', () => {
  it('of a missing network answers ERROR_NOT_FOUND, though open answers HCN_E_NETWORK_NOT_FOUND [C]', async () => {
    expect(await remove(network, id)).toBe('0x80070490');
    expect(await query(network, id)).toMatchObject({
      hresult: '0x803B0001',
      error: 'The network was not found. ',
    });
  });
  it('takes the endpoints along [I]', async () => {
    await createNetwork(nat, id);
    await createEndpoint(id, {});
    expect(await remove(network, id)).toBe('0x00000000');
    expect(service.hns.dump()).toMatchObject({ networks: [], endpoints: [] });
  });
  it('leaves handles that answer HCN_E_OBJECT_USED_AFTER_UNLOAD, even after a create with the same GUID [I]', async () => {
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
  it('drops networks with EnableNonPersistent and every handle [O]', async () => {
    const { handle } = await network.create(id, JSON.stringify({ ...overlay, SchemaVersion: { Major: 2 } }));
    await createNetwork({ Type: 'Private', Name: 'kept' });
    service.hns.restart();
    expect(hex((await network.query(handle, null)).hresult)).toBe('0x80070006');
    expect(service.hns.dump()).toMatchObject({ networks: [{ Name: 'kept' }], openHandles: 0 });
  });
});

it('lists the networks there are, in lower case without braces [T]', async () => {
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
