import { describe, expect, test } from 'vitest';
import type { NodeState } from '../../../../src/cli/path/node-state.ts';
import type { Packet } from '../../../../src/cli/path/packet.ts';
import type { ObservedEndpoint, ObservedLoadBalancer, Policy } from '../../../../src/hcn/documents.ts';
import { bridgeState, type Changes, overlayState, policy } from '../../../cluster/states.ts';
import { pathTexts } from './path-text.ts';

const SchemaVersion = { Major: 2, Minor: 0 };

/** From a client on the physical network to port 8080 of the node. */
const toNode: Packet = {
  source: '10.0.0.9',
  destination: '10.0.0.1',
  protocol: 6,
  sourcePort: 50_000,
  destinationPort: 8080,
};
const { destinationPort: _port, ...withoutPort } = toNode;
const { protocol: _protocol, ...withoutProtocol } = toNode;
const toService: Packet = { ...toNode, destination: '10.96.0.10' };

const fromClient = (node: NodeState, packet: Packet) =>
  pathTexts(node, { from: 'cable', frame: { interfaceIndex: 5, nextHop: '10.0.0.1', packet } });
const fromNode = (node: NodeState, packet: Packet) =>
  pathTexts(node, { from: 'node', packet: { ...packet, source: '' } });

/** How the pod 10.244.1.5 receives a packet. */
const received = (packet: string) => [
  'port endpoint pod-1: allows it (no ACL, documented)',
  'pod endpoint pod-1: receives it (-, documented)',
  `arrives: The pod receives it. ${packet}`,
];
/** How the node itself receives a packet. */
const atNode = (packet: string) => [
  'node IP stack: receives it (-, documented)',
  `arrives: The node receives it. ${packet}`,
];
const undecided = (because: string, packet: string, rule = '-', evidence = 'inferred') => [
  `node IP stack: may send it to a pod (${rule}, ${evidence})`,
  `unknown: ${because} ${packet}`,
];
const dependsOnPort =
  'Whether a port mapping or load balancer takes it depends on its protocol and port, which are not given.';
const several = 'Several port mappings or load balancers take it, and which one applies is not documented.';
const ownNodePort =
  'Kubernetes documents that a node does not reach its own node ports; with LocalRoutedVIP they were reported to work (kubernetes/kubernetes#74825).';

