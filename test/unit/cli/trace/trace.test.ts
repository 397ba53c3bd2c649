import { describe, expect, test } from 'vitest';
import type { ReadNode, Sender } from '../../../../src/cli/trace/predict-path.ts';
import { type Trace, traceFrom } from '../../../../src/cli/trace/trace.ts';
import { parseDestination } from '../../../../src/cli/traffic/destination.ts';
import type { NodeState } from '../../../../src/cli/traffic/node-state.ts';
import type { ObservedEndpoint } from '../../../../src/hcn/documents.ts';
import { bridgeState, type Changes, overlayState, policy } from '../../../cluster/states.ts';

/** The first endpoint of these nodes is the pod 10.244.1.5. */
function podOf({ inventory: { endpoints } }: NodeState): Sender {
  const [endpoint] = endpoints;
  if (endpoint === undefined) throw new Error('the node has no pod');
  return { is: 'pod', endpoint };
}

function trace(
  node: NodeState,
  to: string,
  sender: Sender = podOf(node),
  missing?: NonNullable<ReadNode['missing']>,
): Trace {
  const destination = parseDestination(to);
  if (destination === undefined) throw new Error(`${to} is not a destination`);
  return traceFrom(sender, destination, { node, ...(missing !== undefined && { missing }) });
}

/** A load balancer as kube-proxy creates it. */
const service: NodeState['inventory']['loadBalancers'][number] = {
  ID: 'lb',
  HostComputeEndpoints: ['pod-1'],
  FrontendVIPs: ['10.96.0.10'],
  PortMappings: [{ Protocol: 6, InternalPort: 8080, ExternalPort: 80 }],
  SchemaVersion: { Major: 2, Minor: 0 },
};
const thisNode: Sender = { is: 'node' };
const elsewhere = (address: string): Sender => ({ is: 'elsewhere', address });
const bridge = bridgeState(1);
const overlay = overlayState(1);
/** The node of an L2Bridge network whose pod has other members. */
const withPod = (endpoint: Changes['endpoint'] = {}) => bridgeState(1, { endpoint });
const noRoutes = withPod({ Routes: [] });
const tierAcl = withPod({ Policies: [policy('TierAcl')] });
const blocked = withPod({ Policies: [policy('ACL', { Direction: 'Out', Action: 'Block', Priority: 100 })] });
const mapped = (Settings: object) =>
  withPod({ Policies: [policy('PortMapping', { Protocol: 6, InternalPort: 80, ...Settings })] });
const gateway = withPod({ Routes: [{ NextHop: '10.244.1.1', DestinationPrefix: '0.0.0.0/0' }] });
const leftover = withPod({
  ...{ Name: 'c0ffee_cbr0', State: 4, HostComputeNamespace: '4a2d0c8e-0b1c-4c5e-9a4f-00000000000f' },
});

