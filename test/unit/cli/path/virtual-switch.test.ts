import { describe, expect, test } from 'vitest';
import type { NodeState } from '../../../../src/cli/path/node-state.ts';
import type { Packet } from '../../../../src/cli/path/packet.ts';
import type { ConnectionState } from '../../../../src/cli/path/path.ts';
import type { ObservedEndpoint } from '../../../../src/hcn/documents.ts';
import {
  bridgeState,
  overlayState,
  podNamespace,
  policy,
  remoteSubnet,
  withPolicy,
} from '../../../cluster/states.ts';
import { pathTexts } from './path-text.ts';

const SchemaVersion = { Major: 2, Minor: 0 };
const ports = { protocol: 6, sourcePort: 50_000, destinationPort: 80 };

/** The paths of a packet of the pod 10.244.1.5, from the virtual switch on. */
function fromPod(
  node: NodeState,
  destination: string,
  changes: Partial<Packet> = {},
  state?: ConnectionState,
) {
  const endpoint = node.inventory.endpoints.find(({ ID }) => ID === 'pod-1');
  if (endpoint === undefined) throw new Error('no pod');
  const packet = { source: '10.244.1.5', destination, ...ports, ...changes };
  return pathTexts(node, { from: 'pod', endpoint, packet }, state).map((path) =>
    path.slice(
      Math.max(
        0,
        path.findIndex((line) => line.startsWith('virtual switch')),
      ),
    ),
  );
}

const fromNode = (node: NodeState, destination: string) =>
  pathTexts(node, { from: 'node', packet: { source: '', destination, ...ports } });

const pod = (
  IpAddress: string,
  HostComputeNetwork: string,
  changes: Partial<ObservedEndpoint> = {},
): ObservedEndpoint => ({
  ID: `pod-${IpAddress}`,
  Name: 'other',
  HostComputeNetwork,
  HostComputeNamespace: podNamespace,
  IpConfigurations: [{ IpAddress, PrefixLength: 24 }],
  SchemaVersion,
  ...changes,
});
const hostNamespace = '4a2d0c8e-0b1c-4c5e-9a4f-000000000001';
const noNat = { Policies: [] };
const routedTo = (NextHop: string) => ({ Routes: [{ NextHop, DestinationPrefix: '0.0.0.0/0' }] });

const overlay = overlayState(1);
const emptyOverlay = overlayState(1, { endpoint: { HostComputeNamespace: '' } });
const remoteEndpoint = (provider?: string, changes: Partial<ObservedEndpoint> = {}) =>
  pod('10.244.2.5', 'overlay-1', {
    Flags: 1,
    Policies: provider === undefined ? [] : [policy('ProviderAddress', { ProviderAddress: provider })],
    ...changes,
  });
const twoGateways = overlayState(1, {
  network: {
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
            Routes: ['10.244.1.1', '10.244.1.3'].map((NextHop) => ({
              NextHop,
              DestinationPrefix: '0.0.0.0/0',
            })),
          },
        ],
      },
    ],
  },
});
/** A node with a second network. */
const withOther = (node: NodeState): NodeState => {
  const { networks } = node.inventory;
  const others = networks.map((one) => ({ ...one, ID: 'other', Name: 'other' }));
  return { ...node, inventory: { ...node.inventory, networks: [...networks, ...others] } };
};
type Row = [string, () => readonly (readonly string[])[], readonly (readonly string[])[]];
const withRemote = (...subnets: readonly ReturnType<typeof remoteSubnet>[]): NodeState => {
  const bare = withPolicy(overlay, 'RemoteSubnetRoute');
  const networks = bare.inventory.networks.map((network) => ({
    ...network,
    Policies: [...(network.Policies ?? []), ...subnets],
  }));
  return { ...bare, inventory: { ...bare.inventory, networks } };
};
const wide = remoteSubnet(2, { DestinationPrefix: '10.244.0.0/16', ProviderAddress: '10.0.0.9' });
const ipv6Pod = {
  Routes: [{ NextHop: 'fd00:1::1', DestinationPrefix: '::/0' }],
  IpConfigurations: [{ IpAddress: 'fd00:1::5', PrefixLength: 64 }],
};
const ipv6 = { source: 'fd00:1::5' };

const bridge = bridgeState(1);
/** A second network of the node with one pod. */
const secondNetwork = (Type: string, adapter: string): NodeState => {
  const state = bridgeState(1, { endpoint: routedTo('10.244.7.5'), others: [pod('10.244.7.5', 'second')] });
  const [first] = state.inventory.networks;
  if (first === undefined) throw new Error('no network');
  const second = {
    ...first,
    ID: 'second',
    Name: 'second',
    Type,
    Policies: [policy('NetAdapterName', { NetworkAdapterName: adapter })],
  };
  return { ...state, inventory: { ...state.inventory, networks: [first, second] } };
};
const inPodSubnet = (node: NodeState): NodeState => ({
  ...node,
  adapters: node.adapters.map((one) =>
    one.index === 5
      ? { ...one, addresses: [...one.addresses, { address: '10.244.1.200', length: 24 }] }
      : one,
  ),
});
/** A second adapter with the MAC address of the first. */
const secondUplink = (node: NodeState): NodeState => {
  const [first] = node.adapters;
  if (first === undefined) throw new Error('no adapter');
  const second = { ...first, index: 6, alias: 'Ethernet', addresses: [{ address: '10.7.0.1', length: 24 }] };
  return { ...node, adapters: [...node.adapters, second] };
};
const withSubnets = (...prefixes: readonly string[]) =>
  bridgeState(1, {
    network: { Ipams: [{ Subnets: prefixes.map((IpAddressPrefix) => ({ IpAddressPrefix })) }] },
  });
