import { describe, expect, test } from 'vitest';
import type { NodeState } from '../../../../src/cli/path/node-state.ts';
import type { Packet } from '../../../../src/cli/path/packet.ts';
import type { ConnectionState } from '../../../../src/cli/path/path.ts';
import type { ObservedEndpoint } from '../../../../src/hcn/documents.ts';
import { bridgeState, overlayState, withPolicy } from '../../../cluster/states.ts';
import { pathTexts } from './path-text.ts';

const ports = { protocol: 6, sourcePort: 50_000, destinationPort: 80 };

/** The paths of a packet of the node, which chooses the source unless it is given. */
function fromNode(node: NodeState, destination: string, source = '') {
  return pathTexts(node, { from: 'node', packet: { source, destination, ...ports } });
}

/** The paths of a packet from the physical network. */
function fromOutside(node: NodeState, destination: string, source = '10.0.0.9', interfaceIndex = 5) {
  return pathTexts(node, {
    from: 'cable',
    frame: { interfaceIndex, nextHop: '10.0.0.1', packet: { source, destination, ...ports } },
  });
}

const bridge = bridgeState(1);
const overlay = overlayState(1);
const withRoute = (
  node: NodeState,
  prefix: string,
  nextHop: string,
  metric: number,
  interfaceIndex = 5,
): NodeState => ({
  ...node,
  routes: [...node.routes, { interfaceIndex, prefix, nextHop, metric }],
});
/** A node that may forward on some interfaces. */
const forwarding = (...isEnabled: readonly (readonly [index: number, isEnabled: boolean])[]) =>
  bridgeState(1, { forwarding: isEnabled.map(([index, on]) => ({ index, family: 'IPv4', isEnabled: on })) });
const dualStack: NodeState = withRoute(
  withRoute(
    {
      ...bridge,
      adapters: bridge.adapters.map((one) =>
        one.index === 5 ? { ...one, addresses: [...one.addresses, { address: 'fd00::1', length: 64 }] } : one,
      ),
    },
    'fd00::/64',
    '::',
    256,
  ),
  '::/0',
  'fe80::1',
  256,
);
const fastHostInterface: NodeState = {
  ...bridge,
  adapters: bridge.adapters.map((one) => (one.index === 9 ? { ...one, metric: 1 } : one)),
};

/** The node has sent a packet with its own address for another sender; this is the reply. */
const before: Packet = {
  source: '10.0.0.9',
  destination: '10.96.0.10',
  protocol: 6,
  sourcePort: 80,
  destinationPort: 50_000,
};
const after: Packet = { ...before, source: '10.0.0.1', destination: '10.244.2.5' };
const reply: Packet = { source: '10.244.2.5', destination: '10.0.0.1', ...ports };
const byBalancer = (changes: Partial<Packet> = {}): ConnectionState => ({
  translations: [{ by: 'load balancer', before: { ...before, ...changes }, after }],
  ports: [],
});
const returning = (state: ConnectionState, changes: Partial<Packet> = {}) =>
  pathTexts(
    bridge,
    { from: 'cable', frame: { interfaceIndex: 5, nextHop: '10.0.0.1', packet: { ...reply, ...changes } } },
    state,
  );

const natGateway = bridgeState(1, {
  network: {
    Type: 'NAT',
    Ipams: [
      {
        Subnets: [
          {
            IpAddressPrefix: '10.244.1.0/24',
            Routes: [{ NextHop: '10.244.1.2', DestinationPrefix: '0.0.0.0/0' }],
          },
        ],
      },
    ],
  },
});
const onlyPods = (node: NodeState): NodeState => ({
  ...node,
  inventory: { ...node.inventory, endpoints: node.inventory.endpoints.slice(0, 1) },
});
const transparent = bridgeState(1, { network: { Type: 'Transparent' } });
/** A Transparent network in the subnet of the node. */
const sharedSwitch: NodeState = onlyPods({
  ...transparent,
  adapters: transparent.adapters
    .filter(({ index }) => index === 5)
    .map((one) => ({ ...one, addresses: [...one.addresses, { address: '10.244.1.200', length: 24 }] })),
  routes: [{ interfaceIndex: 5, prefix: '10.244.1.0/24', nextHop: '0.0.0.0', metric: 1 }],
});
const secondOnSwitch: NodeState = {
  ...sharedSwitch,
  inventory: {
    ...sharedSwitch.inventory,
    networks: [
      ...sharedSwitch.inventory.networks.map((one) => ({ ...one, ID: 'first', Name: 'first' })),
      ...sharedSwitch.inventory.networks,
    ],
  },
};
const remoteWithNodeAddress: ObservedEndpoint = {
  ID: 'remote',
  Name: 'remote',
  Flags: 1,
  HostComputeNetwork: 'bridge-1',
  IpConfigurations: [{ IpAddress: '10.0.0.1', PrefixLength: 24 }],
  SchemaVersion: { Major: 2, Minor: 0 },
};

