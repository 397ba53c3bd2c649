import { describe, expect, test } from 'vitest';
import type { NodeState } from '../../../../src/cli/path/node-state.ts';
import type { Packet } from '../../../../src/cli/path/packet.ts';
import type { Path } from '../../../../src/cli/path/path.ts';
import { type Start, walk } from '../../../../src/cli/path/walk.ts';
import type { ObservedEndpoint, ObservedLoadBalancer } from '../../../../src/hcn/documents.ts';
import { bridgeState, type Changes, overlayState, policy, withPolicy } from '../../../cluster/states.ts';

const SchemaVersion = { Major: 2, Minor: 0 };
const ports = { protocol: 6, sourcePort: 50_000, destinationPort: 80 };
const rule = 'load balancer d4e6032f';

function podOf({ inventory: { endpoints } }: NodeState): ObservedEndpoint {
  const [endpoint] = endpoints;
  if (endpoint === undefined) throw new Error('no pod');
  return endpoint;
}

function pathOf(node: NodeState, start: Start): Path {
  const [path, ...others] = walk(node, start);
  if (path === undefined || others.length > 0) throw new Error('not one path');
  return path;
}

/** The path of a packet of the pod 10.244.1.5. */
const fromPod = (node: NodeState, destination: string, changes: Partial<Packet> = {}) =>
  pathOf(node, {
    from: 'pod',
    endpoint: podOf(node),
    packet: { source: '10.244.1.5', destination, ...ports, ...changes },
  });
/** The path of a packet of a client on the physical network. */
const fromClient = (node: NodeState, packet: Packet) =>
  pathOf(node, { from: 'cable', frame: { interfaceIndex: 5, nextHop: '10.0.0.1', packet } });

const withoutPolicies = { Policies: [] };
const remote = (HostComputeNetwork: string, IpAddress = '10.244.2.5'): ObservedEndpoint => ({
  ID: 'remote',
  Name: 'remote',
  Flags: 1,
  HostComputeNetwork,
  IpConfigurations: [{ IpAddress, PrefixLength: 24 }],
  SchemaVersion,
});
const balancer = (changes: Partial<ObservedLoadBalancer> = {}): ObservedLoadBalancer => ({
  ID: 'd4e6032f-bbf7-4b5a-880f-667bebc65504',
  HostComputeEndpoints: ['pod-1'],
  FrontendVIPs: ['10.96.0.10'],
  PortMappings: [{ Protocol: 6, InternalPort: 80, ExternalPort: 8080 }],
  Flags: 1,
  SchemaVersion,
  ...changes,
});
const toService: Packet = {
  source: '10.0.0.9',
  destination: '10.96.0.10',
  protocol: 6,
  sourcePort: 50_000,
  destinationPort: 8080,
};
const toNode: Packet = { ...toService, destination: '10.0.0.1' };
const balanced = (
  state: (n: number, changes: Changes) => NodeState,
  changes: Partial<ObservedLoadBalancer>,
  others: readonly ObservedEndpoint[] = [],
) => state(1, { others, loadBalancers: [balancer(changes)] });

