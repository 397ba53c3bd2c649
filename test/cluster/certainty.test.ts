import { describe, expect, test } from 'vitest';
import type { Sender } from '../../src/cli/trace/predict-path.ts';
import { traceFrom } from '../../src/cli/trace/trace.ts';
import { parseDestination } from '../../src/cli/traffic/destination.ts';
import type { NodeState } from '../../src/cli/traffic/node-state.ts';
import type { ObservedLoadBalancer } from '../../src/hcn/documents.ts';
import { bridgeState, overlayState, policy } from './states.ts';

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

test.each<[string, Sender]>([
  ['a pod', podOf(overlayState(1))],
  ['the node', node],
])(
  'it is unknown what the gateway of an Overlay network does with a packet of %s for itself',
  (_name, sender) => {
    expect(trace(overlayState(1), sender, '10.244.1.1')).toEqual({
      outcome: 'unknown',
      because: '10.244.1.1 is the gateway of the network, and whether HNS answers for it is not documented.',
    });
  },
);