describe('a packet of the node', () => {
  test.each<[string, () => readonly (readonly string[])[], readonly (readonly string[])[]]>([
    [
      'to a loopback address arrives at the node',
      () => fromNode(bridge, '127.0.0.1'),
      [
        [
          'node IP stack: receives it (-, documented)',
          'arrives: The node receives it. :50000 -> 127.0.0.1:80/tcp',
        ],
      ],
    ],
    [
      'to an IPv6 loopback address arrives at the node',
      () => fromNode(bridge, '::1'),
      [
        [
          'node IP stack: receives it (-, documented)',
          'arrives: The node receives it. :50000 -> [::1]:80/tcp',
        ],
      ],
    ],
    [
      'to an address of the node arrives at the node',
      () => fromNode(bridge, '10.0.0.1'),
      [
        [
          'node IP stack: receives it (-, documented)',
          'arrives: The node receives it. :50000 -> 10.0.0.1:80/tcp',
        ],
      ],
    ],
    [
      'is lost without a route',
      () => fromNode({ ...bridge, routes: [] }, '8.8.8.8'),
      [
        [
          'node IP stack: drops it (-, documented)',
          'lost: The node has no route to 8.8.8.8. :50000 -> 8.8.8.8:80/tcp',
        ],
      ],
    ],
    [
      'has the address of the interface that sends it',
      () => fromNode(bridge, '8.8.8.8'),
      [
        [
          'node IP stack: sends it to next hop 10.0.0.254 (route 0.0.0.0/0 via 10.0.0.254 on interface 5, documented)',
          'adapter vEthernet (Ethernet): sends it to next hop 10.0.0.254 (route 0.0.0.0/0 via 10.0.0.254 on interface 5, documented)',
          'leaves: It leaves the node to next hop 10.0.0.254. 10.0.0.1:50000 -> 8.8.8.8:80/tcp',
        ],
      ],
    ],
    [
      'keeps a source that it already has',
      () => fromNode(bridge, '8.8.8.8', '10.244.1.2'),
      [
        [
          'node IP stack: sends it to next hop 10.0.0.254 (route 0.0.0.0/0 via 10.0.0.254 on interface 5, documented)',
          'adapter vEthernet (Ethernet): sends it to next hop 10.0.0.254 (route 0.0.0.0/0 via 10.0.0.254 on interface 5, documented)',
          'leaves: It leaves the node to next hop 10.0.0.254. 10.244.1.2:50000 -> 8.8.8.8:80/tcp',
        ],
      ],
    ],
    [
      'to a host in the subnet of the node is sent on-link',
      () => fromNode(bridge, '10.0.0.7'),
      [
        [
          'node IP stack: sends it on-link (route 10.0.0.0/24 on-link on interface 5, documented)',
          'adapter vEthernet (Ethernet): sends it to next hop 10.0.0.7 (route 10.0.0.0/24 on-link on interface 5, documented)',
          'leaves: It leaves the node to next hop 10.0.0.7. 10.0.0.1:50000 -> 10.0.0.7:80/tcp',
        ],
      ],
    ],
    [
      'to an IPv6 host in the subnet of the node is sent on-link',
      () => fromNode(dualStack, 'fd00::7'),
      [
        [
          'node IP stack: sends it on-link (route fd00::/64 on-link on interface 5, documented)',
          'adapter vEthernet (Ethernet): sends it to next hop fd00::7 (route fd00::/64 on-link on interface 5, documented)',
          'leaves: It leaves the node to next hop fd00::7. [fd00::1]:50000 -> [fd00::7]:80/tcp',
        ],
      ],
    ],
    [
      'to an IPv6 host elsewhere has the IPv6 address of the interface',
      () => fromNode(dualStack, '2001:db8::7'),
      [
        [
          'node IP stack: sends it to next hop fe80::1 (route ::/0 via fe80::1 on interface 5, documented)',
          'adapter vEthernet (Ethernet): sends it to next hop fe80::1 (route ::/0 via fe80::1 on interface 5, documented)',
          'leaves: It leaves the node to next hop fe80::1. [fd00::1]:50000 -> [2001:db8::7]:80/tcp',
        ],
      ],
    ],
    [
      'takes the route with the lowest metric of the longest prefix',
      () => fromNode(withRoute(bridge, '10.244.2.0/24', '10.0.0.3', 255), '10.244.2.5'),
      [
        [
          'node IP stack: sends it to next hop 10.0.0.3 (route 10.244.2.0/24 via 10.0.0.3 on interface 5, documented)',
          'adapter vEthernet (Ethernet): sends it to next hop 10.0.0.3 (route 10.244.2.0/24 via 10.0.0.3 on interface 5, documented)',
          'leaves: It leaves the node to next hop 10.0.0.3. 10.0.0.1:50000 -> 10.244.2.5:80/tcp',
        ],
      ],
    ],
    [
      'takes the route with the lowest sum of its metric and that of its interface',
      () => fromNode(withRoute(fastHostInterface, '10.244.2.0/24', '10.244.1.9', 257, 9), '10.244.2.5'),
      [
        [
          'node IP stack: sends it to next hop 10.244.1.9 (route 10.244.2.0/24 via 10.244.1.9 on interface 9, documented)',
          'virtual switch cbr0: sends it to the physical network (-, documented)',
          'leaves: It leaves the node to next hop 10.244.1.9. 10.244.1.2:50000 -> 10.244.2.5:80/tcp',
        ],
      ],
    ],
    [
      'takes a route that exists twice',
      () => fromNode(withRoute(bridge, '10.244.2.0/24', '10.0.0.2', 256), '10.244.2.5'),
      [
        [
          'node IP stack: sends it to next hop 10.0.0.2 (route 10.244.2.0/24 via 10.0.0.2 on interface 5, documented)',
          'adapter vEthernet (Ethernet): sends it to next hop 10.0.0.2 (route 10.244.2.0/24 via 10.0.0.2 on interface 5, documented)',
          'leaves: It leaves the node to next hop 10.0.0.2. 10.0.0.1:50000 -> 10.244.2.5:80/tcp',
        ],
      ],
    ],
    [
      'has an unknown path if equal routes have other next hops',
      () => fromNode(withRoute(bridge, '10.244.2.0/24', '10.0.0.3', 256), '10.244.2.5'),
      [
        [
          'node IP stack: sends it (10.244.2.0/24 via 10.0.0.2 on interface 5 and 10.244.2.0/24 via 10.0.0.3 on interface 5, documented)',
          'unknown: Several routes of the node are equally good. :50000 -> 10.244.2.5:80/tcp',
        ],
      ],
    ],
    [
      'has an unknown path if equal routes have other interfaces',
      () => fromNode(withRoute(bridge, '10.244.2.0/24', '10.0.0.2', 256, 9), '10.244.2.5'),
      [
        [
          'node IP stack: sends it (10.244.2.0/24 via 10.0.0.2 on interface 5 and 10.244.2.0/24 via 10.0.0.2 on interface 9, documented)',
          'unknown: Several routes of the node are equally good. :50000 -> 10.244.2.5:80/tcp',
        ],
      ],
    ],
    [
      'has no source if the interface of the route is unknown',
      () => fromNode(withRoute(bridge, '10.244.2.0/24', '10.0.0.3', 1, 77), '10.244.2.5'),
      [
        [
          'node IP stack: sends it to next hop 10.0.0.3 (route 10.244.2.0/24 via 10.0.0.3 on interface 77, documented)',
          'adapter interface 77: sends it to next hop 10.0.0.3 (route 10.244.2.0/24 via 10.0.0.3 on interface 77, documented)',
          'leaves: It leaves the node to next hop 10.0.0.3. :50000 -> 10.244.2.5:80/tcp',
        ],
      ],
    ],
    [
      'to a pod of a NAT network goes through the interface with the gateway of the network',
      () => fromNode(onlyPods(natGateway), '10.244.1.5'),
      [
        [
          'node IP stack: sends it on-link (route 10.244.1.0/24 on-link on interface 9, documented)',
          'virtual switch cbr0: sends it to a local endpoint (-, documented)',
          'port endpoint pod-1: allows it (no ACL, documented)',
          'pod endpoint pod-1: receives it (-, documented)',
          'arrives: The pod receives it. 10.244.1.2:50000 -> 10.244.1.5:80/tcp',
        ],
      ],
    ],
    [
      'to a pod of a network on the same switch goes through that switch',
      () => fromNode(sharedSwitch, '10.244.1.5'),
      [
        [
          'node IP stack: sends it on-link (route 10.244.1.0/24 on-link on interface 5, documented)',
          'virtual switch cbr0: sends it to a local endpoint (-, documented)',
          'port endpoint pod-1: allows it (no ACL, documented)',
          'pod endpoint pod-1: receives it (-, documented)',
          'arrives: The pod receives it. 10.0.0.1:50000 -> 10.244.1.5:80/tcp',
        ],
      ],
    ],
    [
      'to a pod of a second network on the same switch goes through that network',
      () => fromNode(secondOnSwitch, '10.244.1.5'),
      [
        [
          'node IP stack: sends it on-link (route 10.244.1.0/24 on-link on interface 5, documented)',
          'virtual switch cbr0: sends it to a local endpoint (-, documented)',
          'port endpoint pod-1: allows it (no ACL, documented)',
          'pod endpoint pod-1: receives it (-, documented)',
          'arrives: The pod receives it. 10.0.0.1:50000 -> 10.244.1.5:80/tcp',
        ],
      ],
    ],
    [
      'to another host of the same switch leaves by the adapter',
      () => fromNode(sharedSwitch, '10.244.1.6'),
      [
        [
          'node IP stack: sends it on-link (route 10.244.1.0/24 on-link on interface 5, documented)',
          'adapter vEthernet (Ethernet): sends it to next hop 10.244.1.6 (route 10.244.1.0/24 on-link on interface 5, documented)',
          'leaves: It leaves the node to next hop 10.244.1.6. 10.0.0.1:50000 -> 10.244.1.6:80/tcp',
        ],
      ],
    ],
    [
      'leaves by the adapter whose address only a remote endpoint has',
      () => fromNode(bridgeState(1, { others: [remoteWithNodeAddress] }), '10.0.0.7'),
      [
        [
          'node IP stack: sends it on-link (route 10.0.0.0/24 on-link on interface 5, documented)',
          'adapter vEthernet (Ethernet): sends it to next hop 10.0.0.7 (route 10.0.0.0/24 on-link on interface 5, documented)',
          'leaves: It leaves the node to next hop 10.0.0.7. 10.0.0.1:50000 -> 10.0.0.7:80/tcp',
        ],
      ],
    ],
  ])('%s', (_, actual, expected) => {
    expect(actual()).toEqual(expected);
  });
});

