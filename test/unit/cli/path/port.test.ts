import { describe, expect, test } from 'vitest';
import type { NodeState } from '../../../../src/cli/path/node-state.ts';
import type { Packet } from '../../../../src/cli/path/packet.ts';
import { newConnection } from '../../../../src/cli/path/walk.ts';
import type { ObservedEndpoint, ObservedLoadBalancer, Policy } from '../../../../src/hcn/documents.ts';
import { bridgeState, type Changes, outboundNat, podNamespace, policy } from '../../../cluster/states.ts';
import { pathTexts } from './path-text.ts';

const SchemaVersion = { Major: 2, Minor: 0 };
const ports = { protocol: 6, sourcePort: 50_000, destinationPort: 80 };

/** The paths of a packet of the pod 10.244.1.5, to the end of its port. */
function fromPod(
  node: NodeState,
  destination: string,
  given: Partial<Packet> = ports,
  state = newConnection,
) {
  const endpoint = node.inventory.endpoints.find(({ ID }) => ID === 'pod-1');
  if (endpoint === undefined) throw new Error('no pod');
  const packet = { source: '10.244.1.5', destination, ...given };
  return pathTexts(node, { from: 'pod', endpoint, packet }, state).map((path) =>
    path.filter((line) => /^(pod|port|lost|unknown)/.test(line)),
  );
}

/** The paths of a packet of the node for the pod 10.244.1.5. */
function toPod(node: NodeState, given: Partial<Packet> = ports) {
  const packet = { source: '10.244.1.2', destination: '10.244.1.5', ...given };
  return pathTexts(node, { from: 'node', packet }).map((path) => path.slice(2));
}

const withPolicies = (...Policies: readonly Policy[]) => bridgeState(1, { endpoint: { Policies } });
const acl = (Direction: string, Action: string, Priority: number | undefined, changes: object = {}) =>
  policy('ACL', { Direction, Action, ...(Priority !== undefined && { Priority }), ...changes });
const withNetworkPolicy = (Type: string) =>
  bridgeState(1, {
    network: { Policies: [policy('NetAdapterName', { NetworkAdapterName: 'Ethernet' }), policy(Type)] },
  });
const { destinationPort: _port, ...withoutPort } = ports;
const onPort80 = { Protocols: '6', RemotePorts: '80' };

const port = { Protocol: 6, InternalPort: 8080, ExternalPort: 80 };
const balancer = (changes: Partial<ObservedLoadBalancer> = {}): ObservedLoadBalancer => ({
  ID: 'd4e6032f-bbf7-4b5a-880f-667bebc65504',
  HostComputeEndpoints: ['backend'],
  FrontendVIPs: ['10.96.0.10'],
  PortMappings: [port],
  Flags: 1,
  SchemaVersion,
  ...changes,
});
const backend = (HostComputeNetwork = 'bridge-1'): ObservedEndpoint => ({
  ID: 'backend',
  Name: 'backend',
  HostComputeNetwork,
  HostComputeNamespace: podNamespace,
  IpConfigurations: [{ IpAddress: '10.244.1.9', PrefixLength: 24 }],
  SchemaVersion,
});
const balanced = (changes: Partial<ObservedLoadBalancer>, more: Changes = {}) =>
  bridgeState(1, { loadBalancers: [balancer(changes)], others: [backend()], ...more });
const loopback = [policy('OutBoundNAT', { Destinations: ['10.244.1.5'], VirtualIP: '10.244.1.99' })];

/** A client has reached the pod through a port mapping. */
const before: Packet = {
  source: '10.0.0.9',
  destination: '10.0.0.1',
  protocol: 6,
  sourcePort: 80,
  destinationPort: 8080,
};
const mapped = {
  translations: [
    {
      endpoint: 'pod-1',
      by: 'PortMapping',
      before,
      after: { ...before, destination: '10.244.1.5', destinationPort: 50_000 },
    },
  ],
  ports: ['pod-1'],
};
const mapping = policy('PortMapping', { Protocol: 6, InternalPort: 80, ExternalPort: 8080 });
/** The paths of a packet from outside for a port mapping, from the port on. */
const throughMapping = (...Policies: readonly Policy[]) =>
  pathTexts(withPolicies(mapping, ...Policies), {
    from: 'cable',
    frame: { interfaceIndex: 5, nextHop: '10.0.0.1', packet: { ...before, sourcePort: 50_000 } },
  }).map((path) => path.slice(1));

