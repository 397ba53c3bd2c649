import { describe, expect, it, test } from 'vitest';
import { network } from '../simulator/computenetwork.ts';
import { createEndpoint, createNetwork, l2bridge, nat, overlay, query, startForTest } from './test-client.ts';

const id = '3c6fab4d-6191-4171-a627-dd46f8c2e392';
const done = '0x00000000';
const duplicate = '0x80070034';

interface Subnet {
  readonly ID: string;
  readonly IpAddressPrefix: string;
  readonly Routes?: readonly { readonly NextHop: string }[];
  readonly IpSubnets?: readonly object[];
}

function subnetsOf(document: Record<string, unknown>): readonly Subnet[] {
  return (document['Ipams'] as { Subnets: Subnet[] }[]).flatMap(({ Subnets }) => Subnets);
}

const subnets = (...prefixes: string[]) => ({
  Ipams: [{ Type: 'Static', Subnets: prefixes.map((IpAddressPrefix) => ({ IpAddressPrefix })) }],
});

describe('automatic subnets', () => {
  test.each([['NAT', 'T hcnnetwork_test.go, O docker-netrestore']])(
    '%s without Ipams gets a /20 of 172.16.0.0/12 with the gateway at .1 [$1]',
    async (Type) => {
      await startForTest();
      const [subnet] = subnetsOf((await createNetwork({ Type })).document);
      expect(subnet).toMatchObject({ IpAddressPrefix: expect.stringMatching(/^172\.\d+\.\d+\.0\/20$/) });
      expect(subnet?.Routes).toMatchObject([{ NextHop: subnet?.IpAddressPrefix.replace('.0/20', '.1') }]);
    },
  );
  it('overlap neither each other nor requested ones [O docker-netrestore]', async () => {
    await startForTest();
    await createNetwork({ Name: 'given', Type: 'NAT', ...subnets('172.21.16.0/20') });
    const [nextNat] = subnetsOf((await createNetwork({ Name: 'second', Type: 'NAT' })).document);
    const [ics] = subnetsOf((await createNetwork({ Name: 'ics', Type: 'ICS' })).document);
    expect(new Set(['172.21.16.0/20', nextNat?.IpAddressPrefix, ics?.IpAddressPrefix]).size).toBe(3);
  });
  test.each(['Private', 'Internal'])('%s without Ipams has no subnet [I]', async (Type) => {
    await startForTest();
    expect(subnetsOf((await createNetwork({ Type })).document)).toEqual([]);
  });
});

describe('a subnet', () => {
  it('has an ID and one range with both flags [O docker-netrestore]', async () => {
    await startForTest();
    const [subnet] = subnetsOf((await createNetwork(nat)).document);
    const guid = expect.stringMatching(/^[0-9a-f-]{36}$/);
    expect(subnet).toMatchObject({
      ID: guid,
      IpSubnets: [{ ID: guid, IpAddressPrefix: '192.168.100.0/24', Flags: 3 }],
    });
  });
  it('can be one of several in an Ipam [D HNS_Schema.md Ipam]', async () => {
    await startForTest();
    const { document } = await createNetwork({
      Type: 'L2Bridge',
      ...subnets('192.168.7.0/24', '192.168.8.0/24'),
    });
    expect(subnetsOf(document)).toHaveLength(2);
  });
  it('of an Ipam with type Dhcp assigns no automatic address [D HNS_Schema.md Ipam]', async () => {
    await startForTest();
    const Ipams = [{ Type: 'Dhcp', Subnets: [{ IpAddressPrefix: '192.168.7.0/24' }] }];
    await createNetwork({ Type: 'L2Bridge', Ipams }, id);
    expect((await createEndpoint(id, {})).document).not.toHaveProperty('IpConfigurations');
  });
});

describe('subnets overlap', () => {
  test.each([
    ['NAT', 'NAT'],
    ['NAT', 'ICS'],
    ['ICS', 'Internal'],
  ])('%s and %s are refused with ERROR_DUP_NAME [C AppSandbox, O wsl2-boot#3]', async (one, other) => {
    await startForTest();
    await createNetwork({ Name: 'one', Type: one, ...subnets('172.20.48.0/20') });
    const { hresult } = await createNetwork({ Name: 'other', Type: other, ...subnets('172.20.0.0/16') });
    expect(hresult).toBe(duplicate);
  });
  test.each(['NAT', 'ICS'])("%s with the host's subnet is refused [C AppSandbox]", async (Type) => {
    await startForTest({ adapters: [{ name: 'Ethernet', managementIp: '10.0.0.4' }] });
    expect((await createNetwork({ Type, ...subnets('10.0.0.0/8') })).hresult).toBe(duplicate);
  });
  it("between NAT, Overlay and L2Bridge as in hcsshim's tests [T hcnutils_test.go]", async () => {
    await startForTest({
      adapters: [
        { name: 'a', managementIp: '10.0.0.4' },
        { name: 'b', managementIp: '10.0.1.4' },
      ],
    });
    const vsid = [{ Type: 'VSID', Settings: { IsolationId: 5000 } }];
    const Ipams = [{ Subnets: [{ IpAddressPrefix: '192.168.100.0/24', Policies: vsid }] }];
    for (const document of [nat, l2bridge, { ...overlay, Ipams }])
      expect((await createNetwork(document)).hresult).toBe(done);
  });
});

describe('the gateway address', () => {
  const withFlags = (Flags: number) => ({
    ...l2bridge,
    Ipams: [{ Subnets: [{ ...l2bridge.Ipams[0]?.Subnets[0], Flags }] }],
  });
  const gateway = { IpConfigurations: [{ IpAddress: '192.168.100.1' }] };
  test.each([
    [0, '0x803B002F'],
    [1, done],
  ])('with SubnetFlags %d returns %s [D hcsshim#2525]', async (flags, hresult) => {
    await startForTest();
    await createNetwork(withFlags(flags), id);
    expect((await createEndpoint(id, gateway)).hresult).toBe(hresult);
  });
  test('ws2019 has no SubnetFlags [D HNS_Schema.md 2.7]', async () => {
    await startForTest({ profile: 'ws2019' });
    expect((await createNetwork(withFlags(1))).hresult).toBe('0x803B001B');
  });
  it('is in V1 answers [O docker-netrestore]', async () => {
    await startForTest();
    await createNetwork(nat, id);
    expect((await query(network, id, null)).document).toMatchObject({
      Subnets: [{ AddressPrefix: '192.168.100.0/24', GatewayAddress: '192.168.100.1', ObjectType: 5 }],
    });
  });
});
