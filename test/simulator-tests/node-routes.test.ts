import { describe, expect, it, test } from 'vitest';
import { loadKoffi } from '../../src/hcn/koffi.ts';
import { loadIpHelper } from '../../src/iphlpapi/load-ip-helper.ts';
import { newNodeRoute } from '../../src/net/node-route.ts';
import { buildLinuxStub } from '../simulator/stub/build.ts';
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

describe('the routes of the host', () => {
  it('consist of those of its addresses and gateways by default, in both families', async () => {
    expect(await helper.readRoutes()).toEqual(initial);
    expect(openTables()).toBe(0);
  });

  it('are created and deleted in both families', async () => {
    await helper.createRoute(ipv4);
    await helper.createRoute(ipv6);
    expect(await helper.readRoutes()).toEqual([...initial, ipv4, ipv6]);
    expect(await helper.deleteRoute(ipv4)).toBe(true);
    expect(await helper.deleteRoute(ipv6)).toBe(true);
    expect(await helper.deleteRoute(ipv6)).toBe(false);
    expect(await helper.readRoutes()).toEqual(initial);
    expect(openTables()).toBe(0);
  });

  it('are many, with a table of many rows', async () => {
    const many = Array.from({ length: 1000 }, (_, number) =>
      newNodeRoute(5, `10.${128 + (number >> 8)}.${number & 255}.0/24`, '10.0.0.5'),
    );
    for (const route of many) service.hns.addNodeRoute(route);
    expect((await helper.readRoutes()).slice(initial.length)).toEqual(many);
    expect(openTables()).toBe(0);
  });
});

test.each([
  ['of a missing interface', { ...ipv4, interfaceIndex: 77 }, 'ERROR_NOT_FOUND (1168)'],
  [
    'to the prefix of another route',
    { ...ipv4, prefix: '10.0.0.0/24' },
    'ERROR_OBJECT_ALREADY_EXISTS (5010)',
  ],
  ['with an illegal metric', { ...ipv4, metric: 0xffffffff }, 'ERROR_INVALID_PARAMETER (87)'],
])('a route %s is refused, with an error that names it', async (_, route, symbol) => {
  const { prefix, interfaceIndex } = route;
  await expect(helper.createRoute(route)).rejects.toThrow(
    `creating the route to ${prefix} through 10.0.0.5 on interface ${interfaceIndex}: Windows returned ${symbol}.`,
  );
});
