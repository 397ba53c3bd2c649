import { expect, test } from 'vitest';
import type { NodeState } from '../../src/cli/traffic/node-state.ts';
import type { ObservedEndpoint, ObservedLoadBalancer, Policy } from '../../src/hcn/documents.ts';
import { journey } from './judge.ts';
import { bridgeState, clusterOf, overlayState, policy } from './states.ts';

const SchemaVersion = { Major: 2, Minor: 0 };
const dsr = { Flags: 1 };

/** A load balancer as kube-proxy creates it: port 80 to 8080 of the backends. */
function service(
  backends: readonly string[],
  changes: Partial<ObservedLoadBalancer> = {},
): ObservedLoadBalancer {
  return {
    ID: 'lb',
    HostComputeEndpoints: backends,
    FrontendVIPs: ['10.96.0.10'],
    PortMappings: [{ Protocol: 6, InternalPort: 8080, ExternalPort: 80 }],
    SchemaVersion,
    ...changes,
  };
}

const noBackends =
  'The backends of load balancer lb do not exist: restart kube-proxy (Restart-Service kube-proxy, or delete its pod).';

/** kube-proxy's endpoint for a pod of node 2. */
const remoteEndpoint = (network: string): ObservedEndpoint => ({
  ID: 'remote',
  Name: 'remote',
  HostComputeNetwork: network,
  IpConfigurations: [{ IpAddress: '10.244.2.5', PrefixLength: 24 }],
  Policies: [policy('ProviderAddress', { ProviderAddress: '10.0.0.2' })],
  Flags: 1,
  SchemaVersion,
});

/** Another pod of node 1. */
const secondPod = (network: string, gateway: string): ObservedEndpoint => ({
  ID: 'second',
  Name: 'second',
  HostComputeNetwork: network,
  HostComputeNamespace: '4a2d0c8e-0b1c-4c5e-9a4f-000000000002',
  IpConfigurations: [{ IpAddress: '10.244.1.6', PrefixLength: 24 }],
  Routes: [{ NextHop: gateway, DestinationPrefix: '0.0.0.0/0' }],
  SchemaVersion,
});

/** Node 1 with a second pod, and a service with both pods of other addresses than 10.244.1.5. */
const overlayWith = (changes: Partial<ObservedLoadBalancer>) =>
  overlayState(1, {
    others: [secondPod('overlay-1', '10.244.1.1'), remoteEndpoint('overlay-1')],
    loadBalancers: [service(['second', 'remote'], changes)],
  });
const bridgeWith = (changes: Partial<ObservedLoadBalancer>) =>
  bridgeState(1, {
    others: [secondPod('bridge-1', '10.244.1.2'), remoteEndpoint('bridge-1')],
    loadBalancers: [service(['second', 'remote'], changes)],
  });

/** The node with more policies on the pod 10.244.n.5. */
function withPolicies(state: NodeState, ...policies: readonly Policy[]): NodeState {
  const endpoints = state.inventory.endpoints.map((endpoint) =>
    endpoint.Name.startsWith('pod')
      ? { ...endpoint, Policies: [...(endpoint.Policies ?? []), ...policies] }
      : endpoint,
  );
  return { ...state, inventory: { ...state.inventory, endpoints } };
}

/** How a connection ends, and the sources that its receivers see, one for each way. */
function outcomeOf(state: NodeState, from: string, to: string) {
  const other = state.inventory.networks[0]?.Type === 'Overlay' ? overlayState(2) : bridgeState(2);
  const { ways, outcome, worst } = journey(clusterOf(state, other), from, to);
  return { outcome, seen: ways.map(({ seenAs }) => seenAs), because: worst.because };
}

const arrives = (...seen: readonly string[]) => ({ outcome: 'arrives', seen, because: 'The reply arrives.' });

test.each([
  ['an Overlay network', overlayWith(dsr), '10.244.1.5'],
  ['an L2Bridge network', bridgeWith(dsr), '10.244.1.5'],
  ['an L2Bridge network without direct server return', bridgeWith({}), '10.0.0.1'],
  ['an Overlay network without direct server return', overlayWith({ SourceVIP: '10.244.1.9' }), '10.244.1.9'],
])('a pod reaches the backends of a service on both nodes on %s', (_, state, source) => {
  expect(outcomeOf(state, '10.244.1.5', '10.96.0.10:80')).toEqual(arrives(source, source));
});

test.each([
  [
    'does not reach itself without loopbackDSR',
    [],
    {
      ...{ outcome: 'lost', seen: [undefined] },
      because: 'The pod is a backend of load balancer lb itself, and has no loopbackDSR.',
    },
  ],
  [
    'reaches itself as the node with loopbackDSR',
    [policy('OutBoundNAT', { Destinations: ['10.244.1.5'] })],
    arrives('10.0.0.1'),
  ],
])('a pod that is the backend of its own service %s', (_, policies, expected) => {
  const state = overlayState(1, { loadBalancers: [service(['pod-1'], dsr)] });
  expect(outcomeOf(withPolicies(state, ...policies), '10.244.1.5', '10.96.0.10:80')).toEqual(expected);
});