const dualStackHost: NodeState = {
  ...bridge,
  inventory: {
    ...bridge.inventory,
    namespaces: [],
    endpoints: bridge.inventory.endpoints.map((one) =>
      one.ID === 'host-1'
        ? { ...one, IpConfigurations: [{ IpAddress: 'fd00:1::2' }, { IpAddress: '10.244.1.2' }] }
        : one,
    ),
  },
};
const withoutUplink = (node: NodeState): NodeState => ({
  ...node,
  adapters: node.adapters.filter(({ index }) => index !== 5),
});

const nat = bridgeState(1, {
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
  endpoint: noNat,
  others: [pod('10.244.1.6', 'bridge-1')],
});
const ics = bridgeState(1, { network: { Type: 'ICS' }, endpoint: noNat });

/** A load balancer of the node has sent this packet with its source VIP. */
const before: Packet = {
  source: '10.0.0.9',
  destination: '10.96.0.10',
  protocol: 6,
  sourcePort: 80,
  destinationPort: 50_000,
};
const after: Packet = { ...before, source: '10.244.1.99', destination: '10.244.1.5' };
const balanced: ConnectionState = {
  translations: [{ by: 'load balancer', before, after }],
  ports: ['pod-1'],
};

describe('on an Overlay network, a packet of a pod', () => {
  test.each<[string, () => readonly (readonly string[])[], readonly (readonly string[])[]]>([
    [
      'for another pod reaches it by the virtual switch',
      () => fromPod(overlayState(1, { others: [pod('10.244.1.6', 'overlay-1')] }), '10.244.1.6'),
      [
        [
          'virtual switch flannel.4096: sends it to a local endpoint (-, documented)',
          'port endpoint pod-10.2: allows it (no ACL, documented)',
          'pod endpoint pod-10.2: receives it (-, documented)',
          'arrives: The pod receives it. 10.244.1.5:50000 -> 10.244.1.6:80/tcp',
        ],
      ],
    ],
    [
      'for an address that no endpoint has is lost',
      () => fromPod(overlay, '10.244.1.77'),
      [
        [
          'virtual switch flannel.4096: drops it (-, documented)',
          'lost: No endpoint of network "flannel.4096" has address 10.244.1.77. 10.244.1.5:50000 -> 10.244.1.77:80/tcp',
        ],
      ],
    ],
    [
      'for the gateway has an unknown path',
      () => fromPod(overlay, '10.244.1.1'),
      [
        [
          'virtual switch flannel.4096: may answer it (-, inferred)',
          'unknown: 10.244.1.1 is the gateway of the network, and HNS does not document how the distributed router handles packets for itself. 10.244.1.5:50000 -> 10.244.1.1:80/tcp',
        ],
      ],
    ],
    [
      'for an endpoint of the node reaches the node',
      () =>
        fromPod(
          inPodSubnet(
            overlayState(1, {
              others: [pod('10.244.1.200', 'overlay-1', { HostComputeNamespace: hostNamespace })],
            }),
          ),
          '10.244.1.200',
        ),
      [
        [
          'virtual switch flannel.4096: sends it to the node (-, documented)',
          'node IP stack: receives it (-, documented)',
          'arrives: The node receives it. 10.244.1.5:50000 -> 10.244.1.200:80/tcp',
        ],
      ],
    ],
    [
      'for the node may not reach it',
      () => fromPod(overlay, '10.0.0.1'),
      [
        [
          'virtual switch flannel.4096: may send it to the node (-, documented)',
          'unknown: Kubernetes documents that pods reach nodes, but pods of Overlay networks were observed not to reach their own node (flannel-io/flannel#1369). 10.0.0.1:50000 -> 10.0.0.1:80/tcp',
        ],
      ],
    ],
    [
      'that replies to the node reaches it',
      () => fromPod(overlay, '10.0.0.1', {}, { translations: [], ports: ['pod-1'] }),
      [
        [
          'virtual switch flannel.4096: sends the reply to the node (-, documented)',
          'node IP stack: receives it (-, documented)',
          'arrives: The node receives it. 10.244.1.5:50000 -> 10.0.0.1:80/tcp',
        ],
      ],
    ],
    [
      'for an IPv6 address has an unknown path',
      () => fromPod(overlayState(1, { endpoint: { ...noNat, ...ipv6Pod } }), 'fd00:2::5', ipv6),
      [
        [
          'virtual switch flannel.4096: may not forward it (-, documented)',
          'unknown: Kubernetes documents that Overlay networks do not support IPv6. [fd00:1::5]:50000 -> [fd00:2::5]:80/tcp',
        ],
      ],
    ],
    [
      'takes the longest prefix of the remote subnets',
      () => fromPod(withRemote(wide, remoteSubnet(2)), '10.244.2.5'),
      [
        [
          'virtual switch flannel.4096: encapsulates it for node 10.0.0.2 (RemoteSubnetRoute 10.244.2.0/24, source)',
          'adapter vEthernet (Ethernet): sends it to next hop 10.0.0.2 (route 10.0.0.0/24 on-link on interface 5, documented)',
          'leaves: It leaves the node to next hop 10.0.0.2. 10.244.1.5:50000 -> 10.244.2.5:80/tcp',
        ],
      ],
    ],
    [
      'takes a remote subnet that exists twice',
      () => fromPod(withRemote(remoteSubnet(2), remoteSubnet(2)), '10.244.2.5'),
      [
        [
          'virtual switch flannel.4096: encapsulates it for node 10.0.0.2 (RemoteSubnetRoute 10.244.2.0/24, source)',
          'adapter vEthernet (Ethernet): sends it to next hop 10.0.0.2 (route 10.0.0.0/24 on-link on interface 5, documented)',
          'leaves: It leaves the node to next hop 10.0.0.2. 10.244.1.5:50000 -> 10.244.2.5:80/tcp',
        ],
      ],
    ],
    [
      'has an unknown path if two remote subnets have other VSIDs',
      () => fromPod(withRemote(remoteSubnet(2), remoteSubnet(2, { IsolationId: 4097 })), '10.244.2.5'),
      [
        [
          'virtual switch flannel.4096: encapsulates it (-, documented)',
          'unknown: Several RemoteSubnetRoutes of 10.244.2.0/24 differ, and which one applies is not documented. 10.244.1.5:50000 -> 10.244.2.5:80/tcp',
        ],
      ],
    ],
    [
      'has an unknown path if two remote subnets have other MAC addresses',
      () =>
        fromPod(
          withRemote(remoteSubnet(2), remoteSubnet(2, { DistributedRouterMacAddress: '00-15-5D-00-00-09' })),
          '10.244.2.5',
        ),
      [
        [
          'virtual switch flannel.4096: encapsulates it (-, documented)',
          'unknown: Several RemoteSubnetRoutes of 10.244.2.0/24 differ, and which one applies is not documented. 10.244.1.5:50000 -> 10.244.2.5:80/tcp',
        ],
      ],
    ],
    [
      'has an unknown path if the remote subnet has no provider address',
      () => fromPod(withRemote(remoteSubnet(2, { ProviderAddress: undefined })), '10.244.2.5'),
      [
        [
          'virtual switch flannel.4096: encapsulates it (-, documented)',
          'unknown: The RemoteSubnetRoute of 10.244.2.0/24 has no valid ProviderAddress. 10.244.1.5:50000 -> 10.244.2.5:80/tcp',
        ],
      ],
    ],
    [
      'has an unknown path if the provider address is of this node',
      () => fromPod(withRemote(remoteSubnet(2, { ProviderAddress: '10.0.0.1' })), '10.244.2.5'),
      [
        [
          'virtual switch flannel.4096: may encapsulate it (RemoteSubnetRoute 10.244.2.0/24, inferred)',
          'unknown: The RemoteSubnetRoute leads to 10.0.0.1, an address of this node itself, and what HNS does then is not documented. 10.244.1.5:50000 -> 10.244.2.5:80/tcp',
        ],
      ],
    ],
    [
      'has an unknown path if only a remote endpoint has the destination',
      () =>
        fromPod(
          withPolicy(overlayState(1, { others: [remoteEndpoint('10.0.0.2')] }), 'RemoteSubnetRoute'),
          '10.244.2.5',
        ),
      [
        [
          'virtual switch flannel.4096: encapsulates it (-, documented)',
          'unknown: No RemoteSubnetRoute contains 10.244.2.5, only a remote endpoint has it: which MAC address HNS sends to is not documented. 10.244.1.5:50000 -> 10.244.2.5:80/tcp',
        ],
      ],
    ],
    [
      'ignores a remote endpoint without a provider address',
      () =>
        fromPod(
          withPolicy(overlayState(1, { others: [remoteEndpoint()] }), 'RemoteSubnetRoute'),
          '10.244.2.5',
        ),
      [
        [
          'virtual switch flannel.4096: sends it to the physical network without encapsulation (no RemoteSubnetRoute, reported)',
          'adapter vEthernet (Ethernet): sends it to next hop 10.0.0.254 (route 0.0.0.0/0 via 10.0.0.254 on interface 5, documented)',
          'leaves: It leaves the node to next hop 10.0.0.254. 10.244.1.5:50000 -> 10.244.2.5:80/tcp',
        ],
      ],
    ],
    [
      'has an unknown path without a provider address of its network',
      () => fromPod(withPolicy(overlay, 'ProviderAddress'), '10.244.2.5'),
      [
        [
          'virtual switch flannel.4096: encapsulates it (-, documented)',
          'unknown: Network "flannel.4096" has no ProviderAddress yet. 10.244.1.5:50000 -> 10.244.2.5:80/tcp',
        ],
      ],
    ],
    ...[
      remoteEndpoint('10.0.0.2', { HostComputeNetwork: 'other' }),
      remoteEndpoint('10.0.0.2', { IpConfigurations: [{ IpAddress: '10.244.2.6' }] }),
      remoteEndpoint('10.0.0.2', { Flags: 0, HostComputeNetwork: 'other' }),
    ].map(
      (endpoint): Row => [
        `ignores a remote endpoint of another network or address: ${JSON.stringify(endpoint.IpConfigurations)}`,
        () =>
          fromPod(withPolicy(overlayState(1, { others: [endpoint] }), 'RemoteSubnetRoute'), '10.244.2.5').map(
            (path) => path.slice(0, 1),
          ),
        [
          [
            'virtual switch flannel.4096: sends it to the physical network without encapsulation (no RemoteSubnetRoute, reported)',
          ],
        ],
      ],
    ),
    [
      'for a pod of another network with an address of a remote subnet leaves by VXLAN',
      () =>
        fromPod(withOther(overlayState(1, { others: [pod('10.244.2.5', 'other')] })), '10.244.2.5').map(
          (path) => path.slice(0, 1),
        ),
      [
        [
          'virtual switch flannel.4096: encapsulates it for node 10.0.0.2 (RemoteSubnetRoute 10.244.2.0/24, source)',
        ],
      ],
    ],
    [
      'for one of several gateways has an unknown path',
      () => fromPod(twoGateways, '10.244.1.1').map((path) => path.slice(0, 1)),
      [['virtual switch flannel.4096: may answer it (-, inferred)']],
    ],
    [
      'for a mapped port of the host endpoint reaches the node itself',
      () =>
        fromPod(
          inPodSubnet(
            overlayState(1, {
              others: [
                pod('10.244.1.200', 'overlay-1', { HostComputeNamespace: hostNamespace }),
                pod('10.244.1.6', 'overlay-1', {
                  Policies: [policy('PortMapping', { Protocol: 6, InternalPort: 80, ExternalPort: 80 })],
                }),
              ],
            }),
          ),
          '10.244.1.200',
        ).map((path) => path.slice(0, 2)),
      [
        [
          'virtual switch flannel.4096: sends it to the node (-, documented)',
          'node IP stack: receives it (-, documented)',
        ],
      ],
    ],
    [
      'for a link-local address of a remote subnet leaves',
      () =>
        fromPod(withRemote(remoteSubnet(2, { DestinationPrefix: '169.254.0.0/16' })), '169.254.169.254').map(
          (path) => path.slice(-1),
        ),
      [['leaves: It leaves the node to next hop 10.0.0.2. 10.0.0.1:50000 -> 169.254.169.254:80/tcp']],
    ],
    [
      'with an SDNRoute may go around the gateway',
      () =>
        fromPod(
          overlayState(1, {
            endpoint: {
              Policies: [policy('SDNRoute', { DestinationPrefix: '10.96.0.0/12', NeedEncap: true })],
            },
          }),
          '10.96.0.10',
        ),
      [
        [
          'virtual switch flannel.4096: may send it around the gateway (SDNRoute 10.96.0.0/12, documented)',
          'unknown: What an SDNRoute does with traffic that no load balancer takes is not documented. 10.244.1.5:50000 -> 10.96.0.10:80/tcp',
        ],
      ],
    ],
  ])('%s', (_, actual, expected) => {
    expect(actual()).toEqual(expected);
  });
});

