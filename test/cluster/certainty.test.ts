import { describe, expect, test } from 'vitest';
import type { Sender } from '../../src/cli/trace/predict-path.ts';
import { traceFrom } from '../../src/cli/trace/trace.ts';
import { parseDestination } from '../../src/cli/traffic/destination.ts';
import type { NodeState } from '../../src/cli/traffic/node-state.ts';
import type { ObservedLoadBalancer } from '../../src/hcn/documents.ts';
import { bridgeState, overlayState, policy, remoteSubnet, withPolicy } from './states.ts';

const SchemaVersion = { Major: 2, Minor: 0 };

const service = (changes: Partial<ObservedLoadBalancer>): ObservedLoadBalancer => ({
  ID: 'lb',
  HostComputeEndpoints: ['pod-1'],
  FrontendVIPs: ['10.96.0.10'],
  PortMappings: [{ Protocol: 6, InternalPort: 8080, ExternalPort: 80 }],
  SchemaVersion,
  ...changes,
});
const withService = overlayState(1, { loadBalancers: [service({})] });
const { FrontendVIPs: _, ...nodePort } = service({});
const withNodePort = bridgeState(1, { loadBalancers: [nodePort] });
const withMapping = bridgeState(1, {
  endpoint: {
    Policies: [policy('PortMapping', { Protocol: 6, InternalPort: 80, ExternalPort: 8080 })],
  },
});
const ownProvider = withPolicy(
  overlayState(1),
  'RemoteSubnetRoute',
  remoteSubnet(2, { ProviderAddress: '10.0.0.1' }),
);

const node: Sender = { is: 'node' };
const elsewhere: Sender = { is: 'elsewhere', address: '10.9.9.9' };

function podOf(state: NodeState): Sender {
  const endpoint = state.inventory.endpoints.find(({ Name }) => Name.startsWith('pod'));
  if (endpoint === undefined) throw new Error('the node has no pod');
  return { is: 'pod', endpoint };
}

/** The outcome of a packet, and the reason of its path. */
function trace(state: NodeState, sender: Sender, destination: string) {
  const parsed = parseDestination(destination);
  if (parsed === undefined) throw new Error(`${destination} is no destination`);
  const { outcome, paths } = traceFrom(sender, parsed, { node: state, unread: [] });
  return { outcome, because: paths[0]?.because };
}

const portDecides =
  'Whether a port mapping or load balancer takes it depends on its protocol and port, which are not given.';

describe('it is unknown whether a packet without a port', () => {
  test.each<[string, NodeState, Sender, string]>([
    ['of the node is for a service', withService, node, '10.96.0.10'],
    ['from elsewhere is for a node port', withNodePort, elsewhere, '10.0.0.1'],
    ['from elsewhere is for a port mapping', withMapping, elsewhere, '10.0.0.1'],
    ['of TCP is for a port mapping', withMapping, elsewhere, '10.0.0.1/tcp'],
  ])('%s', (_name, state, sender, destination) => {
    expect(trace(state, sender, destination)).toEqual({ outcome: 'unknown', because: portDecides });
  });

  test.each<[string, NodeState]>([
    ['10.0.0.1:22', withNodePort],
    ['10.0.0.1/icmp', withMapping],
    ['10.0.0.1:8080/udp', withMapping],
  ])('but %s is for the node', (destination, state) => {
    expect(trace(state, elsewhere, destination).because).toBe('The node receives it.');
  });
});

test.each(['127.0.0.1', '::1'])('the node itself receives what it sends to %s', (address) => {
  expect(trace(overlayState(1), node, address)).toEqual({
    outcome: 'arrives',
    because: 'The node receives it.',
  });
});

test('it is unknown what happens to packets for a remote subnet on the node itself', () => {
  expect(trace(ownProvider, podOf(ownProvider), '10.244.2.7:80')).toEqual({
    outcome: 'unknown',
    because:
      'The RemoteSubnetRoute leads to 10.0.0.1, an address of this node itself, and what HNS does then is not documented.',
  });
});

test.each<[string, Sender]>([
  ['a pod', podOf(overlayState(1))],
  ['the node', node],
])(
  'it is unknown what the gateway of an Overlay network does with a packet of %s for itself',
  (_name, sender) => {
    expect(trace(overlayState(1), sender, '10.244.1.1')).toEqual({
      outcome: 'unknown',
      because:
        '10.244.1.1 is the gateway of the network, and HNS does not document how the distributed router handles packets for itself.',
    });
  },
);

test.each<[string, NodeState, Sender]>([
  ['the node', overlayState(1), node],
  ['a pod on an Overlay network', overlayState(1), podOf(overlayState(1))],
  ['a pod on an L2Bridge network', bridgeState(1), podOf(bridgeState(1))],
])('it is unknown what a router does with a link-local packet of %s', (_name, state, sender) => {
  expect(trace(state, sender, '169.254.169.254')).toEqual({
    outcome: 'unknown',
    because:
      '169.254.169.254 is link-local: routers do not forward it, and what 10.0.0.254 does with it is not known.',
  });
});
