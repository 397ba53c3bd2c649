import { describe, expect, test } from 'vitest';
import type { NodeState } from '../../../../src/cli/path/node-state.ts';
import type { Packet, Tunnel } from '../../../../src/cli/path/packet.ts';
import type { ConnectionState } from '../../../../src/cli/path/path.ts';
import type { ObservedEndpoint } from '../../../../src/hcn/documents.ts';
import { bridgeState, overlayState, podNamespace, policy, withPolicy } from '../../../cluster/states.ts';
import { pathTexts } from './path-text.ts';

const packet: Packet = {
  source: '10.244.2.5',
  destination: '10.244.1.5',
  protocol: 6,
  sourcePort: 50_000,
  destinationPort: 80,
};
const tunnel: Tunnel = {
  source: '10.0.0.2',
  destination: '10.0.0.1',
  vsid: 4096,
  port: 4789,
  macAddress: '00-15-5D-00-00-01',
};
const frame = { interfaceIndex: 5, nextHop: '10.0.0.1' };

/** The paths of a packet in a tunnel of node 2. */
function encapsulated(
  node: NodeState,
  changes: Partial<Tunnel> = {},
  inner: Partial<Packet> = {},
  state?: ConnectionState,
) {
  return pathTexts(
    node,
    {
      from: 'cable',
      frame: { ...frame, packet: { ...packet, ...inner }, tunnel: { ...tunnel, ...changes } },
    },
    state,
  );
}

/** The paths of a packet without a tunnel. */
function plain(node: NodeState, changes: Partial<Packet> = {}, state?: ConnectionState) {
  return pathTexts(node, { from: 'cable', frame: { ...frame, packet: { ...packet, ...changes } } }, state);
}

const { macAddress: _mac, ...tunnelWithoutMac } = tunnel;
const overlay = overlayState(1);
const bridge = bridgeState(1);
const onlyNetwork = (Type: string) => bridgeState(1, { network: { Type } });
const withoutVsid = overlayState(1, {
  network: { Ipams: [{ Subnets: [{ IpAddressPrefix: '10.244.1.0/24' }] }] },
});
const vsid = (IsolationId: number) => [policy('VSID', { IsolationId })];
const twoVsids = overlayState(1, {
  network: {
    Ipams: [
      {
        Subnets: [
          { IpAddressPrefix: '10.244.1.0/24', Policies: vsid(4096) },
          { IpAddressPrefix: '10.244.3.0/24', Policies: vsid(4098) },
        ],
      },
    ],
  },
});
const vxlanPort = withPolicy(overlay, 'VxlanPort', policy('VxlanPort', { Port: 8472 }));
const hostEndpoint: ObservedEndpoint = {
  ID: 'host',
  Name: 'host',
  HostComputeNetwork: 'overlay-1',
  HostComputeNamespace: '4a2d0c8e-0b1c-4c5e-9a4f-000000000001',
  IpConfigurations: [{ IpAddress: '10.244.1.2', PrefixLength: 24 }],
  SchemaVersion: { Major: 2, Minor: 0 },
};
/** A node whose first adapter also has an address in the pod subnet. */
const inPodSubnet = (node: NodeState, address: string): NodeState => ({
  ...node,
  adapters: node.adapters.map((one) =>
    one.index === 5 ? { ...one, addresses: [...one.addresses, { address, length: 24 }] } : one,
  ),
});

// A pod or a load balancer of the node has sent this packet, with another source.
const sent: Packet = {
  source: '10.244.1.5',
  destination: '10.244.2.5',
  protocol: 6,
  sourcePort: 80,
  destinationPort: 50_000,
};
const bySourceVip = { ...sent, source: '10.244.1.99' };
const reply = { source: '10.244.2.5', destination: '10.244.1.99' };
const outside = { ...sent, destination: '8.8.8.8' };
const replyFromOutside = { source: '8.8.8.8', destination: '10.0.0.1' };
const translated: ConnectionState = {
  translations: [
    { endpoint: 'pod-1', by: 'OutBoundNAT', before: outside, after: { ...outside, source: '10.0.0.1' } },
  ],
  ports: ['pod-1'],
};
const mappedPort = overlayState(1, {
  endpoint: { Policies: [policy('PortMapping', { Protocol: 6, InternalPort: 81, ExternalPort: 80 })] },
});