describe('a packet that a pod sends', () => {
  test.each<[string, () => readonly (readonly string[])[], readonly (readonly string[])[]]>([
    [
      'to itself does not leave it',
      () => fromPod(bridgeState(1), '10.244.1.5'),
      [['pod endpoint pod-1: delivers it to itself (-, documented)']],
    ],
    [
      'to a loopback address does not leave it',
      () => fromPod(bridgeState(1), '127.0.0.1'),
      [['pod endpoint pod-1: delivers it to itself (-, documented)']],
    ],
    [
      'to its own subnet is sent on-link',
      () => fromPod(bridgeState(1), '10.244.1.77'),
      [
        [
          'pod endpoint pod-1: sends it on-link (route 10.244.1.5/24 on-link, documented)',
          'port endpoint pod-1: allows it (no ACL, documented)',
          'port endpoint pod-1: keeps the source (OutBoundNAT policy 1: exception 10.244.0.0/16, documented)',
          'lost: No endpoint of network "cbr0" has address 10.244.1.77. 10.244.1.5:50000 -> 10.244.1.77:80/tcp',
        ],
      ],
    ],
    [
      'to no unicast address has an unknown path',
      () => fromPod(bridgeState(1), '224.0.0.1'),
      [
        [
          'pod endpoint pod-1: sends it to next hop 10.244.1.2 (route 0.0.0.0/0 via 10.244.1.2, documented)',
          'port endpoint pod-1: may forward it (not a unicast address, inferred)',
          'unknown: 224.0.0.1 is not a unicast address, and HNS does not document how it handles it. 10.244.1.5:50000 -> 224.0.0.1:80/tcp',
        ],
      ],
    ],
    [
      'is lost if the network is gone',
      () => fromPod(bridgeState(1, { endpoint: { HostComputeNetwork: 'gone' } }), '10.244.2.5'),
      [
        [
          'pod endpoint pod-1: sends it to next hop 10.244.1.2 (route 0.0.0.0/0 via 10.244.1.2, documented)',
          'port endpoint pod-1: allows it (no ACL, documented)',
          'port endpoint pod-1: keeps the source (OutBoundNAT policy 1: exception 10.244.0.0/16, documented)',
          'lost: The network of the endpoint is gone. 10.244.1.5:50000 -> 10.244.2.5:80/tcp',
        ],
      ],
    ],
    [
      'may be intercepted by a proxy',
      () =>
        fromPod(
          withPolicies(
            policy('L4WFPPROXY', {
              OutboundProxyPort: '15001',
              FilterTuple: { Protocols: '6', RemotePorts: '80' },
            }),
          ),
          '10.244.2.5',
        ),
      [
        [
          'pod endpoint pod-1: sends it to next hop 10.244.1.2 (route 0.0.0.0/0 via 10.244.1.2, documented)',
          'port endpoint pod-1: may send it to a proxy (policy 1, documented)',
          'unknown: A proxy in the pod may intercept the packet. 10.244.1.5:50000 -> 10.244.2.5:80/tcp',
        ],
      ],
    ],
    [
      'may be intercepted by a proxy if its port is unknown',
      () =>
        fromPod(
          withPolicies(
            policy('L4WFPPROXY', {
              OutboundProxyPort: '15001',
              FilterTuple: { Protocols: '6', RemotePorts: '80' },
            }),
          ),
          '10.244.2.5',
          withoutPort,
        ),
      [
        [
          'pod endpoint pod-1: sends it to next hop 10.244.1.2 (route 0.0.0.0/0 via 10.244.1.2, documented)',
          'port endpoint pod-1: may send it to a proxy (L4WFPPROXY (policy 1), documented)',
          'unknown: A proxy in the pod may intercept the packet. 10.244.1.5:50000 -> 10.244.2.5/tcp',
        ],
      ],
    ],
    [
      'may be intercepted by a proxy of the network',
      () => fromPod(withNetworkPolicy('L4Proxy'), '10.244.2.5'),
      [
        [
          'pod endpoint pod-1: sends it to next hop 10.244.1.2 (route 0.0.0.0/0 via 10.244.1.2, documented)',
          'port endpoint pod-1: may send it to a proxy (L4Proxy, documented)',
          'unknown: A proxy in the pod may intercept the packet. 10.244.1.5:50000 -> 10.244.2.5:80/tcp',
        ],
      ],
    ],
    [
      'is blocked by an Out ACL',
      () => fromPod(withPolicies(acl('Out', 'Block', 100, onPort80)), '10.244.2.5'),
      [
        [
          'pod endpoint pod-1: sends it to next hop 10.244.1.2 (route 0.0.0.0/0 via 10.244.1.2, documented)',
          'port endpoint pod-1: blocks it (Out ACL with priority 100 (tcp, remote port 80), documented)',
          'lost: Out ACL with priority 100 (tcp, remote port 80) blocks it. 10.244.1.5:50000 -> 10.244.2.5:80/tcp',
        ],
      ],
    ],
    [
      'is allowed by an Out ACL',
      () => fromPod(withPolicies(acl('Out', 'Allow', 100, onPort80), acl('Out', 'Block', 200)), '10.244.2.5'),
      [
        [
          'pod endpoint pod-1: sends it to next hop 10.244.1.2 (route 0.0.0.0/0 via 10.244.1.2, documented)',
          'port endpoint pod-1: allows it (Out ACL with priority 100 (tcp, remote port 80), documented)',
          'port endpoint pod-1: keeps the source (no OutBoundNAT policy, documented)',
        ],
      ],
    ],
    [
      'is blocked if no Out ACL allows it',
      () =>
        fromPod(withPolicies(acl('Out', 'Allow', 100, { RemotePorts: '443', Protocols: '6' })), '10.244.2.5'),
      [
        [
          'pod endpoint pod-1: sends it to next hop 10.244.1.2 (route 0.0.0.0/0 via 10.244.1.2, documented)',
          'port endpoint pod-1: blocks it (no Out ACL matches, reported)',
          'lost: No ACL allows it: once an endpoint has an ACL, HNS blocks all traffic without a match. 10.244.1.5:50000 -> 10.244.2.5:80/tcp',
        ],
      ],
    ],
    [
      'is blocked if its pod has only In ACLs',
      () => fromPod(withPolicies(acl('In', 'Block', 100)), '10.244.2.5'),
      [
        [
          'pod endpoint pod-1: sends it to next hop 10.244.1.2 (route 0.0.0.0/0 via 10.244.1.2, documented)',
          'port endpoint pod-1: blocks it (no Out ACL matches, reported)',
          'lost: No ACL allows it: once an endpoint has an ACL, HNS blocks all traffic without a match. 10.244.1.5:50000 -> 10.244.2.5:80/tcp',
        ],
      ],
    ],
    [
      'may be blocked if its port is unknown',
      () =>
        fromPod(
          withPolicies(acl('Out', 'Block', 100, onPort80), acl('Out', 'Allow', 200)),
          '10.244.2.5',
          withoutPort,
        ),
      [
        [
          'pod endpoint pod-1: sends it to next hop 10.244.1.2 (route 0.0.0.0/0 via 10.244.1.2, documented)',
          'port endpoint pod-1: may block it (Out ACLs, inferred)',
          'unknown: ACLs may block it: the remote port is not given. 10.244.1.5:50000 -> 10.244.2.5/tcp',
        ],
      ],
    ],
    [
      'may be blocked if ACLs of one priority conflict',
      () => fromPod(withPolicies(acl('Out', 'Block', 100), acl('Out', 'Allow', 100)), '10.244.2.5'),
      [
        [
          'pod endpoint pod-1: sends it to next hop 10.244.1.2 (route 0.0.0.0/0 via 10.244.1.2, documented)',
          'port endpoint pod-1: may block it (Out ACLs, inferred)',
          'unknown: ACLs may block it: ACLs with priority 100 conflict, and HNS does not document which one applies. 10.244.1.5:50000 -> 10.244.2.5:80/tcp',
        ],
      ],
    ],
    [
      "has the node's address",
      () => fromPod(withPolicies(outboundNat()), '10.244.2.5'),
      [
        [
          'pod endpoint pod-1: sends it to next hop 10.244.1.2 (route 0.0.0.0/0 via 10.244.1.2, documented)',
          'port endpoint pod-1: allows it (no ACL, documented)',
          'port endpoint pod-1: translates the source to 10.0.0.1 (OutBoundNAT policy 1: all other destinations, documented)',
        ],
      ],
    ],
    [
      'keeps its source for an exception',
      () => fromPod(withPolicies(outboundNat('10.244.0.0/16')), '10.244.2.5'),
      [
        [
          'pod endpoint pod-1: sends it to next hop 10.244.1.2 (route 0.0.0.0/0 via 10.244.1.2, documented)',
          'port endpoint pod-1: allows it (no ACL, documented)',
          'port endpoint pod-1: keeps the source (OutBoundNAT policy 1: exception 10.244.0.0/16, documented)',
        ],
      ],
    ],
    [
      'has the VirtualIP of its policy',
      () => fromPod(withPolicies(policy('OutBoundNAT', { VirtualIP: '10.244.1.99' })), '10.244.2.5'),
      [
        [
          'pod endpoint pod-1: sends it to next hop 10.244.1.2 (route 0.0.0.0/0 via 10.244.1.2, documented)',
          'port endpoint pod-1: allows it (no ACL, documented)',
          'port endpoint pod-1: translates the source to 10.244.1.99 (OutBoundNAT policy 1: all other destinations, documented)',
        ],
      ],
    ],
    [
      'has an unknown source if the VirtualIP is none',
      () => fromPod(withPolicies(policy('OutBoundNAT', { VirtualIP: '10.244.1.999' })), '10.244.2.5'),
      [
        [
          'pod endpoint pod-1: sends it to next hop 10.244.1.2 (route 0.0.0.0/0 via 10.244.1.2, documented)',
          'port endpoint pod-1: allows it (no ACL, documented)',
          'port endpoint pod-1: may translate it (OutBoundNAT policy 1: all other destinations, documented)',
          'unknown: The new source of the packet is not known. 10.244.1.5:50000 -> 10.244.2.5:80/tcp',
        ],
      ],
    ],
    [
      'has an unknown source if the address of the node is unknown',
      () => fromPod({ ...withPolicies(outboundNat()), adapters: [] }, '10.244.2.5'),
      [
        [
          'pod endpoint pod-1: sends it to next hop 10.244.1.2 (route 0.0.0.0/0 via 10.244.1.2, documented)',
          'port endpoint pod-1: allows it (no ACL, documented)',
          'port endpoint pod-1: may translate it (OutBoundNAT policy 1: all other destinations, documented)',
          'unknown: The new source of the packet is not known. 10.244.1.5:50000 -> 10.244.2.5:80/tcp',
        ],
      ],
    ],
    [
      'has an unknown source for a protocol without ports',
      () => fromPod(withPolicies(outboundNat()), '10.244.2.5', { protocol: 1 }),
      [
        [
          'pod endpoint pod-1: sends it to next hop 10.244.1.2 (route 0.0.0.0/0 via 10.244.1.2, documented)',
          'port endpoint pod-1: allows it (no ACL, documented)',
          'port endpoint pod-1: may translate it (OutBoundNAT policy 1: all other destinations, documented)',
          'unknown: Without ports the translation is uncertain: Kubernetes documents that HNS translates only TCP and UDP, but users report working pings. 10.244.1.5 -> 10.244.2.5/icmp',
        ],
      ],
    ],
  ])('%s', (_, actual, expected) => {
    expect(actual()).toEqual(expected);
  });
});

