import { beforeEach, describe, expect, it, test } from 'vitest';
import { endpoint } from '../simulator/computenetwork.ts';
import { createEndpoint, createNetwork, hnsAroundEach, nat, query } from './test-client.ts';

hnsAroundEach();
const id = '3c6fab4d-6191-4171-a627-dd46f8c2e392';
const pod = '8b1c4a52-0c39-4b8f-a1f7-3f4a2d9e6b01';
const reserved = '0x803B002F';

const subnet = (IpAddressPrefix: string, NextHop: string, DestinationPrefix: string) => ({
  IpAddressPrefix,
  Routes: [{ NextHop, DestinationPrefix }],
});
const v4 = subnet('10.5.0.0/29', '10.5.0.1', '0.0.0.0/0');
const v6 = subnet('fd00:10:5::/64', 'fd00:10:5::1', '::/0');
const at = (...addresses: string[]) => ({ IpConfigurations: addresses.map((IpAddress) => ({ IpAddress })) });

describe('on a dual-stack network', () => {
  beforeEach(async () => {
    await createNetwork({ Type: 'L2Bridge', Ipams: [{ Subnets: [v4, v6] }] }, id);
  });
  test.each([
    ['the IPv4 gateway', '10.5.0.1', reserved, 'O sig-windows-tools#71'],
    ['the IPv4 network address', '10.5.0.0', reserved, 'O azure-container-networking#2060'],
    ['the broadcast address', '10.5.0.7', reserved, 'O azure-container-networking#2060'],
    ['the IPv6 gateway', 'fd00:10:5::1', reserved, 'I'],
    ['the IPv6 network address', 'fd00:10:5::', reserved, 'I'],
    ['the last IPv6 address', 'fd00:10:5::ffff:ffff:ffff:ffff', '0x00000000', 'I'],
    ['an IPv4 address outside', '10.6.0.2', '0x803B001E', 'O'],
    ['an IPv6 address outside', 'fd00:10:6::2', '0x803B001E', 'O'],
  ])('$0 returns $2 [$3]', async (_, address, hresult) => {
    expect((await createEndpoint(id, at(address))).hresult).toBe(hresult);
  });
  it('an endpoint accepts one address of each family, in any spelling [S hcnglobals.go IPv6DualStack]', async () => {
    const { document } = await createEndpoint(id, at('10.5.0.2', 'FD00:10:5:0::9'));
    expect(document).toMatchObject({
      IpConfigurations: [{ IpAddress: '10.5.0.2', PrefixLength: 29 }, { PrefixLength: 64 }],
      Routes: [{ NextHop: '10.5.0.1' }, { NextHop: 'fd00:10:5::1' }],
    });
    expect((await createEndpoint(id, at('fd00:10:5::9'))).hresult).toBe(reserved);
  });
  it('V1 shows both families [S hnsendpoint.go]', async () => {
    await createEndpoint(id, at('10.5.0.2', 'fd00:10:5::9'), pod);
    expect((await query(endpoint, pod, null)).document).toMatchObject({
      ...{ IPAddress: '10.5.0.2', PrefixLength: 29, GatewayAddress: '10.5.0.1' },
      ...{ IPv6Address: 'fd00:10:5::9', IPv6PrefixLength: 64, GatewayAddressV6: 'fd00:10:5::1' },
    });
  });
  it('an address is in use whatever its spelling [I]', async () => {
    await createEndpoint(id, at('fd00:10:5::9'));
    expect((await createEndpoint(id, at('fd00:10:5:0:0:0:0:9'))).hresult).toBe(reserved);
  });
});

describe('on a network', () => {
  it('of the other family, an address has no subnet [O Windows-Containers#82]', async () => {
    await createNetwork(nat, id);
    expect(await createEndpoint(id, at('fd00::9'))).toMatchObject({
      hresult: '0x803B0005',
      error: 'The network does not have a subnet for this endpoint. ',
    });
  });
  it('without subnets, an address has no subnet [O Windows-Containers#82]', async () => {
    await createNetwork({ Type: 'Private' }, id);
    expect((await createEndpoint(id, at('10.5.0.2'))).hresult).toBe('0x803B0005');
  });
  it('an address outside the subnets returns an error record with the reason [O]', async () => {
    await createNetwork(nat, id);
    expect(await createEndpoint(id, at('10.5.0.2'))).toMatchObject({
      hresult: '0x803B001E',
      error: 'IP address is either invalid or not part of any configured subnet(s). ',
    });
  });
  it('a new V1 endpoint has the gateway of its subnet [O ovn-kubernetes#580]', async () => {
    await createNetwork(nat, id);
    await createEndpoint(id, { SchemaVersion: undefined, VirtualNetwork: id }, pod);
    expect((await query(endpoint, pod, null)).document).toMatchObject({
      IPAddress: '192.168.100.2',
      PrefixLength: 24,
      GatewayAddress: '192.168.100.1',
    });
  });
  it('an endpoint keeps its own DNS settings, and an empty text in a list [S nvx]', async () => {
    await createNetwork({ ...nat, Dns: { ServerList: ['10.96.0.10'] } }, id);
    const Dns = { Domain: 'cluster.local', Search: [''], ServerList: ['10.96.0.11'] };
    expect((await createEndpoint(id, { Dns })).document['Dns']).toEqual(Dns);
  });
  it('an endpoint keeps its own routes [S nvx]', async () => {
    await createNetwork(nat, id);
    const Routes = [{ NextHop: '192.168.100.254', DestinationPrefix: '0.0.0.0/0' }];
    expect((await createEndpoint(id, { Routes })).document['Routes']).toEqual(Routes);
  });
});
