import { describe, expect, test } from 'vitest';
import type { NodeState } from '../../src/cli/traffic/node-state.ts';
import type { Policy } from '../../src/hcn/documents.ts';
import { expectReach, journey } from './judge.ts';
import { linuxNode } from './linux-node.ts';
import {
  bridgeState,
  clusterOf,
  overlayState,
  policy,
  remoteSubnet,
  routerMac,
  withPolicy,
} from './states.ts';

/** How a packet from 10.244.1.5 to port 80 of 10.244.2.5 ends. */
function endOf(one: NodeState, two: NodeState, to = '10.244.2.5:80') {
  const { outcome, at, on, because } = journey(clusterOf(one, two), '10.244.1.5', to).worst;
  return { outcome, at, on, because };
}

const there = (at: string, because: string) => ({ outcome: 'lost', at, on: 'the way there', because });
const back = (at: string, because: string) => ({ outcome: 'lost', at, on: 'the way back', because });

/** Node 1 or 2 with another RemoteSubnetRoute to the other one. */
const routedBy = (n: number, changes: object) =>
  withPolicy(overlayState(n), 'RemoteSubnetRoute', remoteSubnet(3 - n, changes));
/** Node 1 or 2 without a network policy. */
const lacking = (n: number, type: string) => withPolicy(overlayState(n), type);
const [overlay1, overlay2] = [overlayState(1), overlayState(2)];
const bridge2 = bridgeState(2);

const blockIn: Policy = policy('ACL', { Direction: 'In', Action: 'Block', Priority: 100, Protocols: '6' });
const blockOut: Policy = policy('ACL', { Direction: 'Out', Action: 'Block', Priority: 100, Protocols: '6' });
const allowIn: Policy = policy('ACL', { Direction: 'In', Action: 'Allow', Priority: 200 });
const allowOut: Policy = policy('ACL', { Direction: 'Out', Action: 'Allow', Priority: 200 });
const acls = (state: NodeState, ...policies: readonly Policy[]): NodeState => ({
  ...state,
  inventory: {
    ...state.inventory,
    endpoints: state.inventory.endpoints.map((endpoint) =>
      endpoint.Name.startsWith('pod')
        ? { ...endpoint, Policies: [...(endpoint.Policies ?? []), ...policies] }
        : endpoint,
    ),
  },
});
const aclText = (direction: string) => `${direction} ACL with priority 100 (tcp) blocks it.`;

describe('on Overlay networks, a packet is lost', () => {
  test.each<[string, NodeState, NodeState, object]>([
    [
      "at the receiver, if the RemoteSubnetRoute does not have the other node's DR MAC",
      routedBy(1, { DistributedRouterMacAddress: '00-15-5D-FF-FF-FF' }),
      overlay2,
      there(
        'win-2',
        `The inner frame is for MAC address 00-15-5D-FF-FF-FF, and the distributed router of network "flannel.4096" has ${routerMac(2)}.`,
      ),
    ],
    [
      'at the receiver, if the RemoteSubnetRoute has another VSID',
      routedBy(1, { IsolationId: 4097 }),
      overlay2,
      there('win-2', 'The packet has VSID 4097, and the Overlay networks of the node have 4096.'),
    ],
    [
      'after the sender, if the provider address is of no machine',
      routedBy(1, { ProviderAddress: '10.0.0.77' }),
      overlay2,
      there('win-1', 'No machine on the segment of win-1 has the next hop 10.0.0.77.'),
    ],
    [
      'at the router, if there is no RemoteSubnetRoute',
      lacking(1, 'RemoteSubnetRoute'),
      overlay2,
      there('router', 'The router has no route to 10.244.2.5.'),
    ],
    [
      'on the way back, if the receiver has no RemoteSubnetRoute',
      overlay1,
      lacking(2, 'RemoteSubnetRoute'),
      back('router', 'The router has no route to 10.244.1.5.'),
    ],
    [
      'at the receiver, if the other node has another VXLAN port',
      overlay1,
      withPolicy(overlay2, 'VxlanPort', policy('VxlanPort', { Port: 4790 })),
      there(
        'win-2',
        'The packet was sent to UDP port 4789, and network "flannel.4096" receives VXLAN on 4790.',
      ),
    ],
    [
      'at the sender, by an ACL',
      acls(overlay1, blockOut, allowOut),
      overlay2,
      there('win-1', aclText('Out')),
    ],
    ['at the receiver, by an ACL', overlay1, acls(overlay2, blockIn, allowIn), there('win-2', aclText('In'))],
    [
      'at the receiver, by the default of an endpoint with ACLs',
      overlay1,
      acls(overlay2, allowOut),
      there(
        'win-2',
        'No ACL allows it: once an endpoint has an ACL, HNS blocks all traffic without a match.',
      ),
    ],
  ])('%s', (_, one, two, expected) => {
    expect(endOf(one, two)).toEqual(expected);
  });

  test('at the receiver, if no pod has the address', () => {
    expect(endOf(overlay1, overlay2, '10.244.2.9:80')).toEqual(
      there('win-2', 'No endpoint of network "flannel.4096" has address 10.244.2.9.'),
    );
  });

  test('at a Linux node with another VNI, port or MAC address', () => {
    const remote = { subnet: '10.244.1.0/24', mac: routerMac(1), publicIp: '10.0.0.1' };
    const vtep = { address: '10.244.2.0', mac: routerMac(2), vni: 4096, remotes: [remote] };
    const end = (changes: object) => {
      const linux = linuxNode({
        name: 'linux',
        addresses: ['10.0.0.2/24'],
        podSubnets: ['10.244.2.0/24'],
        vtep: { ...vtep, ...changes },
      });
      return journey({ nodes: [...clusterOf(overlay1).nodes, linux] }, '10.244.1.5', '10.244.2.5').worst
        .because;
    };
    expect([{}, { vni: 1 }, { port: 8472 }, { mac: '00-00-00-00-00-01' }].map(end)).toEqual([
      'The reply arrives.',
      'The packet has VNI 4096, and the VTEP has 1.',
      'The packet was sent to UDP port 4789, and the VTEP listens on 8472.',
      'The inner frame is for MAC address 00-15-5D-00-00-02, and the VTEP has 00-00-00-00-00-01.',
    ]);
  });
});