describe('a port mapping of a pod', () => {
  const mapping = (changes: object = {}) =>
    policy('PortMapping', { Protocol: 6, InternalPort: 80, ExternalPort: 8080, ...changes });
  const mapped = (...Policies: readonly Policy[]) => bridgeState(1, { endpoint: { Policies } });
  const taken = [
    'node IP stack: sends it to 10.244.1.5, port 80 (PortMapping, documented)',
    ...received('10.0.0.9:50000 -> 10.244.1.5:80/tcp'),
  ];

  test.each<[string, readonly Policy[], Packet, readonly string[]]>([
    ['takes packets for its port of the node', [mapping()], toNode, taken],
    [
      'takes packets for its virtual IP',
      [mapping({ VIP: '10.0.0.77' })],
      { ...toNode, destination: '10.0.0.77' },
      taken,
    ],
    [
      'with a virtual IP takes no packets for the node',
      [mapping({ VIP: '10.0.0.77' })],
      toNode,
      atNode('10.0.0.9:50000 -> 10.0.0.1:8080/tcp'),
    ],
    [
      'takes no packets of another protocol',
      [mapping()],
      { ...toNode, protocol: 17 },
      atNode('10.0.0.9:50000 -> 10.0.0.1:8080/udp'),
    ],
    [
      'takes no packets for another port',
      [mapping()],
      { ...toNode, destinationPort: 8081 },
      atNode('10.0.0.9:50000 -> 10.0.0.1:8081/tcp'),
    ],
    [
      'takes no packets of the other address family',
      [mapping({ VIP: 'fd00::1' })],
      { ...toNode, source: 'fd00::9', destination: 'fd00::1' },
      [
        'node IP stack: drops it (-, documented)',
        'lost: The node has no route to fd00::1. [fd00::9]:50000 -> [fd00::1]:8080/tcp',
      ],
    ],
    [
      'of another type of policy does not exist',
      [policy('PortName', { Protocol: 6, InternalPort: 80, ExternalPort: 8080 })],
      toNode,
      atNode('10.0.0.9:50000 -> 10.0.0.1:8080/tcp'),
    ],
    [
      'may take packets without a port',
      [mapping()],
      withoutPort,
      undecided(dependsOnPort, '10.0.0.9:50000 -> 10.0.0.1/tcp'),
    ],
    [
      'may take packets without a protocol',
      [mapping()],
      withoutProtocol,
      undecided(dependsOnPort, '10.0.0.9:50000 -> 10.0.0.1:8080'),
    ],
    [
      'takes no packets without a port of another protocol',
      [mapping({ Protocol: 17 })],
      withoutPort,
      atNode('10.0.0.9:50000 -> 10.0.0.1/tcp'),
    ],
    [
      'takes no packets without a protocol for another port',
      [mapping()],
      { ...withoutProtocol, destinationPort: 8081 },
      atNode('10.0.0.9:50000 -> 10.0.0.1:8081'),
    ],
    [
      'and a second one of the same port leave open which of them applies',
      [mapping(), mapping({ InternalPort: 81 })],
      toNode,
      undecided(several, '10.0.0.9:50000 -> 10.0.0.1:8080/tcp'),
    ],
  ])('%s', (_, policies, packet, expected) => {
    expect(fromClient(mapped(...policies), packet)).toEqual([expected]);
  });

  test('may not be reached by the node itself', () => {
    expect(fromNode(mapped(mapping()), toNode)).toEqual([
      undecided(ownNodePort, '10.0.0.1:50000 -> 10.0.0.1:8080/tcp'),
    ]);
  });

  test('of a remote endpoint takes no packets', () => {
    const endpoint = { Flags: 1, Policies: [mapping()] };
    expect(fromClient(bridgeState(1, { endpoint }), toNode)).toEqual([
      atNode('10.0.0.9:50000 -> 10.0.0.1:8080/tcp'),
    ]);
  });

  test('reverses the translation for replies', () => {
    const before = { ...toNode, source: '10.0.0.9' };
    const node = mapped(mapping());
    const after = { ...before, destination: '10.244.1.5', destinationPort: 80 };
    const [endpoint] = node.inventory.endpoints;
    if (endpoint === undefined) throw new Error('no pod');
    const state = {
      translations: [{ endpoint: endpoint.ID, by: 'PortMapping', before, after }],
      ports: [endpoint.ID],
    };
    const packet = {
      source: '10.244.1.5',
      destination: '10.0.0.9',
      protocol: 6,
      sourcePort: 80,
      destinationPort: 50_000,
    };
    expect(pathTexts(node, { from: 'pod', endpoint, packet }, state)[0]?.slice(1, 2)).toEqual([
      'port endpoint pod-1: reverses the translation by PortMapping (the port knows the connection, source)',
    ]);
  });
});