describe('a packet that a pod sends to a load balancer', () => {
  test.each<[string, () => readonly (readonly string[])[], readonly (readonly string[])[]]>([
    [
      'is translated to its backend',
      () => fromPod(balanced({}), '10.96.0.10'),
      [
        [
          'pod endpoint pod-1: sends it to next hop 10.244.1.2 (route 0.0.0.0/0 via 10.244.1.2, documented)',
          'port endpoint pod-1: allows it (no ACL, documented)',
          'port endpoint pod-1: translates the destination to 10.244.1.9 and the port to 8080 (load balancer d4e6032f, documented)',
          'port endpoint backend: allows it (no ACL, documented)',
          'pod endpoint backend: receives it (-, documented)',
        ],
      ],
    ],
    [
      'is lost without existing backends',
      () => fromPod(balanced({ HostComputeEndpoints: ['gone'] }), '10.96.0.10'),
      [
        [
          'pod endpoint pod-1: sends it to next hop 10.244.1.2 (route 0.0.0.0/0 via 10.244.1.2, documented)',
          'port endpoint pod-1: allows it (no ACL, documented)',
          'port endpoint pod-1: drops it (load balancer d4e6032f, documented)',
          'lost: The backends of load balancer d4e6032f do not exist. 10.244.1.5:50000 -> 10.96.0.10:80/tcp',
        ],
      ],
    ],
    [
      'may be redirected if its port is unknown',
      () => fromPod(balanced({}), '10.96.0.10', withoutPort),
      [
        [
          'pod endpoint pod-1: sends it to next hop 10.244.1.2 (route 0.0.0.0/0 via 10.244.1.2, documented)',
          'port endpoint pod-1: may redirect it (load balancer, documented)',
          'unknown: A load balancer may redirect the traffic, d4e6032f (80/tcp): the remote port is not given. 10.244.1.5:50000 -> 10.96.0.10/tcp',
        ],
      ],
    ],
    [
      'may be redirected if the backends are on another network',
      () => fromPod(balanced({}, { others: [backend('other')] }), '10.96.0.10'),
      [
        [
          'pod endpoint pod-1: sends it to next hop 10.244.1.2 (route 0.0.0.0/0 via 10.244.1.2, documented)',
          'port endpoint pod-1: may redirect it (load balancer, documented)',
          'unknown: A load balancer may redirect the traffic, d4e6032f (80/tcp): its backends are on network other. 10.244.1.5:50000 -> 10.96.0.10:80/tcp',
        ],
      ],
    ],
    [
      'is lost if the pod is the backend and has no loopbackDSR',
      () => fromPod(balanced({ HostComputeEndpoints: ['pod-1'] }), '10.96.0.10'),
      [
        [
          'pod endpoint pod-1: sends it to next hop 10.244.1.2 (route 0.0.0.0/0 via 10.244.1.2, documented)',
          'port endpoint pod-1: allows it (no ACL, documented)',
          'port endpoint pod-1: drops it (load balancer d4e6032f, documented)',
          'lost: Load balancer d4e6032f sends it back to the pod, which has no loopbackDSR. 10.244.1.5:50000 -> 10.96.0.10:80/tcp',
        ],
      ],
    ],
    [
      'returns to the pod with the address of its loopbackDSR',
      () =>
        fromPod(
          balanced({ HostComputeEndpoints: ['pod-1'] }, { endpoint: { Policies: loopback } }),
          '10.96.0.10',
        ),
      [
        [
          'pod endpoint pod-1: sends it to next hop 10.244.1.2 (route 0.0.0.0/0 via 10.244.1.2, documented)',
          'port endpoint pod-1: allows it (no ACL, documented)',
          'port endpoint pod-1: translates the source to 10.244.1.99 and the destination to 10.244.1.5 and the port to 8080 (load balancer d4e6032f, documented)',
          'port endpoint pod-1: allows it (no ACL, documented)',
          'pod endpoint pod-1: receives it (-, documented)',
        ],
      ],
    ],
    [
      'has the source VIP without direct server return',
      () => fromPod(balanced({ Flags: 0, SourceVIP: '10.244.1.98' }), '10.96.0.10'),
      [
        [
          'pod endpoint pod-1: sends it to next hop 10.244.1.2 (route 0.0.0.0/0 via 10.244.1.2, documented)',
          'port endpoint pod-1: allows it (no ACL, documented)',
          'port endpoint pod-1: translates the source to 10.244.1.98 and the destination to 10.244.1.9 and the port to 8080 (load balancer d4e6032f, documented)',
          'port endpoint backend: allows it (no ACL, documented)',
          'pod endpoint backend: receives it (-, documented)',
        ],
      ],
    ],
    [
      'has an unknown source without direct server return and source VIP',
      () => fromPod(balanced({ Flags: 0 }), '10.96.0.10'),
      [
        [
          'pod endpoint pod-1: sends it to next hop 10.244.1.2 (route 0.0.0.0/0 via 10.244.1.2, documented)',
          'port endpoint pod-1: allows it (no ACL, documented)',
          'port endpoint pod-1: may translate it (load balancer d4e6032f, documented)',
          "unknown: Without direct server return, HNS translates the source to a node address, or on some versions to the load balancer's address; OutBoundNAT does not apply. 10.244.1.5:50000 -> 10.96.0.10:80/tcp",
        ],
      ],
    ],
    [
      'has an unknown source if OutBoundNAT decides differently for the backend',
      () => fromPod(balanced({}, { endpoint: { Policies: [outboundNat('10.244.0.0/16')] } }), '10.96.0.10'),
      [
        [
          'pod endpoint pod-1: sends it to next hop 10.244.1.2 (route 0.0.0.0/0 via 10.244.1.2, documented)',
          'port endpoint pod-1: allows it (no ACL, documented)',
          'port endpoint pod-1: may translate it (load balancer d4e6032f, documented)',
          'unknown: For the backends 10.244.1.9 the policies give the opposite result, and HNS does not document which address it compares. Add the load balancer address to the exceptions. 10.244.1.5:50000 -> 10.96.0.10:80/tcp',
        ],
      ],
    ],
    [
      'has an unknown path with EnablePreserveDip',
      () => fromPod(balanced({ PortMappings: [{ ...port, Flags: 8 }] }), '10.96.0.10'),
      [
        [
          'pod endpoint pod-1: sends it to next hop 10.244.1.2 (route 0.0.0.0/0 via 10.244.1.2, documented)',
          'port endpoint pod-1: allows it (no ACL, documented)',
          'port endpoint pod-1: may translate it (load balancer d4e6032f, documented)',
          'unknown: How HNS delivers a packet with EnablePreserveDip is not documented. 10.244.1.5:50000 -> 10.96.0.10:80/tcp',
        ],
      ],
    ],
    [
      'is blocked by an ACL for both addresses',
      () => fromPod(balanced({}, { endpoint: { Policies: [acl('Out', 'Block', 100)] } }), '10.96.0.10'),
      [
        [
          'pod endpoint pod-1: sends it to next hop 10.244.1.2 (route 0.0.0.0/0 via 10.244.1.2, documented)',
          'port endpoint pod-1: blocks it (Out ACL with priority 100 (everything), documented)',
          'lost: Out ACL with priority 100 (everything) blocks it. 10.244.1.5:50000 -> 10.96.0.10:80/tcp',
        ],
      ],
    ],
    [
      'may be blocked by an ACL for the backend',
      () =>
        fromPod(
          balanced(
            {},
            {
              endpoint: {
                Policies: [
                  acl('Out', 'Block', 100, { RemoteAddresses: '10.244.1.9' }),
                  acl('Out', 'Allow', 200),
                ],
              },
            },
          ),
          '10.96.0.10',
        ),
      [
        [
          'pod endpoint pod-1: sends it to next hop 10.244.1.2 (route 0.0.0.0/0 via 10.244.1.2, documented)',
          'port endpoint pod-1: may block it (Out ACLs, inferred)',
          'unknown: ACLs may block it: they block 10.244.1.9:8080/tcp, not 10.96.0.10:80/tcp, and HNS does not document whether they see the address of the load balancer or of the backend. 10.244.1.5:50000 -> 10.96.0.10:80/tcp',
        ],
      ],
    ],
  ])('%s', (_, actual, expected) => {
    expect(actual()).toEqual(expected);
  });
});