describe('on an Overlay network without pods', () => {
  test.each<[string, () => readonly (readonly string[])[], readonly (readonly string[])[]]>([
    [
      'a packet of the node for a remote subnet may have no effect',
      () => fromNode(emptyOverlay, '10.244.2.5'),
      [
        [
          'node IP stack: sends it to network "flannel.4096" (HostRoute, reported)',
          'virtual switch flannel.4096: may encapsulate it (RemoteSubnetRoute 10.244.2.0/24, observed)',
          'unknown: RemoteSubnetRoutes were observed to have no effect until a pod of the node is on the network (projectcalico/calico#8569). 10.0.0.1:50000 -> 10.244.2.5:80/tcp',
        ],
      ],
    ],
  ])('%s', (_, actual, expected) => {
    expect(actual()).toEqual(expected);
  });
});

describe('on an L2Bridge network, a packet of a pod', () => {
  test.each<[string, () => readonly (readonly string[])[], readonly (readonly string[])[]]>([
    [
      'for another pod reaches it by the virtual switch',
      () => fromPod(bridgeState(1, { others: [pod('10.244.1.6', 'bridge-1')] }), '10.244.1.6'),
      [
        [
          'virtual switch cbr0: sends it to a local endpoint (-, documented)',
          'port endpoint pod-10.2: allows it (no ACL, documented)',
          'pod endpoint pod-10.2: receives it (-, documented)',
          'arrives: The pod receives it. 10.244.1.5:50000 -> 10.244.1.6:80/tcp',
        ],
      ],
    ],
    [
      'for an address that no endpoint has is lost',
      () => fromPod(bridge, '10.244.1.77'),
      [
        [
          'virtual switch cbr0: drops it (-, documented)',
          'lost: No endpoint of network "cbr0" has address 10.244.1.77. 10.244.1.5:50000 -> 10.244.1.77:80/tcp',
        ],
      ],
    ],
    [
      'for an address of a subnet that the node is in leaves',
      () => fromPod(inPodSubnet(bridge), '10.244.1.77'),
      [
        [
          'virtual switch cbr0: sends it to the physical network (-, documented)',
          'leaves: It leaves the node to next hop 10.244.1.77. 10.244.1.5:50000 -> 10.244.1.77:80/tcp',
        ],
      ],
    ],
    [
      'for the host endpoint reaches the node',
      () => fromPod(bridge, '10.244.1.2'),
      [
        [
          'virtual switch cbr0: sends it to the node (-, documented)',
          'node IP stack: receives it (-, documented)',
          'arrives: The node receives it. 10.244.1.5:50000 -> 10.244.1.2:80/tcp',
        ],
      ],
    ],
    [
      'for an endpoint of the host without an interface reaches the node, which may forward it',
      () =>
        fromPod(
          bridgeState(1, {
            others: [pod('10.244.1.9', 'bridge-1', { HostComputeNamespace: hostNamespace })],
          }),
          '10.244.1.9',
        ),
      [
        [
          'virtual switch cbr0: sends it to the node (-, documented)',
          'node IP stack: may forward it (route 10.244.1.0/24 on-link on interface 9, documented)',
          'unknown: The interface of the node that receives the packet is unknown, so it is unknown whether that interface forwards. 10.244.1.5:50000 -> 10.244.1.9:80/tcp',
        ],
      ],
    ],
    [
      'for another pod reaches it even if the adapter of the network is unknown',
      () =>
        fromPod(withoutUplink(bridgeState(1, { others: [pod('10.244.1.6', 'bridge-1')] })), '10.244.1.6').map(
          (path) => path.slice(0, 1),
        ),
      [['virtual switch cbr0: sends it to a local endpoint (-, documented)']],
    ],
    [
      'for an address that no endpoint has leaves if one of the adapters is in the subnet',
      () => fromPod(secondUplink(inPodSubnet(bridge)), '10.244.1.77').map((path) => path.slice(0, 1)),
      [['virtual switch cbr0: sends it to the physical network (-, documented)']],
    ],
    [
      'for an address of a network without a known subnet leaves',
      () => fromPod(withSubnets('0.0.0.0/0'), '10.244.1.77').map((path) => path.slice(0, 1)),
      [['virtual switch cbr0: sends it to the physical network (-, documented)']],
    ],
    [
      'for an address of one of several subnets that no endpoint has is lost',
      () =>
        fromPod(withSubnets('0.0.0.0/1', '192.168.0.0/16'), '10.244.1.77').map((path) => path.slice(0, 1)),
      [['virtual switch cbr0: drops it (-, documented)']],
    ],
    [
      'for a host endpoint with two addresses, of which the node has one, reaches the node',
      () => fromPod(dualStackHost, '10.244.1.2').map((path) => path.slice(0, 2)),
      [
        [
          'virtual switch cbr0: sends it to the node (-, documented)',
          'node IP stack: receives it (-, documented)',
        ],
      ],
    ],
    [
      'for the address of a host endpoint that the node does not have reaches the node by its other address',
      () =>
        fromPod(
          {
            ...dualStackHost,
            inventory: {
              ...dualStackHost.inventory,
              endpoints: dualStackHost.inventory.endpoints.map((one) =>
                one.ID === 'pod-1' ? { ...one, ...noNat, ...ipv6Pod } : one,
              ),
            },
          },
          'fd00:1::2',
          ipv6,
        ).map((path) => path.slice(0, 1)),
      [['virtual switch cbr0: sends it to the node (-, documented)']],
    ],
    [
      'for an address that two endpoints have reaches the first',
      () =>
        fromPod(
          bridgeState(1, {
            others: [pod('10.244.1.6', 'bridge-1'), pod('10.244.1.6', 'bridge-1', { ID: 'last' })],
          }),
          '10.244.1.6',
        ).map((path) => path.slice(1, 2)),
      [['port endpoint pod-10.2: allows it (no ACL, documented)']],
    ],
    [
      'whose next hop is a pod of a network on the same adapter is lost, whatever the case of its type',
      () => fromPod(secondNetwork('L2BRIDGE', 'Ethernet'), '10.244.2.5').map((path) => path.slice(0, 1)),
      [['virtual switch cbr0: sends it to the pod with address 10.244.7.5 (-, documented)']],
    ],
    [
      'whose next hop is a pod is lost',
      () =>
        fromPod(
          bridgeState(1, {
            endpoint: { ...noNat, ...routedTo('10.244.1.6') },
            others: [pod('10.244.1.6', 'bridge-1')],
          }),
          '8.8.8.8',
        ),
      [
        [
          'virtual switch cbr0: sends it to the pod with address 10.244.1.6 (-, documented)',
          'lost: The next hop 10.244.1.6 is a pod, which does not forward. 10.244.1.5:50000 -> 8.8.8.8:80/tcp',
        ],
      ],
    ],
    [
      'whose next hop is outside leaves',
      () => fromPod(bridgeState(1, { endpoint: routedTo('10.244.1.1') }), '10.244.2.5'),
      [
        [
          'virtual switch cbr0: sends it to the physical network (-, documented)',
          'leaves: It leaves the node to next hop 10.244.1.1. 10.244.1.5:50000 -> 10.244.2.5:80/tcp',
        ],
      ],
    ],
    [
      'with an SDNRoute may go around the gateway',
      () =>
        fromPod(
          bridgeState(1, {
            endpoint: {
              Policies: [policy('SDNRoute', { DestinationPrefix: '10.96.0.0/12', NeedEncap: true })],
            },
          }),
          '10.96.0.10',
        ),
      [
        [
          'virtual switch cbr0: may send it around the gateway (SDNRoute 10.96.0.0/12, documented)',
          'unknown: What an SDNRoute does with traffic that no load balancer takes is not documented. 10.244.1.5:50000 -> 10.96.0.10:80/tcp',
        ],
      ],
    ],
    [
      'has an unknown path if the adapter of the network is unknown',
      () => fromPod(withoutUplink(bridgeState(1, { endpoint: routedTo('10.244.1.1') })), '10.244.2.5'),
      [
        [
          'virtual switch cbr0: sends it to the physical network (-, documented)',
          'unknown: The adapter of network "cbr0" is not known. 10.244.1.5:50000 -> 10.244.2.5:80/tcp',
        ],
      ],
    ],
    [
      'whose next hop is a pod of a network on the same adapter is lost',
      () => fromPod(secondNetwork('l2bridge', 'Ethernet'), '10.244.2.5'),
      [
        [
          'virtual switch cbr0: sends it to the pod with address 10.244.7.5 (-, documented)',
          'lost: The next hop 10.244.7.5 is a pod, which does not forward. 10.244.1.5:50000 -> 10.244.2.5:80/tcp',
        ],
      ],
    ],
    [
      'whose next hop is a pod of a network on another adapter leaves',
      () => fromPod(secondNetwork('L2Bridge', 'Ethernet 2'), '10.244.2.5'),
      [
        [
          'virtual switch cbr0: sends it to the physical network (-, documented)',
          'leaves: It leaves the node to next hop 10.244.7.5. 10.244.1.5:50000 -> 10.244.2.5:80/tcp',
        ],
      ],
    ],
    [
      'whose next hop is a pod of a network of another type leaves',
      () => fromPod(secondNetwork('Transparent', 'Ethernet'), '10.244.2.5'),
      [
        [
          'virtual switch cbr0: sends it to the physical network (-, documented)',
          'leaves: It leaves the node to next hop 10.244.7.5. 10.244.1.5:50000 -> 10.244.2.5:80/tcp',
        ],
      ],
    ],
  ])('%s', (_, actual, expected) => {
    expect(actual()).toEqual(expected);
  });
});