describe('a load balancer', () => {
  const port = { Protocol: 6, InternalPort: 80, ExternalPort: 8080 };
  const balancer = (changes: Partial<ObservedLoadBalancer> = {}): ObservedLoadBalancer => ({
    ID: 'd4e6032f-bbf7-4b5a-880f-667bebc65504',
    HostComputeEndpoints: ['pod-1'],
    PortMappings: [port],
    Flags: 1,
    SchemaVersion,
    ...changes,
  });
  const service = { FrontendVIPs: ['10.96.0.10'] };
  const remote = (HostComputeNetwork: string): ObservedEndpoint => ({
    ID: 'remote',
    Name: 'remote',
    HostComputeNetwork,
    IpConfigurations: [{ IpAddress: '10.244.2.5', PrefixLength: 24 }],
    Flags: 1,
    SchemaVersion,
  });
  const bridge = (changes: Partial<ObservedLoadBalancer>, more: Changes = {}) =>
    bridgeState(1, { loadBalancers: [balancer(changes)], others: [remote('bridge-1')], ...more });
  const overlay = (changes: Partial<ObservedLoadBalancer>) =>
    overlayState(1, { loadBalancers: [balancer(changes)], others: [remote('overlay-1')] });
  const rule = 'load balancer d4e6032f';
  const sent = (to: string, from: string) =>
    `node IP stack: sends it to ${to}, port 80, from ${from} (${rule}, documented)`;
  const toOtherNode = [
    'adapter vEthernet (Ethernet): sends it to next hop 10.0.0.2 (route 10.244.2.0/24 via 10.0.0.2 on interface 5, documented)',
    'leaves: It leaves the node to next hop 10.0.0.2. 10.0.0.1:50000 -> 10.244.2.5:80/tcp',
  ];
  const preserveDip = 8;

  test.each<[string, NodeState, Packet, readonly (readonly string[])[]]>([
    [
      'without frontends takes packets for the node',
      bridge({}),
      toNode,
      [[sent('10.244.1.5', '10.0.0.9'), ...received('10.0.0.9:50000 -> 10.244.1.5:80/tcp')]],
    ],
    [
      'takes packets for its frontend',
      bridge(service),
      toService,
      [[sent('10.244.1.5', '10.0.0.9'), ...received('10.0.0.9:50000 -> 10.244.1.5:80/tcp')]],
    ],
    [
      'takes no packets for another port',
      bridge(service),
      { ...toService, destinationPort: 81 },
      [
        [
          'node IP stack: sends it to next hop 10.0.0.254 (route 0.0.0.0/0 via 10.0.0.254 on interface 5, documented)',
          'adapter vEthernet (Ethernet): sends it to next hop 10.0.0.254 (route 0.0.0.0/0 via 10.0.0.254 on interface 5, documented)',
          'leaves: It leaves the node to next hop 10.0.0.254. 10.0.0.9:50000 -> 10.96.0.10:81/tcp',
        ],
      ],
    ],
    [
      'may take packets without a port',
      bridge(service),
      { ...withoutPort, destination: '10.96.0.10' },
      [undecided(dependsOnPort, '10.0.0.9:50000 -> 10.96.0.10/tcp')],
    ],
    [
      'without direct server return and frontends sends from the node',
      bridge({ Flags: 0 }),
      toNode,
      [[sent('10.244.1.5', '10.0.0.1'), ...received('10.0.0.1:50000 -> 10.244.1.5:80/tcp')]],
    ],
    [
      'without direct server return but with a frontend has an uncertain source',
      bridge({ ...service, Flags: 0 }),
      toService,
      [
        undecided(
          'Which source HNS gives the packet depends on its version.',
          '10.0.0.9:50000 -> 10.96.0.10:8080/tcp',
          rule,
          'documented',
        ),
      ],
    ],
    [
      'with EnablePreserveDip has an unknown path',
      bridge({ ...service, PortMappings: [{ ...port, Flags: preserveDip }] }),
      toService,
      [
        undecided(
          'How HNS delivers a packet with EnablePreserveDip is not documented.',
          '10.0.0.9:50000 -> 10.96.0.10:8080/tcp',
          rule,
          'documented',
        ),
      ],
    ],
    [
      'with other flags of its port delivers as without',
      bridge({ ...service, PortMappings: [{ ...port, Flags: 1 | 2 | 4 | 16 }] }),
      toService,
      [[sent('10.244.1.5', '10.0.0.9'), ...received('10.0.0.9:50000 -> 10.244.1.5:80/tcp')]],
    ],
    [
      'without existing backends loses packets',
      bridge({ ...service, HostComputeEndpoints: ['gone'] }),
      toService,
      [
        [
          `node IP stack: drops it (${rule}, documented)`,
          `lost: The backends of ${rule} do not exist. 10.0.0.9:50000 -> 10.96.0.10:8080/tcp`,
        ],
      ],
    ],
    [
      'with direct server return and a backend on another node has an uncertain source',
      bridge({ ...service, HostComputeEndpoints: ['remote'] }),
      toService,
      [
        [
          `node IP stack: may send it to another node (${rule}, documented)`,
          'unknown: Which source HNS gives a packet for a backend on another node with direct server return is not documented. ' +
            '10.0.0.9:50000 -> 10.96.0.10:8080/tcp',
        ],
      ],
    ],
    [
      'without direct server return sends to another node from this one',
      bridge({ Flags: 0, HostComputeEndpoints: ['remote'] }),
      toNode,
      [[sent('10.244.2.5', '10.0.0.1'), ...toOtherNode]],
    ],
    [
      'of an Overlay network encapsulates packets for another node',
      overlay({ Flags: 0, SourceVIP: '10.244.1.99', HostComputeEndpoints: ['remote'] }),
      toNode,
      [
        [
          sent('10.244.2.5', '10.244.1.99'),
          'virtual switch flannel.4096: encapsulates it for node 10.0.0.2 (RemoteSubnetRoute 10.244.2.0/24, source)',
          'adapter vEthernet (Ethernet): sends it to next hop 10.0.0.2 (route 10.0.0.0/24 on-link on interface 5, documented)',
          'leaves: It leaves the node to next hop 10.0.0.2. 10.244.1.99:50000 -> 10.244.2.5:80/tcp',
        ],
      ],
    ],
    [
      'chooses one of its backends',
      bridge({ Flags: 0, HostComputeEndpoints: ['pod-1', 'remote'] }),
      toNode,
      [
        [sent('10.244.1.5', '10.0.0.1'), ...received('10.0.0.1:50000 -> 10.244.1.5:80/tcp')],
        [sent('10.244.2.5', '10.0.0.1'), ...toOtherNode],
      ],
    ],
    [
      'and a second one of the same frontend leave open which of them applies',
      bridge(service, { loadBalancers: [balancer(service), balancer(service)] }),
      toService,
      [undecided(several, '10.0.0.9:50000 -> 10.96.0.10:8080/tcp')],
    ],
    [
      'and a port mapping of the same port leave open which of them applies',
      bridge({}, { endpoint: { Policies: [policy('PortMapping', { ...port })] } }),
      toNode,
      [undecided(several, '10.0.0.9:50000 -> 10.0.0.1:8080/tcp')],
    ],
  ])('%s', (_, node, packet, expected) => {
    expect(fromClient(node, packet)).toEqual(expected);
  });

  test.each<[string, NodeState, Packet, readonly (readonly string[])[]]>([
    [
      'without frontends may not be reached by the node itself',
      bridge({}),
      toNode,
      [undecided(ownNodePort, '10.0.0.1:50000 -> 10.0.0.1:8080/tcp')],
    ],
    [
      'takes packets of the node for its frontend',
      bridge(service),
      toService,
      [[sent('10.244.1.5', '10.0.0.1'), ...received('10.0.0.1:50000 -> 10.244.1.5:80/tcp')]],
    ],
    [
      'gives packets of the node its source VIP',
      bridge({ ...service, Flags: 0, SourceVIP: '10.244.1.99' }),
      toService,
      [[sent('10.244.1.5', '10.244.1.99'), ...received('10.244.1.99:50000 -> 10.244.1.5:80/tcp')]],
    ],
    [
      'with direct server return sends packets of the node to another node',
      bridge({ ...service, HostComputeEndpoints: ['remote'] }),
      toService,
      [[sent('10.244.2.5', '10.0.0.1'), ...toOtherNode]],
    ],
    [
      'with direct server return has an uncertain source for a remote backend on Overlay',
      overlay({ ...service, HostComputeEndpoints: ['remote'] }),
      toService,
      [
        [
          `node IP stack: may send it to another node (${rule}, documented)`,
          'unknown: Which source HNS gives a packet for a backend on another node with direct server return is not documented. ' +
            '10.0.0.1:50000 -> 10.96.0.10:8080/tcp',
        ],
      ],
    ],
  ])('%s', (_, node, packet, expected) => {
    expect(fromNode(node, packet)).toEqual(expected);
  });
});

