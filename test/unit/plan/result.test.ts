import { expect, test } from 'vitest';
import type { HostComputeEndpoint } from '../../../src/hcn/documents.ts';
import { resultOf } from '../../../src/plan/result.ts';

const attachment = { containerId: 'c0ffee', ifname: 'eth0', network: 'cbr0' };
const netns = 'C:\\sandboxes\\{C08CB7B8-9B3C-408E-8E30-5E16A3AEB444}';
const endpoint: HostComputeEndpoint = {
  Name: 'c0ffee_cbr0_eth0',
  HostComputeNetwork: '22222222-2222-3333-4444-555555555555',
  MacAddress: '00-15-5D-0A-0B-0C',
  IpConfigurations: [
    { IpAddress: '10.244.3.9', PrefixLength: 24 },
    { IpAddress: 'fd00:3::9', PrefixLength: 64 },
  ],
  Routes: [
    { NextHop: '10.244.3.1', DestinationPrefix: '0.0.0.0/0' },
    { NextHop: 'fd00:3::1', DestinationPrefix: '::/0' },
    { NextHop: '10.244.3.2', DestinationPrefix: '10.96.0.0/12' },
  ],
  Dns: { Domain: 'a.b', Search: ['c.d'], ServerList: ['10.96.0.10'], Options: ['ndots:5'] },
  SchemaVersion: { Major: 2, Minor: 0 },
};

test('members that HNS does not return are absent', () => {
  const { Name, HostComputeNetwork, SchemaVersion } = endpoint;
  expect(resultOf({ Name, HostComputeNetwork, SchemaVersion }, attachment, netns)).toEqual({
    interfaces: [{ name: 'eth0', sandbox: netns }],
    ips: [],
    routes: [],
    dns: {},
  });
});

test("a gateway outside the subnet is a route but not the address's gateway", () => {
  const hops = ['169.254.1.1', '10.244.3.1'];
  const Routes = hops.map((NextHop) => ({ NextHop, DestinationPrefix: '0.0.0.0/0' }));
  const { ips, routes } = resultOf({ ...endpoint, Routes }, attachment, netns);
  expect(ips).toEqual([
    { address: '10.244.3.9/24', gateway: '10.244.3.1', interface: 0 },
    { address: 'fd00:3::9/64', interface: 0 },
  ]);
  expect(routes).toEqual(hops.map((gw) => ({ dst: '0.0.0.0/0', gw })));
});