describe('a reply that a pod sends', () => {
  test.each<[string, () => readonly (readonly string[])[], readonly (readonly string[])[]]>([
    [
      'passes its ACLs',
      () =>
        fromPod(withPolicies(acl('Out', 'Block', 100)), '10.244.2.5', ports, {
          translations: [],
          ports: ['pod-1'],
        }),
      [
        [
          'pod endpoint pod-1: sends it to next hop 10.244.1.2 (route 0.0.0.0/0 via 10.244.1.2, documented)',
          'port endpoint pod-1: lets the reply pass (the port knows the connection, source)',
        ],
      ],
    ],
    [
      'has the address of the port mapping that the client used',
      () => fromPod(withPolicies(mapping), '10.0.0.9', ports, mapped),
      [
        [
          'pod endpoint pod-1: sends it to next hop 10.244.1.2 (route 0.0.0.0/0 via 10.244.1.2, documented)',
          'port endpoint pod-1: reverses the translation by PortMapping (the port knows the connection, source)',
        ],
      ],
    ],
    [
      'to another client keeps its source',
      () => fromPod(withPolicies(mapping), '10.0.0.8', ports, mapped),
      [
        [
          'pod endpoint pod-1: sends it to next hop 10.244.1.2 (route 0.0.0.0/0 via 10.244.1.2, documented)',
          'port endpoint pod-1: lets the reply pass (the port knows the connection, source)',
        ],
      ],
    ],
  ])('%s', (_, actual, expected) => {
    expect(actual()).toEqual(expected);
  });
});