describe('a load balancer of the node', () => {
  const acl = (LocalPorts: string, Action: string) =>
    policy('ACL', { Direction: 'In', Action, Priority: 100, Protocols: '6', LocalPorts });
  const behind = (...Policies: readonly Policy[]) =>
    fromClient(
      bridgeState(1, {
        endpoint: { Policies },
        loadBalancers: [
          {
            ID: 'd4e6032f-bbf7-4b5a-880f-667bebc65504',
            HostComputeEndpoints: ['pod-1'],
            FrontendVIPs: ['10.96.0.10'],
            PortMappings: [{ Protocol: 6, InternalPort: 80, ExternalPort: 8080 }],
            Flags: 1,
            SchemaVersion,
          },
        ],
      }),
      toService,
    ).map((path) => path.slice(1));

  test('has an unknown decision if ACLs decide differently before and after the translation', () => {
    expect(behind(acl('80', 'Allow'))).toEqual([
      [
        'port endpoint pod-1: may block it (In ACLs, inferred)',
        'unknown: ACLs may block it: they decide differently before and after the translation, and HNS does not document which of the two they see. 10.0.0.9:50000 -> 10.244.1.5:80/tcp',
      ],
    ]);
  });

  test('names the ACLs whose decision after the translation is unknown', () => {
    expect(behind(acl('80', 'Allow'), acl('80', 'Block'))).toEqual([
      [
        'port endpoint pod-1: may block it (ACLs with priority 100 conflict, inferred)',
        'unknown: ACLs may block it: ACLs with priority 100 conflict. 10.0.0.9:50000 -> 10.244.1.5:80/tcp',
      ],
    ]);
  });

  test('without frontends is a node port, even if the list of frontends is empty', () => {
    const { inventory, ...rest } = bridgeState(1);
    const loadBalancers: readonly ObservedLoadBalancer[] = [
      {
        ID: 'd4e6032f-bbf7-4b5a-880f-667bebc65504',
        HostComputeEndpoints: ['pod-1'],
        FrontendVIPs: [],
        PortMappings: [{ Protocol: 6, InternalPort: 80, ExternalPort: 8080 }],
        Flags: 1,
        SchemaVersion,
      },
    ];
    expect(fromNode({ ...rest, inventory: { ...inventory, loadBalancers } }, toNode)).toEqual([
      undecided(ownNodePort, '10.0.0.1:50000 -> 10.0.0.1:8080/tcp'),
    ]);
  });
});