describe('a packet of the node for an Overlay network', () => {
  test.each<[string, () => readonly (readonly string[])[], readonly (readonly string[])[]]>([
    [
      'reaches a pod with HostRoute, with the provider address as source',
      () => fromNode(overlay, '10.244.1.5'),
      [
        [
          'node IP stack: sends it to network "flannel.4096" (HostRoute, reported)',
          'virtual switch flannel.4096: sends it to a local endpoint (-, documented)',
          'port endpoint pod-1: allows it (no ACL, documented)',
          'pod endpoint pod-1: receives it (-, documented)',
          'arrives: The pod receives it. 10.0.0.1:50000 -> 10.244.1.5:80/tcp',
        ],
      ],
    ],
    [
      'keeps a source that it already has',
      () => fromNode(overlay, '10.244.1.5', '10.0.0.8'),
      [
        [
          'node IP stack: sends it to network "flannel.4096" (HostRoute, reported)',
          'virtual switch flannel.4096: sends it to a local endpoint (-, documented)',
          'port endpoint pod-1: allows it (no ACL, documented)',
          'pod endpoint pod-1: receives it (-, documented)',
          'arrives: The pod receives it. 10.0.0.8:50000 -> 10.244.1.5:80/tcp',
        ],
      ],
    ],
    [
      'has no source without a provider address',
      () => fromNode(withPolicy(overlay, 'ProviderAddress'), '10.244.1.5'),
      [
        [
          'node IP stack: sends it to network "flannel.4096" (HostRoute, reported)',
          'virtual switch flannel.4096: sends it to a local endpoint (-, documented)',
          'port endpoint pod-1: allows it (no ACL, documented)',
          'pod endpoint pod-1: receives it (-, documented)',
          'arrives: The pod receives it. :50000 -> 10.244.1.5:80/tcp',
        ],
      ],
    ],
    [
      'does not reach a pod without HostRoute',
      () => fromNode(withPolicy(overlay, 'HostRoute'), '10.244.1.5'),
      [
        [
          'node IP stack: drops it (no HostRoute, reported)',
          'lost: Network "flannel.4096" has no HostRoute policy: the node does not reach its pods. 10.0.0.1:50000 -> 10.244.1.5:80/tcp',
        ],
      ],
    ],
    [
      'may reach a remote subnet without HostRoute',
      () => fromNode(withPolicy(overlay, 'HostRoute'), '10.244.2.5'),
      [
        [
          'node IP stack: may send it to network "flannel.4096" (no HostRoute, reported)',
          'virtual switch flannel.4096: may encapsulate it (RemoteSubnetRoute 10.244.2.0/24, reported)',
          'unknown: Reports conflict on whether the node itself reaches remote subnets of an Overlay network (flannel-io/flannel#1096, projectcalico/calico#8569). 10.0.0.1:50000 -> 10.244.2.5:80/tcp',
        ],
      ],
    ],
    [
      'takes a route of the node that is more specific',
      () => fromNode(withRoute(overlay, '10.244.1.5/32', '10.0.0.7', 1), '10.244.1.5'),
      [
        [
          'node IP stack: sends it to next hop 10.0.0.7 (route 10.244.1.5/32 via 10.0.0.7 on interface 5, documented)',
          'adapter vEthernet (Ethernet): sends it to next hop 10.0.0.7 (route 10.244.1.5/32 via 10.0.0.7 on interface 5, documented)',
          'leaves: It leaves the node to next hop 10.0.0.7. 10.0.0.1:50000 -> 10.244.1.5:80/tcp',
        ],
      ],
    ],
    [
      'takes an on-link route of the node that is more specific',
      () => fromNode(withRoute(overlay, '10.244.1.5/32', '0.0.0.0', 1), '10.244.1.5'),
      [
        [
          'node IP stack: sends it on-link (route 10.244.1.5/32 on-link on interface 5, documented)',
          'adapter vEthernet (Ethernet): sends it to next hop 10.244.1.5 (route 10.244.1.5/32 on-link on interface 5, documented)',
          'leaves: It leaves the node to next hop 10.244.1.5. 10.0.0.1:50000 -> 10.244.1.5:80/tcp',
        ],
      ],
    ],
    [
      'takes a route of the node with the same prefix',
      () => fromNode(withRoute(overlay, '10.244.1.0/24', '10.0.0.7', 1), '10.244.1.5'),
      [
        [
          'node IP stack: sends it to next hop 10.0.0.7 (route 10.244.1.0/24 via 10.0.0.7 on interface 5, documented)',
          'adapter vEthernet (Ethernet): sends it to next hop 10.0.0.7 (route 10.244.1.0/24 via 10.0.0.7 on interface 5, documented)',
          'leaves: It leaves the node to next hop 10.0.0.7. 10.0.0.1:50000 -> 10.244.1.5:80/tcp',
        ],
      ],
    ],
    [
      'does not take a route of the node with a shorter prefix',
      () => fromNode(withRoute(overlay, '10.244.0.0/16', '10.0.0.7', 1), '10.244.1.5'),
      [
        [
          'node IP stack: sends it to network "flannel.4096" (HostRoute, reported)',
          'virtual switch flannel.4096: sends it to a local endpoint (-, documented)',
          'port endpoint pod-1: allows it (no ACL, documented)',
          'pod endpoint pod-1: receives it (-, documented)',
          'arrives: The pod receives it. 10.0.0.1:50000 -> 10.244.1.5:80/tcp',
        ],
      ],
    ],
    [
      'takes the routes of the node if the network is of another type',
      () => fromNode(overlayState(1, { network: { Type: 'L2Bridge' } }), '10.244.1.5'),
      [
        [
          'node IP stack: sends it to next hop 10.0.0.254 (route 0.0.0.0/0 via 10.0.0.254 on interface 5, documented)',
          'adapter vEthernet (Ethernet): sends it to next hop 10.0.0.254 (route 0.0.0.0/0 via 10.0.0.254 on interface 5, documented)',
          'leaves: It leaves the node to next hop 10.0.0.254. 10.0.0.1:50000 -> 10.244.1.5:80/tcp',
        ],
      ],
    ],
    [
      'from outside has an unknown path',
      () => fromOutside(overlay, '10.244.1.5'),
      [
        [
          'node IP stack: sends it to network "flannel.4096" (HostRoute, reported)',
          'unknown: Whether a node forwards packets of others to an Overlay network is not documented. 10.0.0.9:50000 -> 10.244.1.5:80/tcp',
        ],
      ],
    ],
  ])('%s', (_, actual, expected) => {
    expect(actual()).toEqual(expected);
  });
});

