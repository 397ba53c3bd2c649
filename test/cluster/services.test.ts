import { describe, expect, test } from 'vitest';
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

describe('a pod reaches the backends of a service on its node and on the other one', () => {
  test.each([
    ['an Overlay network', overlayWith(dsr)],
    ['an L2Bridge network', bridgeWith(dsr)],
  ])('on %s with direct server return, as itself', (_, state) => {
    expect(outcomeOf(state, '10.244.1.5', '10.96.0.10:80')).toEqual(arrives('10.244.1.5', '10.244.1.5'));
  });

  test('on an Overlay network without direct server return, as the source VIP', () => {
    const state = overlayWith({ SourceVIP: '10.244.1.9' });
    expect(outcomeOf(state, '10.244.1.5', '10.96.0.10:80')).toEqual(arrives('10.244.1.9', '10.244.1.9'));
  });
});

describe('a pod that is the backend of its own service', () => {
  const own = (...policies: readonly Policy[]) =>
    withPolicies(overlayState(1, { loadBalancers: [service(['pod-1'], dsr)] }), ...policies);

  test('does not reach itself without loopbackDSR', () => {
    expect(outcomeOf(own(), '10.244.1.5', '10.96.0.10:80')).toEqual({
      outcome: 'lost',
      seen: [undefined],
      because: 'The pod is a backend of load balancer lb itself, and has no loopbackDSR.',
    });
  });

  test('reaches itself as the node with loopbackDSR', () => {
    const state = own(policy('OutBoundNAT', { Destinations: ['10.244.1.5'] }));
    expect(outcomeOf(state, '10.244.1.5', '10.96.0.10:80')).toEqual(arrives('10.0.0.1'));
  });
});

describe('a service is lost', () => {
  test('if its backends do not exist', () => {
    const state = overlayState(1, { loadBalancers: [service(['gone'], dsr)] });
    expect(outcomeOf(state, '10.244.1.5', '10.96.0.10:80')).toEqual({
      outcome: 'lost',
      seen: [undefined],
      because: 'The backends of load balancer lb do not exist.',
    });
  });

  test('if one backend is lost: a connection may get it', () => {
    const blocked = { ...secondPod('overlay-1', '10.244.1.1'), HostComputeNamespace: '' };
    const state = overlayState(1, {
      others: [blocked, remoteEndpoint('overlay-1')],
      loadBalancers: [service(['second', 'remote'], dsr)],
    });
    expect(outcomeOf(state, '10.244.1.5', '10.96.0.10:80')).toEqual({
      outcome: 'lost',
      seen: [undefined, '10.244.1.5'],
      because: 'The endpoint is in no namespace: no pod receives the packet.',
    });
  });
});

describe('it is unknown', () => {
  test.each([
    [
      'whether a pod on an Overlay network reaches its own node',
      overlayState(1),
      '10.244.1.5',
      '10.0.0.1:80',
    ],
    ['whether a node reaches remote subnets of Overlay networks', overlayState(1), 'win-1', '10.244.2.5:80'],
  ])('%s', (_, state, from, to) => {
    expect(outcomeOf(state, from, to).outcome).toBe('unknown');
  });
});

describe('a host port', () => {
  const mapping = policy('PortMapping', { Protocol: 6, InternalPort: 80, ExternalPort: 8080 });

  test.each([
    ['an Overlay network', withPolicies(overlayState(1), mapping)],
    ['an L2Bridge network', withPolicies(bridgeState(1), mapping)],
  ])('on %s leads hosts outside to the pod', (_, state) => {
    expect(outcomeOf(state, '8.8.8.8', '10.0.0.1:8080')).toEqual(arrives('8.8.8.8'));
  });

  test('is unknown from the node itself', () => {
    expect(outcomeOf(withPolicies(bridgeState(1), mapping), 'win-1', '10.0.0.1:8080').outcome).toBe(
      'unknown',
    );
  });
});

describe('a node port', () => {
  const nodePort: Partial<ObservedLoadBalancer> = {
    PortMappings: [{ Protocol: 6, InternalPort: 8080, ExternalPort: 30080, Flags: 18 }],
  };
  const withoutFrontends = (state: NodeState): NodeState => ({
    ...state,
    inventory: {
      ...state.inventory,
      loadBalancers: state.inventory.loadBalancers.map(({ FrontendVIPs: _, ...rest }) => rest),
    },
  });

  test('on L2Bridge networks leads hosts outside to backends on both nodes, as the node', () => {
    const state = withoutFrontends(bridgeWith(nodePort));
    expect(outcomeOf(state, '8.8.8.8', '10.0.0.1:30080')).toEqual(arrives('10.0.0.1', '10.0.0.1'));
  });

  test('on Overlay networks leads hosts outside to backends on both nodes, as the source VIP', () => {
    const state = withoutFrontends(overlayWith({ ...nodePort, SourceVIP: '10.244.1.9' }));
    expect(outcomeOf(state, '8.8.8.8', '10.0.0.1:30080')).toEqual(arrives('10.244.1.9', '10.244.1.9'));
  });
});