describe('an encapsulated packet', () => {
  test.each<[string, () => readonly (readonly string[])[], readonly (readonly string[])[]]>([
    [
      'arrives at the pod with its address',
      () => encapsulated(overlay),
      [
        [
          'virtual switch flannel.4096: decapsulates it (-, source)',
          'port endpoint pod-1: allows it (no ACL, documented)',
          'pod endpoint pod-1: receives it (-, documented)',
          'arrives: The pod receives it. 10.244.2.5:50000 -> 10.244.1.5:80/tcp',
        ],
      ],
    ],
    [
      'is lost if no network has its outer destination as provider address',
      () => encapsulated(overlay, { destination: '10.0.0.7' }),
      [
        [
          'adapter 10.0.0.7: drops it (-, source)',
          'lost: No Overlay network of the node has the provider address 10.0.0.7. 10.244.2.5:50000 -> 10.244.1.5:80/tcp',
        ],
      ],
    ],
    [
      'is lost with the VSID of no network',
      () => encapsulated(twoVsids, { vsid: 4097 }),
      [
        [
          'adapter vEthernet (Ethernet): drops it (-, source)',
          'lost: The packet has VSID 4097, and the Overlay networks of the node have 4096, 4098. 10.244.2.5:50000 -> 10.244.1.5:80/tcp',
        ],
      ],
    ],
    [
      'is lost if the network has no VSID',
      () => encapsulated(withoutVsid),
      [
        [
          'adapter vEthernet (Ethernet): drops it (-, source)',
          'lost: The packet has VSID 4096, and the Overlay networks of the node have none. 10.244.2.5:50000 -> 10.244.1.5:80/tcp',
        ],
      ],
    ],
    [
      "arrives with the VSID of the network's policies",
      () => encapsulated(withPolicy(withoutVsid, 'VSID', policy('VSID', { IsolationId: 4096 }))),
      [
        [
          'virtual switch flannel.4096: decapsulates it (-, source)',
          'port endpoint pod-1: allows it (no ACL, documented)',
          'pod endpoint pod-1: receives it (-, documented)',
          'arrives: The pod receives it. 10.244.2.5:50000 -> 10.244.1.5:80/tcp',
        ],
      ],
    ],
    [
      'arrives with the VSID of another subnet of the network',
      () => encapsulated(twoVsids, { vsid: 4098 }),
      [
        [
          'virtual switch flannel.4096: decapsulates it (-, source)',
          'port endpoint pod-1: allows it (no ACL, documented)',
          'pod endpoint pod-1: receives it (-, documented)',
          'arrives: The pod receives it. 10.244.2.5:50000 -> 10.244.1.5:80/tcp',
        ],
      ],
    ],
    [
      'is lost with another UDP port than that of VXLAN',
      () => encapsulated(overlay, { port: 8472 }),
      [
        [
          'virtual switch flannel.4096: drops it (-, source)',
          'lost: The packet was sent to UDP port 8472, and network "flannel.4096" receives VXLAN on 4789. 10.244.2.5:50000 -> 10.244.1.5:80/tcp',
        ],
      ],
    ],
    [
      "arrives with the UDP port of the network's VxlanPort policy",
      () => encapsulated(vxlanPort, { port: 8472 }),
      [
        [
          'virtual switch flannel.4096: decapsulates it (-, source)',
          'port endpoint pod-1: allows it (no ACL, documented)',
          'pod endpoint pod-1: receives it (-, documented)',
          'arrives: The pod receives it. 10.244.2.5:50000 -> 10.244.1.5:80/tcp',
        ],
      ],
    ],
    [
      'is lost with the default UDP port if the network has another one',
      () => encapsulated(vxlanPort),
      [
        [
          'virtual switch flannel.4096: drops it (-, source)',
          'lost: The packet was sent to UDP port 4789, and network "flannel.4096" receives VXLAN on 8472. 10.244.2.5:50000 -> 10.244.1.5:80/tcp',
        ],
      ],
    ],
    [
      'may be lost if the MAC address of its inner frame is unknown',
      () => pathTexts(overlay, { from: 'cable', frame: { ...frame, packet, tunnel: tunnelWithoutMac } }),
      [
        [
          'virtual switch flannel.4096: may drop it (-, source)',
          'unknown: The MAC address of the inner frame, or that of the distributed router, is not known. 10.244.2.5:50000 -> 10.244.1.5:80/tcp',
        ],
      ],
    ],
    [
      'may be lost if the MAC address of the distributed router is unknown',
      () => encapsulated(withPolicy(overlay, 'DrMacAddress')),
      [
        [
          'virtual switch flannel.4096: may drop it (-, source)',
          'unknown: The MAC address of the inner frame, or that of the distributed router, is not known. 10.244.2.5:50000 -> 10.244.1.5:80/tcp',
        ],
      ],
    ],
    [
      'is lost if its inner frame is not for the distributed router',
      () => encapsulated(overlay, { macAddress: '00-15-5D-00-00-09' }),
      [
        [
          'virtual switch flannel.4096: drops it (-, source)',
          'lost: The inner frame is for MAC address 00-15-5D-00-00-09, and the distributed router of network "flannel.4096" has 00-15-5D-00-00-01. 10.244.2.5:50000 -> 10.244.1.5:80/tcp',
        ],
      ],
    ],
    [
      'is lost if no endpoint has its destination',
      () => encapsulated(overlay, {}, { destination: '10.244.1.77' }),
      [
        [
          'virtual switch flannel.4096: drops it (-, source)',
          'lost: No endpoint of network "flannel.4096" has address 10.244.1.77. 10.244.2.5:50000 -> 10.244.1.77:80/tcp',
        ],
      ],
    ],
    [
      'has an unknown path to the gateway',
      () => encapsulated(overlay, {}, { destination: '10.244.1.1' }),
      [
        [
          'virtual switch flannel.4096: may answer it (-, source)',
          'unknown: 10.244.1.1 is the gateway of the network, and HNS does not document how the distributed router handles packets for itself. 10.244.2.5:50000 -> 10.244.1.1:80/tcp',
        ],
      ],
    ],
    [
      'for an endpoint of the node arrives at the node',
      () =>
        encapsulated(
          inPodSubnet(overlayState(1, { others: [hostEndpoint] }), '10.244.1.2'),
          {},
          { destination: '10.244.1.2' },
        ),
      [
        [
          'virtual switch flannel.4096: decapsulates it (-, source)',
          'node IP stack: receives it (-, documented)',
          'arrives: The node receives it. 10.244.2.5:50000 -> 10.244.1.2:80/tcp',
        ],
      ],
    ],
    [
      'for an endpoint of the node that no adapter has is forwarded by the node',
      () => encapsulated(overlayState(1, { others: [hostEndpoint] }), {}, { destination: '10.244.1.2' }),
      [
        [
          'virtual switch flannel.4096: decapsulates it (-, source)',
          'node IP stack: sends it to network "flannel.4096" (HostRoute, reported)',
          'unknown: Whether a node forwards packets of others to an Overlay network is not documented. 10.244.2.5:50000 -> 10.244.1.2:80/tcp',
        ],
      ],
    ],
    [
      'that replies to a source VIP returns to the port that translated',
      () =>
        encapsulated(overlay, {}, reply, {
          translations: [{ endpoint: 'pod-1', by: 'OutBoundNAT', before: sent, after: bySourceVip }],
          ports: ['pod-1'],
        }),
      [
        [
          'virtual switch flannel.4096: decapsulates it (-, source)',
          'port endpoint pod-1: reverses the translation by OutBoundNAT (the port knows the connection, source)',
          'pod endpoint pod-1: receives it (-, documented)',
          'arrives: The pod receives it. 10.244.2.5:50000 -> 10.244.1.5:80/tcp',
        ],
      ],
    ],
    [
      'that replies to the source VIP of a load balancer returns to the client',
      () =>
        encapsulated(overlay, {}, reply, {
          translations: [
            { by: 'load balancer', before: { ...sent, source: '10.0.0.9' }, after: bySourceVip },
          ],
          ports: [],
        }),
      [
        [
          'virtual switch flannel.4096: decapsulates the reply (-, source)',
          'adapter vEthernet (Ethernet): sends it to next hop 10.0.0.9 (route 10.0.0.0/24 on-link on interface 5, documented)',
          'leaves: It leaves the node to next hop 10.0.0.9. 10.244.2.5:50000 -> 10.0.0.9:80/tcp',
        ],
      ],
    ],
    [
      'that replies to a packet whose source was kept arrives at the pod with its address',
      () =>
        encapsulated(
          overlay,
          {},
          {},
          {
            translations: [{ by: 'PortMapping', before: { ...sent, destination: '10.0.0.9' }, after: sent }],
            ports: [],
          },
        ),
      [
        [
          'virtual switch flannel.4096: decapsulates it (-, source)',
          'port endpoint pod-1: allows it (no ACL, documented)',
          'pod endpoint pod-1: receives it (-, documented)',
          'arrives: The pod receives it. 10.244.2.5:50000 -> 10.244.1.5:80/tcp',
        ],
      ],
    ],
    [
      'for a source VIP that translated nothing is lost',
      () => encapsulated(overlay, {}, reply),
      [
        [
          'virtual switch flannel.4096: drops it (-, source)',
          'lost: No endpoint of network "flannel.4096" has address 10.244.1.99. 10.244.2.5:50000 -> 10.244.1.99:80/tcp',
        ],
      ],
    ],
  ])('%s', (_, actual, expected) => {
    expect(actual()).toEqual(expected);
  });
});