describe('a packet from outside', () => {
  test.each<[string, () => readonly (readonly string[])[], readonly (readonly string[])[]]>([
    [
      'to an address of the node arrives at the node',
      () => fromOutside(bridge, '10.0.0.1'),
      [
        [
          'node IP stack: receives it (-, documented)',
          'arrives: The node receives it. 10.0.0.9:50000 -> 10.0.0.1:80/tcp',
        ],
      ],
    ],
    [
      'with an address of the node as source has an unknown path',
      () => fromOutside(bridge, '10.0.0.1', '10.244.1.2'),
      [
        [
          'node IP stack: receives it (-, documented)',
          "unknown: The source 10.244.1.2 is the node's own address, and what the node does with such a packet is not documented. 10.244.1.2:50000 -> 10.0.0.1:80/tcp",
        ],
      ],
    ],
    [
      'is lost without a route',
      () => fromOutside({ ...bridge, routes: [] }, '8.8.8.8'),
      [
        [
          'node IP stack: drops it (-, documented)',
          'lost: The node has no route to 8.8.8.8. 10.0.0.9:50000 -> 8.8.8.8:80/tcp',
        ],
      ],
    ],
    [
      'is forwarded with its own source',
      () => fromOutside(bridge, '8.8.8.8'),
      [
        [
          'node IP stack: sends it to next hop 10.0.0.254 (route 0.0.0.0/0 via 10.0.0.254 on interface 5, documented)',
          'adapter vEthernet (Ethernet): sends it to next hop 10.0.0.254 (route 0.0.0.0/0 via 10.0.0.254 on interface 5, documented)',
          'leaves: It leaves the node to next hop 10.0.0.254. 10.0.0.9:50000 -> 8.8.8.8:80/tcp',
        ],
      ],
    ],
    [
      'for a pod is forwarded to the virtual switch',
      () => fromOutside(bridge, '10.244.1.5'),
      [
        [
          'node IP stack: sends it on-link (route 10.244.1.0/24 on-link on interface 9, documented)',
          'virtual switch cbr0: sends it to a local endpoint (-, documented)',
          'port endpoint pod-1: allows it (no ACL, documented)',
          'pod endpoint pod-1: receives it (-, documented)',
          'arrives: The pod receives it. 10.0.0.9:50000 -> 10.244.1.5:80/tcp',
        ],
      ],
    ],
    [
      'is lost if the receiving interface does not forward',
      () => fromOutside(forwarding([5, false], [9, true]), '10.244.1.5'),
      [
        [
          'node IP stack: drops it (route 10.244.1.0/24 on-link on interface 9, documented)',
          'lost: IPv4 forwarding is disabled on "vEthernet (Ethernet)". 10.0.0.9:50000 -> 10.244.1.5:80/tcp',
        ],
      ],
    ],
    [
      'is lost if the sending interface does not forward',
      () => fromOutside(forwarding([5, true], [9, false]), '10.244.1.5'),
      [
        [
          'node IP stack: drops it (route 10.244.1.0/24 on-link on interface 9, documented)',
          'lost: IPv4 forwarding is disabled on "vEthernet (cbr0_ep)". 10.0.0.9:50000 -> 10.244.1.5:80/tcp',
        ],
      ],
    ],
    [
      'has an unknown path if forwarding of the sending interface is unknown',
      () => fromOutside(forwarding([5, true]), '10.244.1.5'),
      [
        [
          'node IP stack: may forward it (route 10.244.1.0/24 on-link on interface 9, documented)',
          'unknown: Whether IPv4 forwarding is enabled on "vEthernet (cbr0_ep)" is not known. 10.0.0.9:50000 -> 10.244.1.5:80/tcp',
        ],
      ],
    ],
    [
      'has an unknown path if forwarding of the receiving interface is unknown',
      () => fromOutside(forwarding([9, true]), '10.244.1.5', '10.0.0.9', 77),
      [
        [
          'node IP stack: may forward it (route 10.244.1.0/24 on-link on interface 9, documented)',
          'unknown: Whether IPv4 forwarding is enabled on "interface 77" is not known. 10.0.0.9:50000 -> 10.244.1.5:80/tcp',
        ],
      ],
    ],
    [
      'has an unknown path if forwarding of its family is unknown',
      () => fromOutside(dualStack, '2001:db8::7', 'fd00::8'),
      [
        [
          'node IP stack: may forward it (route ::/0 via fe80::1 on interface 5, documented)',
          'unknown: Whether IPv6 forwarding is enabled on "vEthernet (Ethernet)" is not known. [fd00::8]:50000 -> [2001:db8::7]:80/tcp',
        ],
      ],
    ],
  ])('%s', (_, actual, expected) => {
    expect(actual()).toEqual(expected);
  });
});