describe('the path of a packet', () => {
  test('that leaves in a tunnel has the tunnel from the virtual switch on', () => {
    const packet = { source: '10.244.1.5', destination: '10.244.2.5', ...ports };
    const tunnel = {
      source: '10.0.0.1',
      destination: '10.0.0.2',
      vsid: 4096,
      port: 4789,
      macAddress: '00-15-5D-00-00-02',
    };
    expect(fromPod(overlayState(1), '10.244.2.5')).toEqual({
      outcome: 'leaves',
      because: 'It leaves the node to next hop 10.0.0.2.',
      packet,
      frame: { interfaceIndex: 5, nextHop: '10.0.0.2', packet, tunnel },
      hops: [
        {
          place: 'pod',
          name: 'endpoint pod-1',
          id: 'pod-1',
          did: 'sends it to next hop 10.244.1.1',
          rule: 'route 0.0.0.0/0 via 10.244.1.1',
          evidence: 'documented',
          packet,
        },
        {
          place: 'port',
          name: 'endpoint pod-1',
          id: 'pod-1',
          did: 'allows it',
          rule: 'no ACL',
          evidence: 'documented',
          packet,
        },
        {
          place: 'port',
          name: 'endpoint pod-1',
          id: 'pod-1',
          did: 'keeps the source',
          rule: 'OutBoundNAT policy 1: exception 10.244.0.0/16',
          evidence: 'documented',
          packet,
        },
        {
          place: 'virtual switch',
          name: 'flannel.4096',
          id: 'overlay-1',
          did: 'encapsulates it for node 10.0.0.2',
          rule: 'RemoteSubnetRoute 10.244.2.0/24',
          evidence: 'source',
          packet,
          tunnel,
        },
        {
          place: 'adapter',
          name: 'vEthernet (Ethernet)',
          did: 'sends it to next hop 10.0.0.2',
          rule: 'route 10.0.0.0/24 on-link on interface 5',
          evidence: 'documented',
          packet,
          tunnel,
        },
      ],
      state: { translations: [], ports: ['pod-1'] },
    });
  });

  test('that a tunnel brings to the wrong node has the tunnel', () => {
    const packet = { source: '10.244.2.5', destination: '10.244.1.5', ...ports };
    const tunnel = { source: '10.0.0.2', destination: '10.0.0.7', vsid: 4096, port: 4789 };
    const frame = { interfaceIndex: 5, nextHop: '10.0.0.7', packet, tunnel };
    expect(pathOf(overlayState(1), { from: 'cable', frame }).hops).toEqual([
      { place: 'adapter', name: '10.0.0.7', did: 'drops it', evidence: 'source', packet, tunnel },
    ]);
  });

  test('through the node has the source that the node chooses from there on', () => {
    const packet = { source: '', destination: '10.0.0.9', ...ports };
    const { hops } = pathOf(bridgeState(1), { from: 'node', packet });
    expect(hops.map((hop) => hop.packet.source)).toEqual(['10.0.0.1', '10.0.0.1']);
  });
});

describe('the tunnel to a remote subnet', () => {
  const tunnelFrom = (node: NodeState) => fromPod(node, '10.244.2.5').hops.at(-1)?.tunnel;

  test('has the UDP port of the VxlanPort policy', () => {
    const node = withPolicy(overlayState(1), 'VxlanPort', policy('VxlanPort', { Port: 8472 }));
    expect(tunnelFrom(node)).toMatchObject({ vsid: 4096, port: 8472 });
  });

  test('has VSID 0 and no MAC address if the remote subnet has none', () => {
    const Settings = { DestinationPrefix: '10.244.2.0/24', ProviderAddress: '10.0.0.2' };
    const node = withPolicy(overlayState(1), 'RemoteSubnetRoute', policy('RemoteSubnetRoute', Settings));
    expect(tunnelFrom(node)).toEqual({
      source: '10.0.0.1',
      destination: '10.0.0.2',
      vsid: 0,
      port: 4789,
    });
  });
});

