import { describe, expect, test } from 'vitest';
import { readNodeList } from '../../../../src/cli/network/cluster-node.ts';
import { clusterRoutes, type OwnSide } from '../../../../src/cli/network/cluster-routes.ts';
import { hostGwNode, nodeList, nodeObject, vxlanNode } from './node-list.ts';

const overlay: OwnSide = {
  network: 'overlay',
  underlay: { type: 'Overlay', vsid: 4096 },
  subnets: ['10.244.1.0/24'],
  addresses: ['10.0.0.4', '127.0.0.1', '10.244.1.1'],
  gateways: ['10.0.0.1'],
  configured: [],
};
const l2bridge: OwnSide = {
  ...overlay,
  network: 'l2bridge',
  underlay: { type: 'L2Bridge', onLink: [{ address: '10.0.0.4', length: 24 }] },
};

const nodesOf = (...nodes: readonly object[]) =>
  readNodeList(new TextEncoder().encode(nodeList(...nodes)), 'nodes.json');
const decide = (side: OwnSide, ...nodes: readonly object[]) => {
  const { own, wanted, skipped } = clusterRoutes(nodesOf(...nodes), side);
  return { own: own.name, wanted, skipped: skipped.map(({ name, reason }) => `${name} ${reason}`) };
};

const own = vxlanNode({
  name: 'win-1',
  podCIDRs: ['10.244.1.0/24'],
  address: '10.0.0.4',
  mac: '00:15:5d:00:00:01',
});
const second = { name: 'win-2', podCIDRs: ['10.244.2.0/24'], address: '10.0.0.5', mac: '00:15:5d:00:00:02' };
const routeToSecond = {
  subnet: '10.244.2.0/24',
  providerAddress: '10.0.0.5',
  macAddress: '00-15-5D-00-00-02',
};
const ownRouted = nodeObject({ name: 'win-1', podCIDRs: ['10.244.1.0/24'], address: '10.0.0.4' });

describe('an Overlay network', () => {
  test('reaches other nodes through their public address and VTEP', () => {
    const linux = {
      name: 'linux-1',
      podCIDRs: ['10.244.3.0/24'],
      address: '10.0.0.6',
      mac: 'ba:c1:6f:91:17:c7',
    };
    expect(decide(overlay, own, vxlanNode(second), vxlanNode(linux))).toEqual({
      own: 'win-1',
      wanted: [
        routeToSecond,
        { subnet: '10.244.3.0/24', providerAddress: '10.0.0.6', macAddress: 'BA-C1-6F-91-17-C7' },
      ],
      skipped: [],
    });
  });

  const data = 'flannel.alpha.coreos.com/backend-data';
  const noTunnel = `has no valid VNI and VtepMAC in annotation ${data} yet`;
  test.each<[string, object]>([
    ['has no pod subnet yet', vxlanNode({ ...second, podCIDRs: [] })],
    ['has the invalid PodCIDR "10.244.2.0"', vxlanNode({ ...second, podCIDRs: ['10.244.2.0'] })],
    [
      "has no pod subnet of the network's address family",
      vxlanNode({ ...second, podCIDRs: ['fd00:2::/64'] }),
    ],
    ['has an address of this node', vxlanNode({ ...second, address: '10.0.0.4' })],
    ['has no annotation flannel.alpha.coreos.com/backend-type', nodeObject(second)],
    ["uses flannel's backend host-gw, expected vxlan for an Overlay network", hostGwNode(second)],
    ...[
      { mac: null },
      { mac: '00:15:5d' },
      { mac: '01:15:5d:00:00:02' },
      { vni: '4096' },
      { vni: 4095 },
      { vni: 16_777_215 },
    ].map((change): [string, object] => {
      const published = {
        VNI: 'vni' in change ? change.vni : 4096,
        VtepMAC: 'mac' in change ? change.mac : second.mac,
      };
      return [`${noTunnel}: ${JSON.stringify(published)}`, vxlanNode({ ...second, ...change })];
    }),
    ["has VNI 5000, but this node's network has 4096", vxlanNode({ ...second, vni: 5000 })],
    [`${noTunnel}: null`, vxlanNode({ ...second, annotations: { [data]: 'null' } })],
    [`${noTunnel}: {"VNI"`, vxlanNode({ ...second, annotations: { [data]: '{"VNI"' } })],
    [
      `uses flannel's backend ${'y'.repeat(57)}..., expected vxlan for an Overlay network`,
      vxlanNode({
        ...second,
        annotations: { 'flannel.alpha.coreos.com/backend-type': 'y'.repeat(100_000) },
      }),
    ],
    [`has no annotation ${data}`, vxlanNode({ ...second, annotations: { [data]: '' } })],
    [
      'has no address in annotation flannel.alpha.coreos.com/public-ip',
      vxlanNode({ ...second, annotations: { 'flannel.alpha.coreos.com/public-ip': 'win-2.example' } }),
    ],
    [
      'has pod subnet 10.244.0.0/16, which overlaps 10.244.1.0/24 of network "overlay"',
      vxlanNode({ ...second, podCIDRs: ['10.244.0.0/16'] }),
    ],
    [
      'has pod subnet 10.0.0.1/32, which contains 10.0.0.1/32, an address or gateway of this node',
      vxlanNode({ ...second, podCIDRs: ['10.0.0.1/32'] }),
    ],
  ])('skips a node that %s', (reason, node) => {
    expect(decide(overlay, own, node)).toEqual({ own: 'win-1', wanted: [], skipped: [`win-2 ${reason}`] });
  });

  test('sends the VNI of a node if its own network has none', () => {
    const side: OwnSide = { ...overlay, underlay: { type: 'Overlay', vsid: undefined } };
    expect(decide(side, own, vxlanNode({ ...second, vni: 16_777_214 })).wanted).toEqual([
      { ...routeToSecond, vsid: 16_777_214 },
    ]);
  });

  test('skips nodes that share a subnet, both of them', () => {
    const sameSubnet = {
      name: 'a',
      podCIDRs: ['10.244.2.128/25'],
      address: '10.0.0.7',
      mac: '00:15:5d:00:00:07',
    };
    expect(decide(overlay, own, vxlanNode(second), vxlanNode(sameSubnet))).toEqual({
      own: 'win-1',
      wanted: [],
      skipped: [
        'win-2 has pod subnet 10.244.2.0/24, which overlaps 10.244.2.128/25 of node "a"',
        'a has pod subnet 10.244.2.128/25, which overlaps 10.244.2.0/24 of node "win-2"',
      ],
    });
  });

  test.each([
    ['network', {}, 'which overlaps 10.244.1.0/24 of network "overlay"'],
    [
      'configuration',
      { subnets: ['10.245.1.0/24'], addresses: ['10.0.0.4'], configured: ['10.244.9.0/24'] },
      'and 10.244.9.0/24 of the configuration takes precedence',
    ],
  ])('skips only the node with a wide subnet if that overlaps a subnet of the %s', (_, side, reason) => {
    const wide = { name: 'wide', podCIDRs: ['10.244.0.0/16'], address: '10.0.0.9', mac: '00:15:5d:00:00:09' };
    const first = vxlanNode({ name: 'win-1', address: '10.0.0.4' });
    expect(decide({ ...overlay, ...side }, first, vxlanNode(wide), vxlanNode(second))).toEqual({
      own: 'win-1',
      wanted: [routeToSecond],
      skipped: [`wide has pod subnet 10.244.0.0/16, ${reason}`],
    });
  });
});