describe('a reply to a packet that the node translated', () => {
  test.each<[string, () => readonly (readonly string[])[], readonly (readonly string[])[]]>([
    [
      'for a load balancer returns to the client',
      () => returning(byBalancer()),
      [
        [
          'node IP stack: reverses the translation by load balancer (load balancer, source)',
          'adapter vEthernet (Ethernet): sends it to next hop 10.0.0.9 (route 10.0.0.0/24 on-link on interface 5, documented)',
          'leaves: It leaves the node to next hop 10.0.0.9. 10.96.0.10:50000 -> 10.0.0.9:80/tcp',
        ],
      ],
    ],
    [
      'for a load balancer arrives at the node that sent the packet',
      () => returning(byBalancer({ source: '10.244.1.2' })),
      [
        [
          'node IP stack: receives it (-, documented)',
          'arrives: The node receives it. 10.96.0.10:50000 -> 10.244.1.2:80/tcp',
        ],
      ],
    ],
    [
      'for a port of the virtual switch returns to that port',
      () =>
        returning({
          translations: [
            { endpoint: 'pod-1', by: 'OutBoundNAT', before: { ...before, source: '10.244.1.5' }, after },
          ],
          ports: ['pod-1'],
        }),
      [
        [
          'node IP stack: returns the reply to the port that translated the packet (OutBoundNAT, source)',
          'port endpoint pod-1: reverses the translation by OutBoundNAT (the port knows the connection, source)',
          'pod endpoint pod-1: receives it (-, documented)',
          'arrives: The pod receives it. 10.96.0.10:50000 -> 10.244.1.5:80/tcp',
        ],
      ],
    ],
    [
      'is not translated by a port that kept the source',
      () =>
        returning({
          translations: [
            { endpoint: 'pod-1', by: 'PortMapping', before: { ...after, destination: '10.0.0.7' }, after },
          ],
          ports: ['pod-1'],
        }),
      [
        [
          'node IP stack: receives it (-, documented)',
          'arrives: The node receives it. 10.244.2.5:50000 -> 10.0.0.1:80/tcp',
        ],
      ],
    ],
    [
      'is not translated for another port',
      () => returning(byBalancer(), { destinationPort: 81 }),
      [
        [
          'node IP stack: receives it (-, documented)',
          'arrives: The node receives it. 10.244.2.5:50000 -> 10.0.0.1:81/tcp',
        ],
      ],
    ],
    [
      'is not translated for another protocol',
      () => returning(byBalancer(), { protocol: 17 }),
      [
        [
          'node IP stack: receives it (-, documented)',
          'arrives: The node receives it. 10.244.2.5:50000 -> 10.0.0.1:80/udp',
        ],
      ],
    ],
    [
      'is not translated from another host',
      () => returning(byBalancer(), { source: '10.244.2.6' }),
      [
        [
          'node IP stack: receives it (-, documented)',
          'arrives: The node receives it. 10.244.2.6:50000 -> 10.0.0.1:80/tcp',
        ],
      ],
    ],
    [
      'is not translated from another port',
      () => returning(byBalancer(), { sourcePort: 50_001 }),
      [
        [
          'node IP stack: receives it (-, documented)',
          'arrives: The node receives it. 10.244.2.5:50001 -> 10.0.0.1:80/tcp',
        ],
      ],
    ],
    [
      'is not translated if the node itself sends it',
      () => pathTexts(bridge, { from: 'node', packet: reply }, byBalancer()),
      [
        [
          'node IP stack: receives it (-, documented)',
          'arrives: The node receives it. 10.244.2.5:50000 -> 10.0.0.1:80/tcp',
        ],
      ],
    ],
  ])('%s', (_, actual, expected) => {
    expect(actual()).toEqual(expected);
  });
});

