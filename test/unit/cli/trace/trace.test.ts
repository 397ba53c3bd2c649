import { describe, expect, test } from 'vitest';
import type { ReadNode, Sender } from '../../../../src/cli/trace/predict-path.ts';
import { type Trace, traceFrom } from '../../../../src/cli/trace/trace.ts';
import { parseDestination } from '../../../../src/cli/traffic/destination.ts';
import type { NodeState } from '../../../../src/cli/traffic/node-state.ts';
import type { ObservedEndpoint } from '../../../../src/hcn/documents.ts';
import { bridgeState, overlayState, policy, withPolicy } from '../../../cluster/states.ts';

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

const thisNode: Sender = { is: 'node' };
const elsewhere = (address: string): Sender => ({ is: 'elsewhere', address });

describe('the sentences about a packet', () => {
  test('that leaves an Overlay network name the outer packet and what the other node needs', () => {
    expect(trace(overlayState(1), '10.244.2.5:80')).toMatchObject({
      outcome: 'leaves',
      says: [
        'Leaves this node by VXLAN to node 10.0.0.2.',
        "Node 10.0.0.2 must receive UDP port 4789, and have VSID 4096 and the distributed router's MAC address 00-15-5D-00-00-02 " +
          '(DrMacAddress, on Linux the VTEP).',
        'For replies, it needs a remote subnet 10.244.1.0/24 with provider address 10.0.0.1, VSID 4096 and MAC address 00-15-5D-00-00-01.',
      ],
    });
  });

  test('that leaves an L2Bridge network name the next hop and the route back', () => {
    expect(trace(bridgeState(1), '10.244.2.5:80')).toMatchObject({
      outcome: 'leaves',
      says: [
        'Leaves this node to next hop 10.0.0.2.',
        'For replies, 10.0.0.2 needs a route to 10.244.1.0/24 via 10.0.0.1.',
      ],
    });
  });

  test('to a gateway that nothing on the node has', () => {
    const gateway = [{ NextHop: '10.244.1.1', DestinationPrefix: '0.0.0.0/0' }];
    expect(trace(bridgeState(1, { endpoint: { Routes: gateway } }), '10.244.2.5:80').says).toEqual([
      "Lost. Nothing on this node has the pods' gateway 10.244.1.1: create a host endpoint (hostEndpoint).",
    ]);
  });

  test.each([
    ['8.8.8.8:53/udp', 'Leaves this node to next hop 10.0.0.254, with source 10.0.0.1.'],
    ['10.244.1.5', 'Arrives at endpoint pod-1.'],
    ['10.0.0.1:80', 'Arrives at this node, and the reply comes back.'],
    ['10.244.1.77:80', 'Lost. No endpoint of network "cbr0" has address 10.244.1.77.'],
    ['224.0.0.1', '224.0.0.1 is not a unicast address, and HNS does not document how it handles it.'],
    ['fd00::1', 'Not through this endpoint: it has no IPv6 address.'],
  ])('from a pod of an L2Bridge network to %s', (to, sentence) => {
    expect(trace(bridgeState(1), to).says).toEqual([sentence]);
  });

  test('from the node to its pods', () => {
    for (const state of [bridgeState(1), overlayState(1)])
      expect(trace(state, '10.244.1.5:80', thisNode).says).toEqual([
        'Arrives at endpoint pod-1, and the reply comes back.',
      ]);
  });

  test('from elsewhere say where the reply leaves', () => {
    expect(trace(overlayState(1), '10.244.1.5:80', elsewhere('10.244.2.5')).says).toEqual([
      'Arrives at endpoint pod-1, and the reply leaves this node by VXLAN to node 10.0.0.2.',
    ]);
    expect(trace(bridgeState(1), '10.244.1.5:80', elsewhere('10.0.0.9')).says).toEqual([
      'Arrives at endpoint pod-1, and the reply leaves this node to 10.0.0.9.',
    ]);
    expect(trace(bridgeState(1), '10.244.1.5:80', elsewhere('fd00::9')).says).toEqual([
      'No adapter of this node receives packets for 10.244.1.5 from this sender.',
    ]);
  });

  test('whose reply is lost', () => {
    const endpoint = { Routes: [] };
    expect(trace(bridgeState(1, { endpoint }), '10.244.1.5:80', elsewhere('10.0.0.9'))).toMatchObject({
      outcome: 'lost',
      says: [
        'Arrives at endpoint pod-1, but the reply is lost.',
        'The reply: The pod has no route to 10.0.0.9.',
      ],
    });
  });
});