describe('the sentences about a packet', () => {
  const back = 'The reply: Arrives at endpoint pod-1.';
  test.each<[string, NodeState, Sender | undefined, string, readonly string[]]>([
    [
      'that leaves an Overlay network',
      overlay,
      undefined,
      '10.244.2.5:80',
      ['Leaves this node by VXLAN to node 10.0.0.2.'],
    ],
    [
      'that leaves an L2Bridge network with another source',
      bridge,
      undefined,
      '8.8.8.8:53/udp',
      ['Leaves this node to next hop 10.0.0.254, as 10.0.0.1 -> 8.8.8.8:53/udp.'],
    ],
    [
      'that leaves by the default route with the address of the pod',
      bridge,
      undefined,
      '10.244.3.9:80',
      [
        'Leaves this node to next hop 10.0.0.254.',
        'It is lost unless 10.0.0.254 has routes to 10.244.3.9 and back to 10.244.1.5.',
      ],
    ],
    [
      'to a gateway that nothing on the node has',
      gateway,
      undefined,
      '10.244.2.5:80',
      ["Lost. Nothing on this node has the pods' gateway 10.244.1.1: create a host endpoint (hostEndpoint)."],
    ],
    ['to the pod itself', bridge, undefined, '10.244.1.5', ['Arrives at endpoint pod-1.']],
    ['to the node', bridge, undefined, '10.0.0.1:80', ['Arrives at this node.', back]],
    [
      'to an address of no pod',
      bridge,
      undefined,
      '10.244.1.77:80',
      ['Lost. No endpoint of network "cbr0" has address 10.244.1.77.'],
    ],
    [
      'to a service address that only an exception of OutBoundNAT reveals',
      bridge,
      undefined,
      '10.96.0.10:80',
      [
        'Unknown. 10.96.0.10 looks like a service (OutBoundNAT exception 10.96.0.0/12), but no load balancer has it: is kube-proxy running?',
      ],
    ],
    [
      'of the node to such an address',
      bridge,
      thisNode,
      '10.96.0.10:80',
      [
        'Unknown. 10.96.0.10 looks like a service (OutBoundNAT exception 10.96.0.0/12), but no load balancer has it: is kube-proxy running?',
      ],
    ],
    [
      'to another port of a service',
      bridgeState(1, { loadBalancers: [service] }),
      undefined,
      '10.96.0.10:81',
      ['Unknown. 10.96.0.10 is the address of a service, which has only 80/tcp.'],
    ],
    [
      'to a multicast address',
      bridge,
      undefined,
      '224.0.0.1',
      ['224.0.0.1 is not a unicast address, and HNS does not document how it handles it.'],
    ],
    [
      'of another family',
      bridge,
      undefined,
      'fd00::1',
      ['Not through this endpoint: it has no IPv6 address.'],
    ],
    [
      'that an ACL blocks',
      blocked,
      undefined,
      '10.244.2.5:80',
      ['Lost. Out ACL with priority 100 (everything) blocks it.'],
    ],
    [
      'of a pod with other ACLs',
      tierAcl,
      undefined,
      '10.244.2.5:80',
      [
        'Unknown. ACLs may block it: the endpoint or its network has TierAcl policies, which win-hcn does not evaluate.',
      ],
    ],
    [
      'of a leftover',
      leftover,
      undefined,
      '10.244.2.5',
      ['Leaves this node to next hop 10.0.0.2.', 'The endpoint is a leftover: its namespace is gone.'],
    ],
    [
      'of the node to its pod',
      overlay,
      thisNode,
      '10.244.1.5:80',
      ['Arrives at endpoint pod-1.', 'The reply: Arrives at this node.'],
    ],
    [
      'of the node without routes',
      bridgeState(1, { routes: [] }),
      thisNode,
      '8.8.8.8',
      ['Lost. The node has no route to 8.8.8.8.'],
    ],
    [
      'from another node to an Overlay network',
      overlay,
      elsewhere('10.244.2.5'),
      '10.244.1.5:80',
      ['Arrives at endpoint pod-1.', 'The reply: Leaves this node by VXLAN to node 10.0.0.2.'],
    ],
    [
      'that no adapter receives',
      bridge,
      elsewhere('fd00::9'),
      '10.244.1.5:80',
      ['No adapter of this node receives packets for 10.244.1.5 from this sender.'],
    ],
    [
      'whose reply is lost',
      noRoutes,
      elsewhere('10.0.0.9'),
      '10.244.1.5:80',
      ['Arrives at endpoint pod-1.', 'The reply: Lost. The pod has no route to 10.0.0.9.'],
    ],
    ...[
      { address: '10.244.1.5', Settings: { ExternalPort: 8080, VIP: '10.244.1.5' } },
      { address: '10.0.0.1', Settings: { ExternalPort: 8080 } },
    ].map(({ address, Settings }): [string, NodeState, Sender, string, readonly string[]] => [
      'to a port mapping',
      mapped(Settings),
      elsewhere('10.0.0.9'),
      `${address}:8080`,
      [
        'Arrives at endpoint pod-1, as 10.0.0.9 -> 10.244.1.5:80/tcp.',
        `The reply: Leaves this node to 10.0.0.9, as ${address}:8080 -> 10.0.0.9/tcp.`,
      ],
    ]),
  ])('%s', (_, state, sender, to, sentences) => {
    expect(trace(state, to, sender).summary).toEqual(sentences);
  });
});

test('a load balancer has as many paths as backends, of which the worst is described', () => {
  const SchemaVersion = { Major: 2, Minor: 0 };
  const backend = (ID: string, IpAddress: string, Flags = 0): ObservedEndpoint => ({
    ...{ ID, Name: ID, HostComputeNetwork: 'bridge-1', Flags, SchemaVersion },
    IpConfigurations: [{ IpAddress, PrefixLength: 24 }],
  });
  const others = [backend('remote', '10.244.2.5', 1), backend('leftover', '10.244.1.9')];
  const balancer = {
    ...{ ID: 'lb', HostComputeEndpoints: ['remote', 'leftover'], FrontendVIPs: ['10.96.0.10'] },
    PortMappings: [{ Protocol: 6, InternalPort: 8080, ExternalPort: 80 }],
    ...{ Flags: 1, SchemaVersion },
  };
  const state = bridgeState(1, { others, loadBalancers: [balancer] });
  const { outcome, summary, paths } = trace(state, '10.96.0.10:80');
  expect({ outcome, summary, outcomes: paths.map((path) => path.outcome) }).toEqual({
    outcome: 'lost',
    summary: [
      'Lost. The endpoint is in no namespace: no pod receives the packet.',
      'A load balancer chooses one of 2 paths. This is the worst one; -o wide shows all.',
    ],
    outcomes: ['lost', 'leaves'],
  });
});

test('if Windows does not return the routes, the path of a packet is unknown', () => {
  expect(trace(bridge, '10.244.2.5:80', podOf(bridge), 'routes')).toMatchObject({
    outcome: 'unknown',
    summary: ['Unknown. What happens depends on the routes of the node, which could not be read.'],
    paths: [{ hops: [] }],
  });
});

test('a pod sends with its first address of the family of the destination', () => {
  const IpConfigurations = ['fd00:1::5', '10.244.1.5', '10.244.1.6'].map((IpAddress) => ({
    ...{ IpAddress, PrefixLength: 24 },
  }));
  const { packet, endpoint, network, paths } = trace(withPod({ IpConfigurations }), '8.8.8.8');
  const sent = { source: '10.244.1.5', destination: '8.8.8.8', protocol: 1 };
  expect({ packet, endpoint, network }).toEqual({ packet: sent, endpoint: 'pod-1', network: 'cbr0' });
  expect(paths).toMatchObject([
    { frame: { interfaceIndex: 5, nextHop: '10.0.0.254', packet: { ...sent, source: '10.0.0.1' } } },
  ]);
});