describe('a packet for a pod', () => {
  test.each<[string, () => readonly (readonly string[])[], readonly (readonly string[])[]]>([
    [
      'arrives without ACLs',
      () => toPod(bridgeState(1)),
      [
        [
          'port endpoint pod-1: allows it (no ACL, documented)',
          'pod endpoint pod-1: receives it (-, documented)',
          'arrives: The pod receives it. 10.244.1.2:50000 -> 10.244.1.5:80/tcp',
        ],
      ],
    ],
    [
      'is lost without a namespace',
      () => toPod(bridgeState(1, { endpoint: { HostComputeNamespace: '' } })),
      [
        [
          'port endpoint pod-1: drops it (-, documented)',
          'lost: The endpoint is in no namespace: no pod receives the packet. 10.244.1.2:50000 -> 10.244.1.5:80/tcp',
        ],
      ],
    ],
    [
      'is blocked by an In ACL',
      () => toPod(withPolicies(acl('In', 'Block', 100, { Protocols: '6', LocalPorts: '80' }))),
      [
        [
          'port endpoint pod-1: blocks it (In ACL with priority 100 (tcp, local port 80), documented)',
          'lost: In ACL with priority 100 (tcp, local port 80) blocks it. 10.244.1.2:50000 -> 10.244.1.5:80/tcp',
        ],
      ],
    ],
    [
      'is allowed by an In ACL',
      () => toPod(withPolicies(acl('In', 'Allow', 100, { RemoteAddresses: '10.244.1.2' }))),
      [
        [
          'port endpoint pod-1: allows it (In ACL with priority 100 (any protocol, remote 10.244.1.2), documented)',
          'pod endpoint pod-1: receives it (-, documented)',
          'arrives: The pod receives it. 10.244.1.2:50000 -> 10.244.1.5:80/tcp',
        ],
      ],
    ],
    [
      'is blocked if no In ACL allows it',
      () => toPod(withPolicies(acl('In', 'Allow', 100, { RemoteAddresses: '10.0.0.9' }))),
      [
        [
          'port endpoint pod-1: blocks it (no In ACL matches, reported)',
          'lost: No ACL allows it: once an endpoint has an ACL, HNS blocks all traffic without a match. 10.244.1.2:50000 -> 10.244.1.5:80/tcp',
        ],
      ],
    ],
    [
      'is blocked if its pod has only Out ACLs',
      () => toPod(withPolicies(acl('Out', 'Block', 100))),
      [
        [
          'port endpoint pod-1: blocks it (no In ACL matches, reported)',
          'lost: No ACL allows it: once an endpoint has an ACL, HNS blocks all traffic without a match. 10.244.1.2:50000 -> 10.244.1.5:80/tcp',
        ],
      ],
    ],
    [
      'may be blocked if its port is unknown',
      () =>
        toPod(
          withPolicies(
            acl('In', 'Block', 100, { Protocols: '6', LocalPorts: '80' }),
            acl('In', 'Allow', 200),
          ),
          withoutPort,
        ),
      [
        [
          'port endpoint pod-1: may block it (the local port is not given, inferred)',
          'unknown: ACLs may block it: the local port is not given. 10.244.1.2:50000 -> 10.244.1.5/tcp',
        ],
      ],
    ],
    [
      'may be blocked if ACLs of one priority conflict',
      () => toPod(withPolicies(acl('In', 'Block', 100), acl('In', 'Allow', 100))),
      [
        [
          'port endpoint pod-1: may block it (ACLs with priority 100 conflict, inferred)',
          'unknown: ACLs may block it: ACLs with priority 100 conflict. 10.244.1.2:50000 -> 10.244.1.5:80/tcp',
        ],
      ],
    ],
    [
      'may be blocked if ACLs without a priority conflict',
      () => toPod(withPolicies(acl('In', 'Block', undefined), acl('In', 'Allow', undefined))),
      [
        [
          'port endpoint pod-1: may block it (ACLs with no priority conflict, inferred)',
          'unknown: ACLs may block it: ACLs with no priority conflict. 10.244.1.2:50000 -> 10.244.1.5:80/tcp',
        ],
      ],
    ],
    [
      'may be blocked if ACLs of both RuleTypes decide differently',
      () =>
        toPod(
          withPolicies(
            acl('In', 'Allow', 100, { RuleType: 'Host' }),
            acl('In', 'Block', 200, { RuleType: 'Switch' }),
          ),
        ),
      [
        [
          'port endpoint pod-1: may block it (ACLs with RuleType Host and Switch decide differently, and HNS does not document which ones apply, inferred)',
          'unknown: ACLs may block it: ACLs with RuleType Host and Switch decide differently, and HNS does not document which ones apply. 10.244.1.2:50000 -> 10.244.1.5:80/tcp',
        ],
      ],
    ],
    [
      'may be blocked by TierAcl policies',
      () => toPod(withPolicies(policy('TierAcl'))),
      [
        [
          'port endpoint pod-1: may block it (the endpoint has TierAcl policies, which explain-acl does not evaluate, inferred)',
          'unknown: ACLs may block it: the endpoint has TierAcl policies, which explain-acl does not evaluate. 10.244.1.2:50000 -> 10.244.1.5:80/tcp',
        ],
      ],
    ],
    [
      'may be blocked by NetworkACL policies',
      () => toPod(withNetworkPolicy('NetworkACL')),
      [
        [
          'port endpoint pod-1: may block it (network "cbr0" has NetworkACL policies, which explain-acl does not evaluate, inferred)',
          'unknown: ACLs may block it: network "cbr0" has NetworkACL policies, which explain-acl does not evaluate. 10.244.1.2:50000 -> 10.244.1.5:80/tcp',
        ],
      ],
    ],
  ])('%s', (_, actual, expected) => {
    expect(actual()).toEqual(expected);
  });
});

