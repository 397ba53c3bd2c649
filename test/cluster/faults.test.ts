import { describe, expect, test } from 'vitest';
import type { NodeState } from '../../src/cli/traffic/node-state.ts';
import { expectReach, journey } from './judge.ts';
import {
  bridgeState,
  clusterOf,
  overlayState,
  policy,
  remoteSubnet,
  routerMac,
  withPolicy,
} from './states.ts';

/** Node 1 with another RemoteSubnetRoute to the other one. */
const routedBy = (changes: object) =>
  withPolicy(overlayState(1), 'RemoteSubnetRoute', remoteSubnet(2, changes));
const [overlay1, overlay2] = [overlayState(1), overlayState(2)];
const [bridge1, bridge2] = [bridgeState(1), bridgeState(2)];
/** The L2Bridge node 1 whose route to the pods of the other one has another next hop. */
const routedTo = (nextHop: string): NodeState => ({
  ...bridge1,
  routes: bridge1.routes.map((route) => (route.prefix === '10.244.2.0/24' ? { ...route, nextHop } : route)),
});
const acl = (Direction: string, Action: string, Priority: number) =>
  policy('ACL', { Direction, Action, Priority, Protocols: '6' });

test.each<[string, NodeState, NodeState, string, string]>([
  [
    "the RemoteSubnetRoute does not have the other node's DR MAC",
    routedBy({ DistributedRouterMacAddress: '00-15-5D-FF-FF-FF' }),
    overlay2,
    'win-2',
    `The inner frame is for MAC address 00-15-5D-FF-FF-FF, and the distributed router of network "flannel.4096" has ${routerMac(2)}.`,
  ],
  [
    'the RemoteSubnetRoute has another VSID',
    routedBy({ IsolationId: 4097 }),
    overlay2,
    'win-2',
    'The packet has VSID 4097, and the Overlay networks of the node have 4096.',
  ],
  [
    'the other node has another VXLAN port',
    overlay1,
    withPolicy(overlay2, 'VxlanPort', policy('VxlanPort', { Port: 4790 })),
    'win-2',
    'The packet was sent to UDP port 4789, and network "flannel.4096" receives VXLAN on 4790.',
  ],
  [
    'an ACL of the sender blocks it',
    overlayState(1, { endpoint: { Policies: [acl('Out', 'Block', 100), acl('Out', 'Allow', 200)] } }),
    overlay2,
    'win-1',
    'Out ACL with priority 100 (tcp) blocks it.',
  ],
  [
    'the receiver has ACLs, and none allows it',
    overlay1,
    overlayState(2, { endpoint: { Policies: [acl('Out', 'Allow', 200)] } }),
    'win-2',
    'No ACL allows it: once an endpoint has an ACL, HNS blocks all traffic without a match.',
  ],
  [
    'no pod has the address',
    overlay1,
    overlayState(2, { endpoint: { IpConfigurations: [] } }),
    'win-2',
    'No endpoint of network "flannel.4096" has address 10.244.2.5.',
  ],
  [
    'the next hop is of no machine',
    routedTo('10.0.0.77'),
    bridge2,
    'win-1',
    'No machine on the segment of win-1 has the next hop 10.0.0.77.',
  ],
  [
    'the next hop is not on the segment',
    routedTo('10.9.0.2'),
    bridge2,
    'win-1',
    'The next hop 10.9.0.2 is not on the segment of win-1 (fd09::1/64 and 10.0.0.1/24).',
  ],
  [
    'the host endpoint does not forward',
    bridgeState(1, { forwarding: [{ index: 9, family: 'IPv4', isEnabled: false }] }),
    bridge2,
    'win-1',
    'IPv4 forwarding is disabled on "vEthernet (cbr0_ep)".',
  ],
])('a packet to a pod on the other node is lost if %s', (_, one, two, at, because) => {
  const { worst } = journey(clusterOf(one, two), '10.244.1.5', '10.244.2.5:80');
  expect({ outcome: worst.outcome, at: worst.at, because: worst.because }).toEqual({
    outcome: 'lost',
    at,
    because,
  });
});

test.each([
  ['sender', withPolicy(overlay1, 'RemoteSubnetRoute'), overlay2, '10.244.2.5'],
  ['receiver', overlay1, withPolicy(overlay2, 'RemoteSubnetRoute'), '10.244.1.5'],
])('what HNS does is unknown if the %s has no RemoteSubnetRoute', (_, one, two, address) => {
  expect(journey(clusterOf(one, two), '10.244.1.5', '10.244.2.5:80').worst).toMatchObject({
    outcome: 'unknown',
    because: `${address} is in the range of pods, but in no RemoteSubnetRoute of network "flannel.4096": is flanneld, or the agent that adds them, running?`,
  });
});

describe.each([
  ['an Overlay cluster', clusterOf(overlay1, overlay2)],
  ['an L2Bridge cluster', clusterOf(bridge1, bridge2)],
])('in %s', (_, cluster) => {
  test('a pod reaches a pod on the other node, and an address outside as the node', () => {
    expectReach(cluster, '10.244.1.5', '10.244.2.5:80');
    expectReach(cluster, '10.244.1.5', '8.8.8.8:443', { as: '10.0.0.1' });
  });
});

test('a failure names each hop of the way', () => {
  const other = overlayState(2, { endpoint: { HostComputeNamespace: '' } });
  expect(() =>
    expectReach(clusterOf(overlay1, other), '10.244.1.5', '10.244.2.5:80'),
  ).toThrowErrorMatchingInlineSnapshot(`
    [Error: 10.244.1.5 to 10.244.2.5:80: lost on the way there, at win-2. The endpoint is in no namespace: no pod receives the packet.
    win-1: pod endpoint pod-1 sends it to next hop 10.244.1.1
    win-1: port endpoint pod-1 allows it
    win-1: port endpoint pod-1 keeps the source
    win-1: virtual switch flannel.4096 encapsulates it for node 10.0.0.2, VSID 4096, MAC address 00-15-5D-00-00-02
    win-1: adapter vEthernet (Ethernet) sends it to next hop 10.0.0.2
    win-2: virtual switch flannel.4096 sends it to a local endpoint
    win-2: port endpoint pod-2 drops it]
  `);
});
