import { expect, test } from 'vitest';
import { loadKoffi } from '../../src/hcn/koffi.ts';
import { loadIpHelper } from '../../src/iphlpapi/load-ip-helper.ts';
import { newNodeRoute } from '../../src/net/node-route.ts';
import { buildLinuxStub } from '../simulator/stub/build.ts';
import { bridge } from './documents.ts';
import { hnsAroundEach } from './hns-around-each.ts';

const service = hnsAroundEach({
  adapters: [
    { name: 'Ethernet', managementIp: '10.0.0.4' },
    { name: 'IPv6', managementIp: 'fd00::4', index: 40, gateway: 'fe80::1' },
  ],
});
const library = buildLinuxStub();
const helper = loadIpHelper(library);
/** How many tables win-hcn has not freed. */
const openTables: () => number = loadKoffi().load(library).func('SimulatedOpenTables', 'uint32', []);

const physical = {
  index: 5,
  alias: 'Ethernet',
  description: 'Microsoft Hyper-V Network Adapter',
  mac: '00-0D-3A-00-00-04',
  mtu: 1500,
  isUp: true,
  mediaType: 6,
  addresses: [{ address: '10.0.0.4', length: 24 }],
  gateways: ['10.0.0.1'],
  metric: 15,
};

test('a virtual switch has an adapter of the host, which has the addresses [D]', async () => {
  expect((await helper.readAdapters())[0]).toEqual(physical);
  service.hns.others.createNetwork(bridge);
  const virtual = {
    ...physical,
    index: 6,
    alias: 'vEthernet (Ethernet)',
    description: 'Hyper-V Virtual Ethernet Adapter',
  };
  const [first, second] = await helper.readAdapters();
  expect([first, second]).toEqual([{ ...physical, addresses: [], gateways: [] }, virtual]);
});

const onLink = { metric: 256, protocol: 2 };
const initial = [
  { interfaceIndex: 5, prefix: '10.0.0.0/24', nextHop: '0.0.0.0', ...onLink },
  { interfaceIndex: 5, prefix: '10.0.0.4/32', nextHop: '0.0.0.0', ...onLink },
  { interfaceIndex: 5, prefix: '0.0.0.0/0', nextHop: '10.0.0.1', metric: 0, protocol: 3 },
  { interfaceIndex: 40, prefix: 'fd00::/64', nextHop: '::', ...onLink },
  { interfaceIndex: 40, prefix: 'fd00::4/128', nextHop: '::', ...onLink },
  { interfaceIndex: 40, prefix: '::/0', nextHop: 'fe80::1', metric: 0, protocol: 3 },
];
const ipv4 = newNodeRoute(5, '10.244.2.0/24', '10.0.0.5');
const ipv6 = newNodeRoute(40, 'fd00:2::/64', 'fd00::5');

test('routes of both families are created and deleted, and each table is freed', async () => {
  await helper.createRoute(ipv4);
  await helper.createRoute(ipv6);
  expect(await helper.readRoutes()).toEqual([...initial, ipv4, ipv6]);
  expect([await helper.deleteRoute(ipv4), await helper.deleteRoute(ipv6)]).toEqual([true, true]);
  expect(await helper.deleteRoute(ipv6)).toBe(false);
  expect(await helper.readRoutes()).toEqual(initial);
  expect(openTables()).toBe(0);
});

test.each([
  ['of a missing interface', { ...ipv4, interfaceIndex: 77 }, 'ERROR_NOT_FOUND (1168)'],
  ['to a prefix of another route', { ...ipv4, prefix: '10.0.0.0/24' }, 'ERROR_OBJECT_ALREADY_EXISTS (5010)'],
  ['with an illegal metric', { ...ipv4, metric: 0xffffffff }, 'ERROR_INVALID_PARAMETER (87)'],
])('a route %s is refused', async (_, route, symbol) => {
  await expect(helper.createRoute(route)).rejects.toThrow(`Windows returned ${symbol}.`);
});