describe('a packet for a pod through a port mapping', () => {
  test.each<[string, () => readonly (readonly string[])[], readonly (readonly string[])[]]>([
    [
      'is allowed by ACLs for both ports',
      () => throughMapping(acl('In', 'Allow', 100, { Protocols: '6' })),
      [
        [
          'port endpoint pod-1: allows it (In ACL with priority 100 (tcp), documented)',
          'pod endpoint pod-1: receives it (-, documented)',
          'arrives: The pod receives it. 10.0.0.9:50000 -> 10.244.1.5:80/tcp',
        ],
      ],
    ],
    [
      'is blocked by ACLs for both ports',
      () => throughMapping(acl('In', 'Block', 100, { Protocols: '6' })),
      [
        [
          'port endpoint pod-1: blocks it (In ACL with priority 100 (tcp), documented)',
          'lost: In ACL with priority 100 (tcp) blocks it. 10.0.0.9:50000 -> 10.244.1.5:80/tcp',
        ],
      ],
    ],
    [
      'may be blocked by an ACL for one of the ports',
      () =>
        throughMapping(
          acl('In', 'Block', 100, { Protocols: '6', LocalPorts: '8080' }),
          acl('In', 'Allow', 200),
        ),
      [
        [
          'port endpoint pod-1: may block it (In ACLs, inferred)',
          'unknown: ACLs may block it: they decide differently before and after the translation, and HNS does not document which of the two they see. 10.0.0.9:50000 -> 10.244.1.5:80/tcp',
        ],
      ],
    ],
  ])('%s', (_, actual, expected) => {
    expect(actual()).toEqual(expected);
  });
});