describe('on an L2Tunnel network, a packet', () => {
  test.each<[string, () => readonly (readonly string[])[], readonly (readonly string[])[]]>([
    [
      'of a pod for the host endpoint leaves, although the endpoint is on this node',
      () => fromPod(bridgeState(1, { network: { Type: 'L2Tunnel' } }), '10.244.1.2'),
      [
        [
          'virtual switch cbr0: sends it to the physical network (L2Tunnel, documented)',
          'leaves: It leaves the node to next hop 10.244.1.2. 10.244.1.5:50000 -> 10.244.1.2:80/tcp',
        ],
      ],
    ],
    [
      'of a pod for another pod leaves, although the pod is on this node',
      () =>
        fromPod(
          bridgeState(1, { network: { Type: 'L2Tunnel' }, others: [pod('10.244.1.6', 'bridge-1')] }),
          '10.244.1.6',
        ),
      [
        [
          'virtual switch cbr0: sends it to the physical network (L2Tunnel, documented)',
          'leaves: It leaves the node to next hop 10.244.1.6. 10.244.1.5:50000 -> 10.244.1.6:80/tcp',
        ],
      ],
    ],
    [
      'of a pod for the node leaves',
      () => fromPod(inPodSubnet(bridgeState(1, { network: { Type: 'L2Tunnel' } })), '10.244.1.2'),
      [
        [
          'virtual switch cbr0: sends it to the physical network (L2Tunnel, documented)',
          'leaves: It leaves the node to next hop 10.244.1.2. 10.244.1.5:50000 -> 10.244.1.2:80/tcp',
        ],
      ],
    ],
    [
      'of the node for a pod reaches it',
      () => fromNode(bridgeState(1, { network: { Type: 'L2Tunnel' } }), '10.244.1.5'),
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
  ])('%s', (_, actual, expected) => {
    expect(actual()).toEqual(expected);
  });
});

describe('on a NAT network, a packet', () => {
  test.each<[string, () => readonly (readonly string[])[], readonly (readonly string[])[]]>([
    [
      'of a pod for another pod reaches it',
      () => fromPod(nat, '10.244.1.6'),
      [
        [
          'virtual switch cbr0: sends it to a local endpoint (-, documented)',
          'port endpoint pod-10.2: allows it (no ACL, documented)',
          'pod endpoint pod-10.2: receives it (-, documented)',
          'arrives: The pod receives it. 10.244.1.5:50000 -> 10.244.1.6:80/tcp',
        ],
      ],
    ],
    [
      'of a pod for an address of a pod of another network leaves',
      () =>
        fromPod(
          withOther(
            bridgeState(1, {
              network: { Type: 'NAT' },
              endpoint: noNat,
              others: [pod('10.244.7.5', 'other')],
            }),
          ),
          '10.244.7.5',
        ).map((path) => path.slice(0, 1)),
      [['virtual switch cbr0: translates the source to 10.0.0.1 (NAT of network type NAT, documented)']],
    ],
    [
      'of a pod for a mapped port of the node reaches the node itself',
      () =>
        fromPod(
          bridgeState(1, {
            network: { Type: 'NAT' },
            endpoint: noNat,
            others: [
              pod('10.244.1.6', 'bridge-1', {
                Policies: [policy('PortMapping', { Protocol: 6, InternalPort: 80, ExternalPort: 80 })],
              }),
            ],
          }),
          '10.0.0.1',
        ).map((path) => path.slice(0, 2)),
      [
        [
          'virtual switch cbr0: sends it to the node (-, documented)',
          'node IP stack: receives it (-, documented)',
        ],
      ],
    ],
    [
      'of a pod for the node reaches it',
      () => fromPod(nat, '10.0.0.1'),
      [
        [
          'virtual switch cbr0: sends it to the node (-, documented)',
          'node IP stack: receives it (-, documented)',
          'arrives: The node receives it. 10.244.1.5:50000 -> 10.0.0.1:80/tcp',
        ],
      ],
    ],
    [
      'of a pod for an IPv6 address has an unknown path',
      () =>
        fromPod(
          bridgeState(1, { network: { Type: 'NAT' }, endpoint: { ...noNat, ...ipv6Pod } }),
          'fd00:2::5',
          ipv6,
        ),
      [
        [
          'virtual switch cbr0: may not forward it (-, documented)',
          'unknown: Kubernetes documents that NAT networks do not support IPv6. [fd00:1::5]:50000 -> [fd00:2::5]:80/tcp',
        ],
      ],
    ],
    [
      'of a pod has an unknown source without a route of the node',
      () => fromPod({ ...nat, routes: [] }, '8.8.8.8'),
      [
        [
          'virtual switch cbr0: translates the source (-, documented)',
          'unknown: The address of the node towards 8.8.8.8 is not known. 10.244.1.5:50000 -> 8.8.8.8:80/tcp',
        ],
      ],
    ],
    [
      'of the node for an address that no endpoint has is lost',
      () => fromNode(nat, '10.244.1.77'),
      [
        [
          'node IP stack: sends it on-link (route 10.244.1.0/24 on-link on interface 9, documented)',
          'virtual switch cbr0: drops it (-, documented)',
          'lost: No endpoint of network "cbr0" has address 10.244.1.77. 10.244.1.2:50000 -> 10.244.1.77:80/tcp',
        ],
      ],
    ],
    [
      'of a pod on an ICS network leaves with the address of the node',
      () => fromPod(ics, '8.8.8.8'),
      [
        [
          'virtual switch cbr0: translates the source to 10.0.0.1 (NAT of network type ICS, documented)',
          'adapter vEthernet (Ethernet): sends it to next hop 10.0.0.254 (route 0.0.0.0/0 via 10.0.0.254 on interface 5, documented)',
          'leaves: It leaves the node to next hop 10.0.0.254. 10.0.0.1:50000 -> 8.8.8.8:80/tcp',
        ],
      ],
    ],
  ])('%s', (_, actual, expected) => {
    expect(actual()).toEqual(expected);
  });
});

describe('a reply of a pod', () => {
  test.each<[string, () => readonly (readonly string[])[], readonly (readonly string[])[]]>([
    [
      'to a source VIP of a load balancer returns to the client',
      () => fromPod(overlay, '10.244.1.99', { sourcePort: 50_000, destinationPort: 80 }, balanced),
      [
        [
          'virtual switch flannel.4096: returns the reply, which load balancer has translated (-, source)',
          'adapter vEthernet (Ethernet): sends it to next hop 10.0.0.9 (route 10.0.0.0/24 on-link on interface 5, documented)',
          'leaves: It leaves the node to next hop 10.0.0.9. 10.96.0.10:50000 -> 10.0.0.9:80/tcp',
        ],
      ],
    ],
    [
      'to a source VIP of another port is lost',
      () => fromPod(overlay, '10.244.1.99', { sourcePort: 50_000, destinationPort: 81 }, balanced),
      [
        [
          'virtual switch flannel.4096: drops it (-, documented)',
          'lost: No endpoint of network "flannel.4096" has address 10.244.1.99. 10.244.1.5:50000 -> 10.244.1.99:81/tcp',
        ],
      ],
    ],
    [
      'to an address of the node goes to the node',
      () =>
        fromPod(
          overlay,
          '10.0.0.1',
          { sourcePort: 50_000, destinationPort: 80 },
          {
            ...balanced,
            translations: [{ by: 'load balancer', before, after: { ...after, source: '10.0.0.1' } }],
          },
        ),
      [
        [
          'virtual switch flannel.4096: sends the reply to the node (-, documented)',
          'node IP stack: reverses the translation by load balancer (load balancer, source)',
          'adapter vEthernet (Ethernet): sends it to next hop 10.0.0.9 (route 10.0.0.0/24 on-link on interface 5, documented)',
          'leaves: It leaves the node to next hop 10.0.0.9. 10.96.0.10:50000 -> 10.0.0.9:80/tcp',
        ],
      ],
    ],
  ])('%s', (_, actual, expected) => {
    expect(actual()).toEqual(expected);
  });
});

describe('a packet for a link-local address', () => {
  test.each<[string, () => readonly (readonly string[])[], readonly (readonly string[])[]]>([
    [
      'may be answered by the next hop',
      () => fromPod(bridgeState(1, { endpoint: { ...noNat, ...routedTo('10.244.1.1') } }), '169.254.169.254'),
      [
        [
          'virtual switch cbr0: sends it to the physical network (-, documented)',
          'unknown: 169.254.169.254 is link-local: routers do not forward it, and what 10.244.1.1 does with it is not known. 10.244.1.5:50000 -> 169.254.169.254:80/tcp',
        ],
      ],
    ],
    [
      'leaves if the next hop has it',
      () =>
        fromPod(
          bridgeState(1, {
            endpoint: {
              ...noNat,
              Routes: [{ NextHop: '169.254.169.254', DestinationPrefix: '169.254.169.254/32' }],
            },
          }),
          '169.254.169.254',
        ),
      [
        [
          'virtual switch cbr0: sends it to the physical network (-, documented)',
          'leaves: It leaves the node to next hop 169.254.169.254. 10.244.1.5:50000 -> 169.254.169.254:80/tcp',
        ],
      ],
    ],
  ])('%s', (_, actual, expected) => {
    expect(actual()).toEqual(expected);
  });
});

describe('the physical adapter', () => {
  test.each<[string, () => readonly (readonly string[])[], readonly (readonly string[])[]]>([
    [
      'drops a packet without a route',
      () => fromPod({ ...overlay, routes: [] }, '8.8.8.8'),
      [
        [
          'virtual switch flannel.4096: sends it to the physical network (no RemoteSubnetRoute, documented)',
          'adapter none: drops it (-, documented)',
          'lost: The node has no route to 8.8.8.8. 10.0.0.1:50000 -> 8.8.8.8:80/tcp',
        ],
      ],
    ],
    [
      'has an unknown next hop if several routes are equal',
      () =>
        fromPod(
          {
            ...overlay,
            routes: [
              ...overlay.routes,
              { interfaceIndex: 5, prefix: '0.0.0.0/0', nextHop: '10.0.0.253', metric: 0 },
            ],
          },
          '8.8.8.8',
        ),
      [
        [
          'virtual switch flannel.4096: sends it to the physical network (no RemoteSubnetRoute, documented)',
          'adapter several: sends it (0.0.0.0/0 via 10.0.0.254 on interface 5 and 0.0.0.0/0 via 10.0.0.253 on interface 5, documented)',
          'unknown: Several routes of the node are equally good. 10.0.0.1:50000 -> 8.8.8.8:80/tcp',
        ],
      ],
    ],
    [
      'has the index of its interface as name if Windows does not return it',
      () =>
        fromPod(
          {
            ...overlay,
            routes: [{ interfaceIndex: 77, prefix: '0.0.0.0/0', nextHop: '10.0.0.253', metric: 0 }],
          },
          '8.8.8.8',
        ),
      [
        [
          'virtual switch flannel.4096: sends it to the physical network (no RemoteSubnetRoute, documented)',
          'adapter interface 77: sends it to next hop 10.0.0.253 (route 0.0.0.0/0 via 10.0.0.253 on interface 77, documented)',
          'leaves: It leaves the node to next hop 10.0.0.253. 10.0.0.1:50000 -> 8.8.8.8:80/tcp',
        ],
      ],
    ],
  ])('%s', (_, actual, expected) => {
    expect(actual()).toEqual(expected);
  });
});

test('networks of a type without known rules may forward', () => {
  expect(fromPod(bridgeState(1, { network: { Type: 'Private' } }), '10.244.1.6')).toEqual([
    [
      'virtual switch cbr0: forwards it (-, inferred)',
      'unknown: How networks of type Private forward is not documented. 10.244.1.5:50000 -> 10.244.1.6:80/tcp',
    ],
  ]);
});