describe('the interface of a network is found', () => {
  const lines = (node: NodeState, destination: string) =>
    fromNode(node, destination).map((path) => path.slice(0, 2));
  const onSwitch = (index: number, name = 'cbr0') => [
    [
      `node IP stack: sends it on-link (route 10.244.1.0/24 on-link on interface ${index}, documented)`,
      `virtual switch ${name}: sends it to a local endpoint (-, documented)`,
    ],
  ];
  const withAddresses = (node: NodeState, index: number, ...more: readonly string[]): NodeState => ({
    ...node,
    adapters: node.adapters.map((one) =>
      one.index === index
        ? { ...one, addresses: [...one.addresses, ...more.map((address) => ({ address, length: 64 }))] }
        : one,
    ),
  });
  const natNetwork = onlyPods(
    bridgeState(1, {
      network: {
        Type: 'NAT',
        Ipams: [
          {
            Subnets: [
              {
                IpAddressPrefix: '10.243.0.0/24',
                Routes: [{ NextHop: '10.243.0.1', DestinationPrefix: '0.0.0.0/0' }],
              },
            ],
          },
          {
            Subnets: [
              {
                IpAddressPrefix: '10.244.1.0/24',
                Routes: [
                  { NextHop: '10.244.1.1', DestinationPrefix: '10.0.0.0/8' },
                  { NextHop: '10.244.1.2', DestinationPrefix: '0.0.0.0/0' },
                ],
              },
            ],
          },
        ],
      },
    }),
  );

  test('by one of the addresses of its host endpoint', () => {
    const node = withAddresses(bridge, 9, 'fe80::9');
    const endpoints = node.inventory.endpoints.map((one) =>
      one.ID === 'host-1'
        ? { ...one, IpConfigurations: [{ IpAddress: 'fd00:1::2' }, { IpAddress: '10.244.1.2' }] }
        : one,
    );
    expect(lines({ ...node, inventory: { ...node.inventory, endpoints } }, '10.244.1.5')).toEqual(
      onSwitch(9),
    );
  });

  test('by one of the gateways of one of its subnets', () => {
    expect(lines(natNetwork, '10.244.1.5')).toEqual(onSwitch(9));
  });

  test('before another network with the same gateway', () => {
    const networks = [...natNetwork.inventory.networks, ...natNetwork.inventory.networks].map((one, index) =>
      index === 0 ? one : { ...one, ID: 'last', Name: 'last' },
    );
    expect(lines({ ...natNetwork, inventory: { ...natNetwork.inventory, networks } }, '10.244.1.5')).toEqual(
      onSwitch(9),
    );
  });

  test('before another network on the same switch whose endpoint has the address', () => {
    const [first] = sharedSwitch.inventory.networks;
    const [own] = sharedSwitch.inventory.endpoints;
    if (first === undefined || own === undefined) throw new Error('no network');
    const networks = [first, { ...first, ID: 'last', Name: 'last' }];
    const endpoints = [own, { ...own, ID: 'pod-2', HostComputeNetwork: 'last' }];
    const node = { ...sharedSwitch, inventory: { ...sharedSwitch.inventory, networks, endpoints } };
    expect(lines(node, '10.244.1.5')).toEqual(onSwitch(5));
  });

  test('by the first endpoint that has its address', () => {
    const others = [{ ...remoteWithNodeAddress, ID: 'last', Flags: 0, HostComputeNetwork: 'last' }].map(
      (one) => ({ ...one, IpConfigurations: [{ IpAddress: '10.244.1.2', PrefixLength: 24 }] }),
    );
    const node = bridgeState(1, { others });
    const [first] = node.inventory.networks;
    if (first === undefined) throw new Error('no network');
    const networks = [first, { ...first, ID: 'last', Name: 'last' }];
    expect(lines({ ...node, inventory: { ...node.inventory, networks } }, '10.244.1.5')).toEqual(onSwitch(9));
  });
});