describe('the ACLs of a port', () => {
  test('compare the source port of the sender', () => {
    const node = withPolicies(acl('In', 'Allow', 100, { Protocols: '6', RemotePorts: '50000' }));
    expect(toPod(node)).toEqual([
      [
        'port endpoint pod-1: allows it (In ACL with priority 100 (tcp, remote port 50000), documented)',
        'pod endpoint pod-1: receives it (-, documented)',
        'arrives: The pod receives it. 10.244.1.2:50000 -> 10.244.1.5:80/tcp',
      ],
    ]);
  });

  test('are unknown with NetworkACL policies of a network whose name has dots', () => {
    const Policies = [policy('NetAdapterName', { NetworkAdapterName: 'Ethernet' }), policy('NetworkACL')];
    expect(toPod(bridgeState(1, { network: { Name: 'flannel.4096', Policies } }))).toEqual([
      [
        'port endpoint pod-1: may block it (network "flannel.4096" has NetworkACL policies, which explain-acl does not evaluate, inferred)',
        'unknown: ACLs may block it: network "flannel.4096" has NetworkACL policies, which explain-acl does not evaluate. 10.244.1.2:50000 -> 10.244.1.5:80/tcp',
      ],
    ]);
  });
});

describe('of a packet for a load balancer that a pod sends', () => {
  test('only the path back to the pod has the address of its loopbackDSR', () => {
    const node = balanced(
      { HostComputeEndpoints: ['pod-1', 'backend'] },
      { endpoint: { Policies: [...loopback, outboundNat('10.0.0.0/8')] } },
    );
    expect(fromPod(node, '10.96.0.10').map((path) => path.slice(2, 3))).toEqual([
      [
        'port endpoint pod-1: translates the source to 10.244.1.99 and the destination to 10.244.1.5 and the port to 8080 (load balancer d4e6032f, documented)',
      ],
      [
        'port endpoint pod-1: translates the destination to 10.244.1.9 and the port to 8080 (load balancer d4e6032f, documented)',
      ],
    ]);
  });

  test('without frontends, the address is one of the node', () => {
    const { FrontendVIPs: _, ...nodePort } = balancer();
    const node = bridgeState(1, { loadBalancers: [nodePort], others: [backend()] });
    expect(fromPod(node, '10.0.0.1').map((path) => path.slice(2, 3))).toEqual([
      [
        'port endpoint pod-1: translates the destination to 10.244.1.9 and the port to 8080 (load balancer d4e6032f, documented)',
      ],
    ]);
  });
});

test('a source that is unknown for two reasons has the last reason', () => {
  const node = bridgeState(1, {
    endpoint: {
      Policies: [outboundNat()],
      Routes: [{ NextHop: 'fd00:1::1', DestinationPrefix: '::/0' }],
      IpConfigurations: [{ IpAddress: 'fd00:1::5', PrefixLength: 64 }],
    },
  });
  const path = fromPod(node, 'fd00:2::5', { source: 'fd00:1::5', protocol: 58 });
  expect(path.map((lines) => lines.slice(2))).toEqual([
    [
      'port endpoint pod-1: may translate it (OutBoundNAT policy 1: all other destinations, documented)',
      'unknown: The translation of IPv6 is uncertain: this policy lacks the IPv6 flag, and HNS does not document whether it is required. fd00:1::5 -> fd00:2::5/icmpv6',
    ],
  ]);
});