describe('a packet without a tunnel', () => {
  test.each<[string, () => readonly (readonly string[])[], readonly (readonly string[])[]]>([
    [
      'for a pod of a Transparent network reaches it by the virtual switch',
      () => plain(bridgeState(1, { network: { Type: 'Transparent' } })),
      [
        [
          'virtual switch cbr0: sends it to a local endpoint (-, documented)',
          'port endpoint pod-1: allows it (no ACL, documented)',
          'pod endpoint pod-1: receives it (-, documented)',
          'arrives: The pod receives it. 10.244.2.5:50000 -> 10.244.1.5:80/tcp',
        ],
      ],
    ],
    [
      'for a pod of an L2Tunnel network reaches it by the virtual switch',
      () => plain(bridgeState(1, { network: { Type: 'L2Tunnel' } })),
      [
        [
          'virtual switch cbr0: sends it to a local endpoint (-, documented)',
          'port endpoint pod-1: allows it (no ACL, documented)',
          'pod endpoint pod-1: receives it (-, documented)',
          'arrives: The pod receives it. 10.244.2.5:50000 -> 10.244.1.5:80/tcp',
        ],
      ],
    ],
    [
      'for a pod of an L2Bridge network is forwarded by the node',
      () => plain(bridge),
      [
        [
          'node IP stack: sends it on-link (route 10.244.1.0/24 on-link on interface 9, documented)',
          'virtual switch cbr0: sends it to a local endpoint (-, documented)',
          'port endpoint pod-1: allows it (no ACL, documented)',
          'pod endpoint pod-1: receives it (-, documented)',
          'arrives: The pod receives it. 10.244.2.5:50000 -> 10.244.1.5:80/tcp',
        ],
      ],
    ],
    [
      'for a pod of an L2Bridge network in the subnet of the node reaches it by the virtual switch',
      () => plain(inPodSubnet(bridge, '10.244.1.200')),
      [
        [
          'virtual switch cbr0: sends it to a local endpoint (-, documented)',
          'port endpoint pod-1: allows it (no ACL, documented)',
          'pod endpoint pod-1: receives it (-, documented)',
          'arrives: The pod receives it. 10.244.2.5:50000 -> 10.244.1.5:80/tcp',
        ],
      ],
    ],
    [
      'for the host endpoint arrives at the node, even in the subnet of the node',
      () => plain(inPodSubnet(bridge, '10.244.1.200'), { destination: '10.244.1.2' }),
      [
        [
          'node IP stack: receives it (-, documented)',
          'arrives: The node receives it. 10.244.2.5:50000 -> 10.244.1.2:80/tcp',
        ],
      ],
    ],
    [
      'that replies to a translated packet returns to the port that translated',
      () => plain(overlay, replyFromOutside, translated),
      [
        [
          'node IP stack: returns the reply to the port that translated the packet (OutBoundNAT, source)',
          'port endpoint pod-1: reverses the translation by OutBoundNAT (the port knows the connection, source)',
          'pod endpoint pod-1: receives it (-, documented)',
          'arrives: The pod receives it. 8.8.8.8:50000 -> 10.244.1.5:80/tcp',
        ],
      ],
    ],
    [
      'that replies to a translated packet is not for a port mapping of the same port',
      () => plain(mappedPort, replyFromOutside, translated),
      [
        [
          'node IP stack: returns the reply to the port that translated the packet (OutBoundNAT, source)',
          'port endpoint pod-1: reverses the translation by OutBoundNAT (the port knows the connection, source)',
          'pod endpoint pod-1: receives it (-, documented)',
          'arrives: The pod receives it. 8.8.8.8:50000 -> 10.244.1.5:80/tcp',
        ],
      ],
    ],
    [
      'with another port than the translated packet arrives at the node',
      () => plain(overlay, { ...replyFromOutside, destinationPort: 81 }, translated),
      [
        [
          'node IP stack: receives it (-, documented)',
          'arrives: The node receives it. 8.8.8.8:50000 -> 10.0.0.1:81/tcp',
        ],
      ],
    ],
  ])('%s', (_, actual, expected) => {
    expect(actual()).toEqual(expected);
  });
});