test('the reply to a packet of the node, of which a load balancer changed only the destination, is reversed', () => {
  const state: ConnectionState = {
    translations: [{ by: 'load balancer', before: { ...before, source: '10.0.0.1' }, after }],
    ports: [],
  };
  expect(returning(state)).toEqual([
    [
      'node IP stack: receives it (-, documented)',
      'arrives: The node receives it. 10.96.0.10:50000 -> 10.0.0.1:80/tcp',
    ],
  ]);
});

describe('the source of a packet of the node is', () => {
  test('the first address of the interface', () => {
    const node = {
      ...bridge,
      adapters: bridge.adapters.map((one) => ({
        ...one,
        addresses: [
          { address: 'fd00::5', length: 64 },
          ...one.addresses,
          { address: '10.9.9.9', length: 24 },
        ],
      })),
    };
    expect(fromNode(node, '8.8.8.8').flat().at(-1)).toBe(
      'leaves: It leaves the node to next hop 10.0.0.254. 10.0.0.1:50000 -> 8.8.8.8:80/tcp',
    );
  });
});

describe('the metric of an unknown interface', () => {
  test('counts as 0', () => {
    const node = withRoute(bridge, '0.0.0.0/0', '10.0.0.253', 15, 77);
    expect(fromNode(node, '8.8.8.8').flat().at(-1)).toBe(
      'unknown: Several routes of the node are equally good. :50000 -> 8.8.8.8:80/tcp',
    );
  });
});