describe('on L2Bridge networks, a packet is lost', () => {
  const routesOf = (n: number, ...added: NodeState['routes']): NodeState => {
    const state = bridgeState(n);
    return { ...state, routes: [...state.routes.slice(0, -1), ...added] };
  };
  const toOther = { interfaceIndex: 5, prefix: '10.244.2.0/24', nextHop: '10.0.0.2', metric: 256 };
  const off = (n: number, index: number) => {
    const state = bridgeState(n);
    const forwarding = state.forwarding.map((one) =>
      one.index === index ? { ...one, isEnabled: false } : one,
    );
    return { ...state, forwarding };
  };
  test.each<[string, NodeState, NodeState, object]>([
    [
      'at the router, if the node has no route',
      routesOf(1),
      bridge2,
      there('router', 'The router has no route to 10.244.2.5.'),
    ],
    [
      'after the sender, if the next hop is of no machine',
      routesOf(1, { ...toOther, nextHop: '10.0.0.77' }),
      bridge2,
      there('win-1', 'No machine on the segment of win-1 has the next hop 10.0.0.77.'),
    ],
    [
      'after the sender, if the next hop is not on the segment',
      routesOf(1, { ...toOther, nextHop: '10.9.0.2' }),
      bridge2,
      there('win-1', 'The next hop 10.9.0.2 is not on the segment of win-1 (10.0.0.1/24).'),
    ],
    [
      'at the sender, without forwarding on its host endpoint',
      off(1, 9),
      bridge2,
      there('win-1', 'IPv4 forwarding is disabled on "vEthernet (cbr0_ep)".'),
    ],
  ])('%s', (_, one, two, expected) => {
    expect(endOf(one, two)).toEqual(expected);
  });
});

test('a failure names each hop of the way', () => {
  const cluster = clusterOf(overlay1, acls(overlay2, blockIn, allowIn));
  let text = '';
  try {
    expectReach(cluster, '10.244.1.5', '10.244.2.5:80');
  } catch (error) {
    text = error instanceof Error ? error.message : '';
  }
  expect(text.split('\n')).toMatchInlineSnapshot(`
    [
      "10.244.1.5 does not reach 10.244.2.5:80: lost on the way there, at win-2. In ACL with priority 100 (tcp) blocks it.",
      "packet: 10.244.1.5:50000 -> 10.244.2.5:80/tcp",
      "there:",
      "  win-1: pod endpoint pod-1 sends it to next hop 10.244.1.1: route 0.0.0.0/0 via 10.244.1.1, as 10.244.1.5:50000 -> 10.244.2.5:80/tcp",
      "  win-1: port endpoint pod-1 allows it: no ACL",
      "  win-1: port endpoint pod-1 keeps the source: OutBoundNAT policy 1: exception 10.244.0.0/16",
      "  win-1: virtual switch flannel.4096 encapsulates it for node 10.0.0.2: RemoteSubnetRoute 10.244.2.0/24, as 10.244.1.5:50000 -> 10.244.2.5:80/tcp in VXLAN 10.0.0.1 -> 10.0.0.2, VSID 4096, MAC 00-15-5D-00-00-02",
      "  win-1: adapter vEthernet (Ethernet) sends it to next hop 10.0.0.2: route 10.0.0.0/24 on-link on interface 5",
      "  win-2: virtual switch flannel.4096 sends it to a local endpoint, as 10.244.1.5:50000 -> 10.244.2.5:80/tcp",
      "  win-2: port endpoint pod-2 blocks it: In ACL with priority 100 (tcp)",
    ]
  `);
});
