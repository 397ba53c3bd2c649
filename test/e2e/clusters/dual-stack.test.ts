// Dual-stack L2Bridge networks. Windows supports no IPv6 on Overlay networks, and win-hcn's host endpoint, through which the node forwards,
// has an IPv4 address: the IPv6 gateway of pods is a router, and their subnets are in that of the nodes, so that the switch bridges them.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Cluster, expectReach } from '../../cluster/judge.ts';
import { linuxNode } from '../../cluster/linux-node.ts';
import { router } from '../../cluster/router.ts';
import { startWindowsNodes, windowsAddresses } from '../../cluster/segment.ts';
import { windowsNode } from '../../cluster/windows-node.ts';
import { nodeList, nodeObject } from '../../unit/cli/nodes/node-list.ts';
import { runCli } from '../cli/run-cli.ts';
import { example } from '../example.ts';
import type { Node } from '../node.ts';

const nodes6 = ['fd00:10:244::11', 'fd00:10:244::12'];

/** Nodes 1 and 2 are Windows nodes, node 3 is a Linux node. */
const addressesOf = (n: number) =>
  n === 3 ? ['10.0.0.2', 'fd00:10:244::2'] : [windowsAddresses[n - 1] ?? '', nodes6[n - 1] ?? ''];
const subnetsOf = (n: number) => [`10.244.${n}.0/24`, `fd00:10:244:${n}::/64`];

const configOf = (n: number) =>
  example('l2bridge-host-endpoint', {
    ipam: { type: 'test-ipam' },
    subnets: [
      { subnet: `10.244.${n}.0/24` },
      { subnet: `fd00:10:244:${n}::/64`, gateway: `fd00:10:244:${n}::1` },
    ],
    hostEndpoint: { address: `10.244.${n}.2` },
    outboundNat: { exceptions: ['10.244.0.0/16', '10.96.0.0/12', '10.0.0.0/24', 'fd00:10:244::/56'] },
  });

/** A node in kubectl's list. */
const nodeOf = (n: number) => {
  const [address = '', address6 = ''] = addressesOf(n);
  const object = Object(nodeObject({ name: `node-${n}`, podCIDRs: subnetsOf(n), address }));
  const addresses = [...object.status.addresses, { address: address6, type: 'InternalIP' }];
  return { ...object, status: { addresses } };
};

let windows: readonly Node[];
beforeAll(async () => {
  windows = await startWindowsNodes(nodes6.map((address) => `${address}/56`));
  for (const [index, node] of windows.entries()) {
    node.ipam.prefix6 = `fd00:10:244:${index + 1}::`;
    const files = {
      'net.conf': JSON.stringify(configOf(index + 1)),
      'nodes.json': nodeList(...[1, 2, 3].map(nodeOf)),
    };
    for (const words of ['network ensure net.conf --yes', 'network sync net.conf --nodes nodes.json --yes']) {
      const printed = await runCli(words.split(' '), { system: node.outside, files });
      expect(printed).toMatchObject({ exitCode: 0 });
    }
    expect(await node.add(configOf(index + 1))).toMatchObject({ exitCode: 0 });
  }
});
afterAll(async () => {
  for (const node of windows) await node.stop();
});

const cluster = (): Cluster => ({
  nodes: [
    ...windows.map(({ hns }, index) => windowsNode(`win-${index + 1}`, hns)),
    linuxNode({
      name: 'linux',
      addresses: ['10.0.0.2/24', 'fd00:10:244::2/56'],
      gateways: ['10.0.0.1', 'fd00:10:244::1'],
      podSubnets: subnetsOf(3),
      routes: [1, 2].map((n) => ({ prefix: `10.244.${n}.0/24`, nextHop: windowsAddresses[n - 1] ?? '' })),
    }),
    router({
      addresses: ['10.0.0.1/24', 'fd00:10:244::1/56', 'fd00:10:244:1::1/56', 'fd00:10:244:2::1/56'],
      routes: [{ prefix: 'fd00:10:244:3::/64', nextHop: 'fd00:10:244::2' }],
    }),
  ],
});

const addresses = {
  IPv4: ['10.244.1.10', '10.244.2.10', '10.244.3.9', '10.0.0.11', '10.0.0.12', '10.0.0.2'],
  IPv6: ['fd00:10:244:1::10', 'fd00:10:244:2::10', 'fd00:10:244:3::9', ...nodes6, 'fd00:10:244::2'],
};

test.each(Object.entries(addresses))('every pod and node reaches every other one with %s', (_, all) => {
  const now = cluster();
  for (const from of all) for (const to of all) if (from !== to) expectReach(now, from, to, { as: from });
});

test('each Windows node has a route of each family to the pods of each other node', () => {
  const routes = windows.map(({ hns }) =>
    hns
      .nodeRoutes()
      .filter(({ metric }) => metric === 4242)
      .map(({ prefix, nextHop }) => `${prefix} via ${nextHop}`),
  );
  expect(routes).toEqual([
    [
      '10.244.2.0/24 via 10.0.0.12',
      'fd00:10:244:2::/64 via fd00:10:244::12',
      '10.244.3.0/24 via 10.0.0.2',
      'fd00:10:244:3::/64 via fd00:10:244::2',
    ],
    [
      '10.244.1.0/24 via 10.0.0.11',
      'fd00:10:244:1::/64 via fd00:10:244::11',
      '10.244.3.0/24 via 10.0.0.2',
      'fd00:10:244:3::/64 via fd00:10:244::2',
    ],
  ]);
});