describe('a packet from the physical network', () => {
  test('for a loopback address is not received', () => {
    expect(fromOutside(bridge, '127.0.0.1')).toEqual([
      [
        'node IP stack: sends it to next hop 10.0.0.254 (route 0.0.0.0/0 via 10.0.0.254 on interface 5, documented)',
        'adapter vEthernet (Ethernet): sends it to next hop 10.0.0.254 (route 0.0.0.0/0 via 10.0.0.254 on interface 5, documented)',
        'leaves: It leaves the node to next hop 10.0.0.254. 10.0.0.9:50000 -> 127.0.0.1:80/tcp',
      ],
    ]);
  });
});

describe('of several Overlay networks', () => {
  const second = (IpAddressPrefix: string): NodeState => {
    const [first] = overlay.inventory.networks;
    if (first === undefined) throw new Error('no network');
    const network = { ...first, ID: 'second', Name: 'second', Ipams: [{ Subnets: [{ IpAddressPrefix }] }] };
    return { ...overlay, inventory: { ...overlay.inventory, networks: [first, network] } };
  };
  const networkFor = (node: NodeState) => fromNode(node, '10.244.1.5').map(([line]) => line);

  test('a packet of the node goes to that with the longest prefix', () => {
    expect(networkFor(second('10.244.1.0/28'))).toEqual([
      'node IP stack: sends it to network "second" (HostRoute, reported)',
    ]);
  });

  test('a packet of the node goes to the first of those with the same prefix', () => {
    expect(networkFor(second('10.244.1.0/24'))).toEqual([
      'node IP stack: sends it to network "flannel.4096" (HostRoute, reported)',
    ]);
  });
});