describe('an L2Bridge network', () => {
  test('reaches other nodes through their InternalIP, or what flannel publishes with host-gw', () => {
    const hostGw = hostGwNode({
      name: 'linux-1',
      podCIDRs: ['10.244.3.0/24'],
      address: '192.0.2.6',
      annotations: { 'flannel.alpha.coreos.com/public-ip': '10.0.0.6' },
    });
    expect(decide(l2bridge, ownRouted, nodeObject(second), hostGw)).toEqual({
      own: 'win-1',
      wanted: [
        { subnet: '10.244.2.0/24', nextHop: '10.0.0.5' },
        { subnet: '10.244.3.0/24', nextHop: '10.0.0.6' },
      ],
      skipped: [],
    });
  });

  test.each([
    ["uses flannel's backend vxlan, expected host-gw for an L2Bridge network", vxlanNode(second)],
    ['has no IPv4 address of type InternalIP', nodeObject({ ...second, address: 'fd00::5' })],
    [
      "has 10.1.0.5, which is no host address in a subnet of the network's interface, so no route can lead there",
      nodeObject({ ...second, address: '10.1.0.5' }),
    ],
    [
      "has 10.0.0.255, which is no host address in a subnet of the network's interface, so no route can lead there",
      nodeObject({ ...second, address: '10.0.0.255' }),
    ],
  ])('skips a node that %s', (reason, node) => {
    expect(decide(l2bridge, ownRouted, node)).toEqual({
      own: 'win-1',
      wanted: [],
      skipped: [`win-2 ${reason}`],
    });
  });
});

describe('the own node', () => {
  test('is the one with an address of the node, also if another node has the subnet of its network', () => {
    const renumbered = vxlanNode({ name: 'win-1', podCIDRs: ['10.244.9.0/24'], address: '10.0.0.4' });
    expect(decide(overlay, renumbered, vxlanNode({ ...second, podCIDRs: ['10.244.1.0/24'] }))).toEqual({
      own: 'win-1',
      wanted: [],
      skipped: ['win-2 has pod subnet 10.244.1.0/24, which overlaps 10.244.1.0/24 of network "overlay"'],
    });
  });

  test("is the one with an address of the network's interface, if another node has an address of another adapter", () => {
    const [nat, first] = ['172.20.0.1', '10.0.0.4'].map((address, at) =>
      vxlanNode({ name: `node-${at}`, address }),
    );
    const side = { ...overlay, addresses: ['10.0.0.4', '172.20.0.1'] };
    expect(decide(side, nat ?? {}, first ?? {}).own).toBe('node-1');
  });

  test('is otherwise the one with the subnet of the network', () => {
    const moved = vxlanNode({ name: 'win-1', podCIDRs: ['10.244.1.0/24'], address: '192.0.2.4' });
    expect(decide(overlay, moved, vxlanNode(second))).toEqual({
      own: 'win-1',
      wanted: [routeToSecond],
      skipped: [],
    });
  });

  test('is looked for by every subnet of the network', () => {
    expect(() =>
      decide({ ...overlay, subnets: ['10.244.1.0/24', 'fd00:1::/64'] }, vxlanNode(second)),
    ).toThrow('or 10.244.1.0/24 or fd00:1::/64, the subnet of network "overlay"');
  });

  const details =
    'Pass all nodes of the cluster, without a selector: kubectl get nodes -o json. To delete all remote subnets, set ' +
    '"remoteSubnets": [] in the configuration and leave out --nodes.';
  test.each([
    ['is empty', []],
    ['has only others', [vxlanNode(second)]],
    ['has only its loopback address', [nodeObject({ name: 'a', address: '127.0.0.1' })]],
  ])('must be in a list, which %s', (_, nodes) => {
    expect(() => decide(overlay, ...nodes)).toThrow(
      expect.objectContaining({
        message:
          'this node is not in the list of nodes: no node has one of its addresses, or 10.244.1.0/24, the subnet of network "overlay"',
        code: 7,
        details,
      }),
    );
  });
});