test('a pod that is the backend of its own service reaches itself as the source VIP without direct server return', () => {
  const state = overlayState(1, { loadBalancers: [service(['pod-1'], { SourceVIP: '10.244.1.9' })] });
  expect(outcomeOf(state, '10.244.1.5', '10.96.0.10:80')).toEqual(arrives('10.244.1.9'));
});

test.each<[string, readonly string[], readonly (string | undefined)[], string]>([
  ['its backends do not exist', ['gone'], [undefined], noBackends],
  [
    'one backend is lost: a connection may get it',
    ['second', 'remote'],
    [undefined, '10.244.1.5'],
    'The endpoint is in no namespace: no pod receives the packet.',
  ],
])('a service is lost if %s', (_, backends, seen, because) => {
  const blocked = { ...secondPod('overlay-1', '10.244.1.1'), HostComputeNamespace: '' };
  const state = overlayState(1, {
    others: [blocked, remoteEndpoint('overlay-1')],
    loadBalancers: [service(backends, dsr)],
  });
  expect(outcomeOf(state, '10.244.1.5', '10.96.0.10:80')).toEqual({ outcome: 'lost', seen, because });
});

/** Node 1 with a load balancer for its own address, whose backend is the pod 10.244.1.6. */
function nodePort(changes: Partial<ObservedLoadBalancer>): NodeState {
  const loadBalancers = [service(['second'], { FrontendVIPs: ['10.0.0.1'], ...changes })];
  return bridgeState(1, { others: [secondPod('bridge-1', '10.244.1.2')], loadBalancers });
}

test.each([
  ['an Overlay network', overlayState, 'overlay-1', '10.244.1.1', dsr],
  ['an L2Bridge network', bridgeState, 'bridge-1', '10.244.1.2', dsr],
  ['an L2Bridge network without direct server return', bridgeState, 'bridge-1', '10.244.1.2', {}],
])(
  'a node reaches a backend on itself on %s through the service',
  (_, stateOf, network, gateway, changes) => {
    const others = [secondPod(network, gateway)];
    const state = stateOf(1, { others, loadBalancers: [service(['second'], changes)] });
    expect(outcomeOf(state, 'win-1', '10.96.0.10:80')).toEqual(arrives('10.0.0.1'));
    const gone = stateOf(1, { loadBalancers: [service(['gone'], changes)] });
    expect(outcomeOf(gone, 'win-1', '10.96.0.10:80').because).toBe(noBackends);
    const half = stateOf(1, { others, loadBalancers: [service(['second', 'gone'], changes)] });
    for (const sender of ['win-1', '10.244.1.5'])
      expect(outcomeOf(half, sender, '10.96.0.10:80')).toMatchObject({
        outcome: 'unknown',
        because:
          'Backend gone of load balancer lb does not exist, and whether HNS still sends to it is not documented: restart kube-proxy (Restart-Service kube-proxy, or delete its pod).',
      });
  },
);

test('a host outside reaches a backend through a port of the node', () => {
  expect(outcomeOf(nodePort(dsr), '8.8.8.8', '10.0.0.1:80')).toEqual(arrives('8.8.8.8'));
});

test.each<[string, NodeState, string, string]>([
  ['a pod on an Overlay network reaches its own node', overlayState(1), '10.244.1.5', '10.0.0.1:80'],
  ['a node reaches remote subnets of Overlay networks', overlayState(1), 'win-1', '10.244.2.5:80'],
  ['a node reaches backends on other nodes', overlayWith(dsr), 'win-1', '10.96.0.10:80'],
  ['a node reaches its own node port', nodePort(dsr), 'win-1', '10.0.0.1:80'],
  ['backends without direct server return see a host outside', nodePort({}), '8.8.8.8', '10.0.0.1:80'],
])('it is unknown whether %s', (_, state, from, to) => {
  expect(outcomeOf(state, from, to).outcome).toBe('unknown');
});

test.each([
  ['an Overlay network', overlayState(1)],
  ['an L2Bridge network', bridgeState(1)],
])('a host port on %s leads hosts outside to the pod', (_, state) => {
  const mapping = policy('PortMapping', { Protocol: 6, InternalPort: 80, ExternalPort: 8080 });
  const mapped = withPolicies(state, mapping);
  expect(outcomeOf(mapped, '8.8.8.8', '10.0.0.1:8080')).toEqual(arrives('8.8.8.8'));
  expect(outcomeOf(mapped, 'win-1', '10.0.0.1:8080').outcome).toBe('unknown');
});
