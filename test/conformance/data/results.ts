// The result of ADD.

import { expect } from 'vitest';
import { type Case, expectOutcome, type Row } from '../case.ts';
import { supportedVersions } from './process.ts';

const mac = expect.stringMatching(/^([0-9a-f]{2}:){5}[0-9a-f]{2}$/);
const sandbox = expect.stringMatching(/^[0-9a-f-]{36}$/);

const bothFamilies = { subnets: [{ subnet: '10.5.0.0/24' }, { subnet: 'fd00:5::/64' }] };
const dns = { nameservers: ['10.96.0.10'], domain: 'cluster.local', search: ['a.b'], options: ['ndots:5'] };
const leased = {
  ips: [
    { version: '4', address: '10.5.0.2/24', gateway: '10.5.0.1' },
    { version: '6', address: 'fd00:5::2/64', gateway: 'fd00:5::1' },
  ],
  routes: [
    { dst: '0.0.0.0/0' },
    { dst: '::/0', gw: 'fd00:5::1' },
    { dst: '10.96.0.0/12', gw: '10.5.0.1', mtu: 1400, advmss: 1360, priority: 5, table: 100, scope: 253 },
  ],
  dns,
};

/** The routes that HNS returns: Windows has no MTU, table or scope of a route. */
const routes4 = [
  { dst: '0.0.0.0/0', gw: '10.5.0.1' },
  { dst: '10.96.0.0/12', gw: '10.5.0.1' },
];
const routes6 = [{ dst: '::/0', gw: 'fd00:5::1' }];
const interfaces = [{ name: 'eth0', mac, sandbox }];
const routes = [routes4[0], routes6[0], routes4[1]];

function answerIn(cniVersion: string): object {
  if (cniVersion < '0.3.0') {
    return {
      cniVersion,
      ip4: { ip: '10.5.0.2/24', gateway: '10.5.0.1', routes: routes4 },
      ip6: { ip: 'fd00:5::2/64', gateway: 'fd00:5::1', routes: routes6 },
      dns,
    };
  }
  const version = (digit: string) => (cniVersion < '1' ? { version: digit } : {});
  return {
    cniVersion,
    interfaces,
    ips: [
      { ...version('4'), interface: 0, address: '10.5.0.2/24', gateway: '10.5.0.1' },
      { ...version('6'), interface: 0, address: 'fd00:5::2/64', gateway: 'fd00:5::1' },
    ],
    routes,
    dns,
  };
}

/** An ADD with this result of the IPAM plugin. */
const leasing = (
  spec: string,
  says: string,
  answer: object,
  config: NonNullable<Row['config']>,
  result: object,
  what?: string,
): Case => ({
  spec,
  says,
  ...(what !== undefined && { what }),
  story: async ({ cni, ipam }) => {
    ipam.answer('ADD', JSON.stringify(answer));
    const added = await cni({ config });
    expect(added).toMatchObject({ ok: true });
    expect(added.json).toEqual(result);
  },
});

const ipv4Only = (ip: object) => ({
  cniVersion: '1.1.0',
  interfaces,
  ips: [{ interface: 0, address: '10.5.0.7/24', gateway: '10.5.0.1', ...ip }],
  routes: [routes4[0]],
});