describe('the state of a connection', () => {
  const asNode = (packet: Packet) => ({ ...packet, source: '10.0.0.1' });
  const sent: Packet = { source: '10.244.1.5', destination: '8.8.8.8', ...ports };
  const toBackend = { ...toService, destination: '10.244.1.5', destinationPort: 80 };
  const toRemote = { ...toService, destination: '10.244.2.5', destinationPort: 80 };
  const mapped = bridgeState(1, {
    endpoint: { Policies: [policy('PortMapping', { Protocol: 6, InternalPort: 80, ExternalPort: 8080 })] },
  });

  test.each<[string, () => Path, Path['state']]>([
    [
      'through OutBoundNAT has its translation',
      () => fromPod(bridgeState(1), '8.8.8.8'),
      {
        translations: [{ endpoint: 'pod-1', by: 'OutBoundNAT', before: sent, after: asNode(sent) }],
        ports: ['pod-1'],
      },
    ],
    [
      'through a NAT network has the translation of the network',
      () => fromPod(bridgeState(1, { network: { Type: 'NAT' }, endpoint: withoutPolicies }), '8.8.8.8'),
      {
        translations: [{ endpoint: 'pod-1', by: 'NAT', before: sent, after: asNode(sent) }],
        ports: ['pod-1'],
      },
    ],
    [
      'through a load balancer and a NAT network has both translations',
      () =>
        fromPod(
          bridgeState(1, {
            network: { Type: 'NAT' },
            endpoint: withoutPolicies,
            others: [remote('bridge-1')],
            loadBalancers: [balancer({ HostComputeEndpoints: ['remote'] })],
          }),
          '10.96.0.10',
          { destinationPort: 8080 },
        ),
      {
        translations: [
          {
            endpoint: 'pod-1',
            by: rule,
            before: { ...toService, source: '10.244.1.5' },
            after: asNode(toRemote),
          },
          {
            endpoint: 'pod-1',
            by: 'NAT',
            before: asNode(toRemote),
            after: asNode(toRemote),
          },
        ],
        ports: ['pod-1'],
      },
    ],
    [
      'through a port mapping has its translation',
      () => fromClient(mapped, toNode),
      {
        translations: [{ endpoint: 'pod-1', by: 'PortMapping', before: toNode, after: toBackend }],
        ports: ['pod-1'],
      },
    ],
    [
      'through a load balancer of the node with direct server return has a translation of the port',
      () => fromClient(balanced(bridgeState, {}), toService),
      {
        translations: [{ endpoint: 'pod-1', by: rule, before: toService, after: toBackend }],
        ports: ['pod-1'],
      },
    ],
    [
      'through a load balancer of the node with a source VIP has a translation of no port',
      () => fromClient(balanced(bridgeState, { Flags: 0, SourceVIP: '10.244.1.99' }), toService),
      {
        translations: [{ by: rule, before: toService, after: { ...toBackend, source: '10.244.1.99' } }],
        ports: ['pod-1'],
      },
    ],
    [
      'through a load balancer of the node to another node has its translation',
      () =>
        fromClient(
          balanced(bridgeState, { Flags: 0, SourceVIP: '10.0.0.1', HostComputeEndpoints: ['remote'] }, [
            remote('bridge-1'),
          ]),
          toService,
        ),
      { translations: [{ by: rule, before: toService, after: asNode(toRemote) }], ports: [] },
    ],
    [
      'through a load balancer of the node to another node of an Overlay network has its translation',
      () =>
        fromClient(
          balanced(overlayState, { Flags: 0, SourceVIP: '10.244.1.99', HostComputeEndpoints: ['remote'] }, [
            remote('overlay-1'),
          ]),
          toService,
        ),
      {
        translations: [{ by: rule, before: toService, after: { ...toRemote, source: '10.244.1.99' } }],
        ports: [],
      },
    ],
  ])('%s', (_, path, expected) => {
    expect(path().state).toEqual(expected);
  });
});

test('a packet that the node and a network send to each other is lost after 33 places', () => {
  const circle = { interfaceIndex: 9, prefix: '10.244.9.0/24', nextHop: '10.244.1.2', metric: 1 };
  const state = bridgeState(1);
  const node = { ...state, routes: [...state.routes, circle] };
  const path = fromPod(node, '10.244.9.5');
  expect({ ...path, hops: path.hops.length }).toEqual({
    outcome: 'lost',
    because: 'The packet is in a forwarding loop.',
    packet: { source: '10.244.1.5', destination: '10.244.9.5', ...ports },
    hops: 34,
    state: { translations: [], ports: ['pod-1'] },
  });
  expect(path.hops.slice(-2).map(({ place, did }) => `${place}: ${did}`)).toEqual([
    'node: sends it to next hop 10.244.1.2',
    'virtual switch: sends it to the node',
  ]);
});