describe('a load balancer', () => {
  const balancer = (...HostComputeEndpoints: readonly string[]) => ({
    ID: 'd4e6032f-bbf7-4b5a-880f-667bebc65504',
    HostComputeEndpoints,
    FrontendVIPs: ['10.96.0.10'],
    PortMappings: [{ Protocol: 6, InternalPort: 8080, ExternalPort: 80 }],
    Flags: 1,
    SchemaVersion: { Major: 2, Minor: 0 },
  });
  const backend = (ID: string, IpAddress: string, Flags = 0): ObservedEndpoint => ({
    ID,
    Name: ID,
    HostComputeNetwork: 'bridge-1',
    IpConfigurations: [{ IpAddress, PrefixLength: 24 }],
    Flags,
    SchemaVersion: { Major: 2, Minor: 0 },
  });
  const others = [backend('remote', '10.244.2.5', 1), backend('leftover', '10.244.1.9')];

  test('changes the destination', () => {
    const loadBalancers = [balancer('remote')];
    expect(trace(bridgeState(1, { others, loadBalancers }), '10.96.0.10:80').says[0]).toBe(
      'Leaves this node to next hop 10.0.0.2, for 10.244.2.5:8080.',
    );
  });

  test('has as many paths as backends, of which the worst is described', () => {
    const loadBalancers = [balancer('remote', 'leftover')];
    const { outcome, says, paths } = trace(bridgeState(1, { others, loadBalancers }), '10.96.0.10:80');
    expect({ outcome, says, outcomes: paths.map((path) => path.outcome) }).toEqual({
      outcome: 'lost',
      says: [
        'Lost. The endpoint is in no namespace: no pod receives the packet.',
        'A load balancer chooses one of 2 paths. This is the worst one; -o wide shows all.',
      ],
      outcomes: ['lost', 'leaves'],
    });
  });
});

test('a packet that its ACL blocks is lost at the port', () => {
  const acl = policy('ACL', { Direction: 'Out', Action: 'Block', Priority: 100, Protocols: '6' });
  const { outcome, paths } = trace(bridgeState(1, { endpoint: { Policies: [acl] } }), '10.244.2.5:80');
  expect({ outcome, hops: paths[0]?.hops.map(({ place, did }) => [place, did]) }).toEqual({
    outcome: 'lost',
    hops: [
      ['pod', 'sends it to next hop 10.244.1.2'],
      ['port', 'blocks it'],
    ],
  });
});

test('if Windows does not return the routes, the path of a packet is unknown', () => {
  const state = bridgeState(1);
  expect(trace(state, '10.244.2.5:80', podOf(state), 'routes')).toMatchObject({
    outcome: 'unknown',
    says: ['Unknown. What happens depends on the routes of the node, which could not be read.'],
    paths: [{ hops: [] }],
  });
});

describe('the destination of a packet that arrives is named', () => {
  test('if only its port changed', () => {
    const mapping = policy('PortMapping', {
      Protocol: 6,
      InternalPort: 80,
      ExternalPort: 8080,
      VIP: '10.244.1.5',
    });
    const state = bridgeState(1, { endpoint: { Policies: [mapping] } });
    expect(trace(state, '10.244.1.5:8080', elsewhere('10.0.0.9')).says[0]).toBe(
      'Arrives at endpoint pod-1, for 10.244.1.5:80, and the reply leaves this node to 10.0.0.9.',
    );
  });

  test('if only its address changed', () => {
    const mapping = policy('PortMapping', { Protocol: 6, InternalPort: 80, ExternalPort: 80 });
    const state = bridgeState(1, { endpoint: { Policies: [mapping] } });
    expect(trace(state, '10.0.0.1:80', elsewhere('10.0.0.9')).says[0]).toBe(
      'Arrives at endpoint pod-1, for 10.244.1.5:80, and the reply leaves this node to 10.0.0.9.',
    );
  });
});

test('ACLs of a kind that win-hcn does not evaluate make the outcome unknown', () => {
  const endpoint = { Policies: [policy('TierAcl')] };
  expect(trace(bridgeState(1, { endpoint }), '10.244.2.5:80').says).toEqual([
    'Unknown. ACLs may block it: the endpoint or its network has TierAcl policies, which win-hcn does not evaluate.',
  ]);
});

test('a tunnel without a known MAC address says so', () => {
  const remote = policy('RemoteSubnetRoute', {
    DestinationPrefix: '10.244.2.0/24',
    IsolationId: 4096,
    ProviderAddress: '10.0.0.2',
  });
  const state = withPolicy(overlayState(1), 'RemoteSubnetRoute', remote);
  expect(trace(state, '10.244.2.5:80').says[1]).toContain("the distributed router's MAC address unknown");
});

test('a pod sends with its first address of the family of the destination', () => {
  const IpConfigurations = ['fd00:1::5', '10.244.1.5', '10.244.1.6'].map((IpAddress) => ({
    IpAddress,
    PrefixLength: 24,
  }));
  expect(trace(bridgeState(1, { endpoint: { IpConfigurations } }), '8.8.8.8').packet).toEqual({
    source: '10.244.1.5',
    destination: '8.8.8.8',
    protocol: 1,
  });
});

test('a trace of a packet that leaves has the frame, and reports that the sender is a leftover', () => {
  const goneNamespace = '4a2d0c8e-0b1c-4c5e-9a4f-00000000000f';
  const endpoint = { Name: 'c0ffee_cbr0', State: 4, HostComputeNamespace: goneNamespace };
  const {
    endpoint: id,
    network,
    packet,
    says,
    paths,
  } = trace(bridgeState(1, { endpoint }), '8.8.8.8:53/udp');
  const sent = { source: '10.0.0.1', destination: '8.8.8.8', protocol: 17, destinationPort: 53 };
  expect({ id, network, packet, says }).toEqual({
    id: 'pod-1',
    network: 'cbr0',
    packet: { ...sent, source: '10.244.1.5' },
    says: [
      'Leaves this node to next hop 10.0.0.254, with source 10.0.0.1.',
      'The endpoint is a leftover: its namespace is gone.',
    ],
  });
  expect(paths).toMatchObject([
    { outcome: 'leaves', frame: { interfaceIndex: 5, nextHop: '10.0.0.254', packet: sent } },
  ]);
});