export const resultCases: readonly Case[] = [
  ...supportedVersions.map((cniVersion) =>
    leasing(
      '5 MUST',
      'a dual-stack result has the format of its version',
      leased,
      { cniVersion, ...bothFamilies },
      answerIn(cniVersion),
      cniVersion,
    ),
  ),
  leasing(
    'libcni',
    '0.2.0 has the first address of a family',
    { ips: [{ address: '10.5.0.7/24' }] },
    { cniVersion: '0.2.0', prevResult: { cniVersion: '0.2.0', ip4: { ip: '10.97.0.9/16' } } },
    { cniVersion: '0.2.0', ip4: { ip: '10.97.0.9/16', routes: [routes4[0]] }, dns: {} },
  ),
  leasing(
    'libcni',
    '0.1.0 omits routes of a family without an address',
    { ips: [{ address: 'fd00:5::2/64' }], routes: [{ dst: '0.0.0.0/0', gw: '10.5.0.1' }] },
    { cniVersion: '0.1.0', ...bothFamilies },
    {
      cniVersion: '0.1.0',
      ip6: { ip: 'fd00:5::2/64', gateway: 'fd00:5::1', routes: routes6 },
      dns: {},
    },
  ),
  {
    spec: '5 MUST',
    says: 'ADD returns the interface with its MAC address, sandbox and addresses',
    windows: 'too',
    story: async ({ cni, netns }) => {
      expect((await cni()).json).toEqual({
        cniVersion: '1.1.0',
        interfaces: [{ name: 'eth0', mac, sandbox: netns }],
        ips: [{ interface: 0, address: '10.5.0.2/24', gateway: '10.5.0.1' }],
        routes: [{ dst: '0.0.0.0/0', gw: '10.5.0.1' }],
      });
    },
  },
  ...[-1, 0, 7].map((index) =>
    leasing(
      '5',
      "the IPAM plugin's interfaces are not returned",
      { interfaces: [{ name: 'ipam0' }], ips: [{ address: '10.5.0.7/24', interface: index }] },
      {},
      ipv4Only({}),
      String(index),
    ),
  ),
  leasing(
    'libcni',
    'an IPAM plugin may return 0.2.0 without a version',
    { ip4: { ip: '10.5.0.7/24', gateway: '10.5.0.1', routes: [{ dst: '0.0.0.0/0' }] } },
    {},
    ipv4Only({}),
  ),
  leasing(
    '5',
    'a dual-stack endpoint has a gateway of each family',
    { ips: [{ address: '10.5.0.7/24' }, { address: 'fd00:5::7/64' }] },
    bothFamilies,
    {
      ...ipv4Only({}),
      ips: [
        { interface: 0, address: '10.5.0.7/24', gateway: '10.5.0.1' },
        { interface: 0, address: 'fd00:5::7/64', gateway: 'fd00:5::1' },
      ],
      routes: [routes4[0], routes6[0]],
    },
  ),
  leasing(
    '5',
    'addresses and routes are canonical',
    {
      ips: [{ address: '::ffff:10.5.0.7/120', gateway: '::ffff:10.5.0.1' }, { address: 'FD00:5:0::7/64' }],
      routes: [
        { dst: '::ffff:0.0.0.0/96', gw: '::ffff:10.5.0.1' },
        { dst: '10.97.1.2/16', gw: '::ffff:10.5.0.1' },
      ],
    },
    bothFamilies,
    {
      ...ipv4Only({}),
      ips: [
        { interface: 0, address: '10.5.0.7/24', gateway: '10.5.0.1' },
        { interface: 0, address: 'fd00:5::7/64', gateway: 'fd00:5::1' },
      ],
      routes: [routes4[0], routes6[0], { dst: '10.97.0.0/16', gw: '10.5.0.1' }],
    },
  ),
  {
    says: 'dns comes from runtimeConfig, else the configuration, else the IPAM plugin',
    story: async ({ cni, ipam, hns }) => {
      ipam.answer('ADD', JSON.stringify({ ips: [{ address: '10.5.0.7/24' }], dns }));
      const config = {
        dns: { nameservers: ['10.96.0.11'], search: ['b.c'] },
        runtimeConfig: { dns: { servers: ['10.96.0.12'], searches: [], options: null } },
      };
      const effective = {
        nameservers: ['10.96.0.12'],
        search: ['b.c'],
        domain: 'cluster.local',
        options: ['ndots:5'],
      };
      expect((await cni({ config })).json.dns).toEqual(effective);
      expect(hns.dump().endpoints).toMatchObject([
        {
          Dns: { ServerList: ['10.96.0.12'], Search: ['b.c'], Domain: 'cluster.local', Options: ['ndots:5'] },
        },
      ]);
    },
  },
  {
    says: 'leading zeros and zones are refused',
    story: async (node) => {
      for (const address of ['010.5.0.7/24', 'fe80::1%eth0/64', '10.5.0.7', '10.5.0.7/33']) {
        node.ipam.answer('ADD', JSON.stringify({ ips: [{ address }] }));
        await expectOutcome(node, { becomes: { error: 6, says: [JSON.stringify(address)] } });
      }
    },
  },
];