describe('with another network of the node, a packet', () => {
  const second = (Type: string): NodeState['inventory']['networks'][number] => ({
    ID: 'second',
    Name: 'second',
    Type,
    Policies: [policy('NetAdapterName', { NetworkAdapterName: 'Ethernet' })],
    SchemaVersion: { Major: 2, Minor: 0 },
  });
  const samePod: ObservedEndpoint = {
    ...hostEndpoint,
    ID: 'same',
    HostComputeNetwork: 'second',
    HostComputeNamespace: podNamespace,
    IpConfigurations: [{ IpAddress: '10.244.1.5', PrefixLength: 24 }],
  };
  const withSecond = (node: NodeState, Type: string, endpoints: readonly ObservedEndpoint[]): NodeState => ({
    ...node,
    inventory: {
      ...node.inventory,
      networks: [second(Type), ...node.inventory.networks],
      endpoints: [...endpoints, ...node.inventory.endpoints],
    },
  });
  const firstLine = (paths: readonly (readonly string[])[]) => paths.map(([line]) => line);

  test('in a tunnel arrives at the pod of the network of its VSID', () => {
    expect(encapsulated(withSecond(overlay, 'L2Bridge', [samePod]))).toEqual(encapsulated(overlay));
  });

  test('without a tunnel does not reach a pod of another network than the Transparent one', () => {
    const node = withSecond(onlyNetwork('NAT'), 'Transparent', []);
    expect(firstLine(plain(node))).toEqual([
      'node IP stack: sends it on-link (route 10.244.1.0/24 on-link on interface 9, documented)',
    ]);
  });

  test('without a tunnel does not reach a pod of an Overlay network in the subnet of the node', () => {
    expect(plain(inPodSubnet(overlay, '10.244.1.200')).flat().at(-1)).toBe(
      'unknown: Whether a node forwards packets of others to an Overlay network is not documented. 10.244.2.5:50000 -> 10.244.1.5:80/tcp',
    );
  });
});

test('an encapsulated packet for a pod that has the address of the gateway arrives', () => {
  const node = overlayState(1, {
    endpoint: { IpConfigurations: [{ IpAddress: '10.244.1.1', PrefixLength: 24 }] },
  });
  expect(encapsulated(node, {}, { destination: '10.244.1.1' }).flat().at(-1)).toBe(
    'arrives: The pod receives it. 10.244.2.5:50000 -> 10.244.1.1:80/tcp',
  );
});

test('an encapsulated packet is the reply only to a packet with its addresses and ports', () => {
  const other = { ...sent, destinationPort: 50_001 };
  const state: ConnectionState = {
    translations: [{ by: 'load balancer', before: other, after: { ...other, source: '10.244.1.99' } }],
    ports: [],
  };
  expect(encapsulated(overlay, {}, reply, state).flat().at(-1)).toBe(
    'lost: No endpoint of network "flannel.4096" has address 10.244.1.99. 10.244.2.5:50000 -> 10.244.1.99:80/tcp',
  );
});
