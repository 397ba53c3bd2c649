import { describe, expect, test } from 'vitest';
import type { NodeState } from '../../../../src/cli/path/node-state.ts';
import { packetText } from '../../../../src/cli/path/packet.ts';
import { type Start, walk } from '../../../../src/cli/path/walk.ts';
import { bridgeState, overlayState, policy } from '../../../cluster/states.ts';

const tcp = { protocol: 6, sourcePort: 50_000, destinationPort: 80 };

/** The only path of a packet as text: each hop, then the end. */
function pathOf(node: NodeState, start: Start): readonly string[] {
  const [path, ...others] = walk(node, start);
  if (path === undefined || others.length > 0) throw new Error('not one path');
  return [
    ...path.hops.map(({ place, did, rule, evidence }) => `${place} ${did}: ${rule ?? '-'} [${evidence}]`),
    `${path.outcome}: ${path.because} ${packetText(path.packet)}`,
  ];
}

/** The path of a packet of the pod 10.244.1.5. */
function fromPod(node: NodeState, destination: string): readonly string[] {
  const endpoint = node.inventory.endpoints.find(({ Name }) => Name === 'pod-1');
  if (endpoint === undefined) throw new Error('no pod');
  return pathOf(node, { from: 'pod', endpoint, packet: { source: '10.244.1.5', destination, ...tcp } });
}

/** Node 1 with a network of another type, whose gateway is the node or a router. */
function ofType(Type: string, changes: Partial<NodeState['inventory']['networks'][number]> = {}): NodeState {
  return bridgeState(1, { network: { Type, ...changes } });
}

describe('a packet of a pod', () => {
  test('on an Overlay network leaves by VXLAN to a remote subnet', () => {
    const node = overlayState(1);
    expect(fromPod(node, '10.244.2.5')).toEqual([
      'pod sends it to next hop 10.244.1.1: route 0.0.0.0/0 via 10.244.1.1 [documented]',
      'port allows it: no ACL [documented]',
      'port keeps the source: OutBoundNAT policy 1: exception 10.244.0.0/16 [documented]',
      'virtual switch encapsulates it for node 10.0.0.2: RemoteSubnetRoute 10.244.2.0/24 [source]',
      'adapter sends it to next hop 10.0.0.2: route 10.0.0.0/24 on-link on interface 5 [documented]',
      'leaves: It leaves the node to next hop 10.0.0.2. 10.244.1.5:50000 -> 10.244.2.5:80/tcp',
    ]);
    const [endpoint] = node.inventory.endpoints;
    const packet = { source: '10.244.1.5', destination: '10.244.2.5', ...tcp };
    const [path] = endpoint === undefined ? [] : walk(node, { from: 'pod', endpoint, packet });
    expect(path).toMatchObject({
      frame: {
        interfaceIndex: 5,
        nextHop: '10.0.0.2',
        packet,
        tunnel: {
          source: '10.0.0.1',
          destination: '10.0.0.2',
          vsid: 4096,
          port: 4789,
          macAddress: '00-15-5D-00-00-02',
        },
      },
    });
  });

  test('on an Overlay network leaves with the address of the node to hosts outside', () => {
    expect(fromPod(overlayState(1), '8.8.8.8').slice(2)).toEqual([
      'port translates the source to 10.0.0.1: OutBoundNAT policy 1: all other destinations [documented]',
      'virtual switch sends it to the physical network: no RemoteSubnetRoute [documented]',
      'adapter sends it to next hop 10.0.0.254: route 0.0.0.0/0 via 10.0.0.254 on interface 5 [documented]',
      'leaves: It leaves the node to next hop 10.0.0.254. 10.0.0.1:50000 -> 8.8.8.8:80/tcp',
    ]);
  });

  test('on an Overlay network leaves without encapsulation to a subnet that is an exception and no remote subnet', () => {
    expect(fromPod(overlayState(1), '10.244.9.5').slice(2, 4)).toEqual([
      'port keeps the source: OutBoundNAT policy 1: exception 10.244.0.0/16 [documented]',
      'virtual switch sends it to the physical network without encapsulation: no RemoteSubnetRoute [reported]',
    ]);
  });

  test('on an L2Bridge network leaves through the host endpoint by a route of the node', () => {
    expect(fromPod(bridgeState(1), '10.244.2.5')).toEqual([
      'pod sends it to next hop 10.244.1.2: route 0.0.0.0/0 via 10.244.1.2 [documented]',
      'port allows it: no ACL [documented]',
      'port keeps the source: OutBoundNAT policy 1: exception 10.244.0.0/16 [documented]',
      'virtual switch sends it to the node: - [documented]',
      'node sends it to next hop 10.0.0.2: route 10.244.2.0/24 via 10.0.0.2 on interface 5 [documented]',
      'adapter sends it to next hop 10.0.0.2: route 10.244.2.0/24 via 10.0.0.2 on interface 5 [documented]',
      'leaves: It leaves the node to next hop 10.0.0.2. 10.244.1.5:50000 -> 10.244.2.5:80/tcp',
    ]);
  });

  test('on a NAT network leaves with the address of the node, by the NAT of Windows', () => {
    const node = ofType('NAT', {
      Ipams: [
        {
          Subnets: [
            {
              IpAddressPrefix: '10.244.1.0/24',
              Routes: [{ NextHop: '10.244.1.2', DestinationPrefix: '0.0.0.0/0' }],
            },
          ],
        },
      ],
    });
    const plain = node.inventory.endpoints.map((endpoint) => ({ ...endpoint, Policies: [] }));
    expect(
      fromPod({ ...node, inventory: { ...node.inventory, endpoints: plain } }, '8.8.8.8').slice(2),
    ).toEqual([
      'port keeps the source: no OutBoundNAT policy [documented]',
      'virtual switch translates the source to 10.0.0.1: NAT of network type NAT [documented]',
      'adapter sends it to next hop 10.0.0.254: route 0.0.0.0/0 via 10.0.0.254 on interface 5 [documented]',
      'leaves: It leaves the node to next hop 10.0.0.254. 10.0.0.1:50000 -> 8.8.8.8:80/tcp',
    ]);
  });

  test('on an L2Tunnel network leaves the node even to another pod of the node', () => {
    const state = ofType('L2Tunnel');
    const [first] = state.inventory.endpoints;
    const second = first && {
      ...first,
      ID: 'second',
      IpConfigurations: [{ IpAddress: '10.244.1.6', PrefixLength: 24 }],
    };
    const endpoints = [...state.inventory.endpoints, ...(second ? [second] : [])];
    const lan = state.adapters.map((one) =>
      one.index === 5
        ? { ...one, addresses: [...one.addresses, { address: '10.244.1.200', length: 24 }] }
        : one,
    );
    const node = { ...state, adapters: lan, inventory: { ...state.inventory, endpoints } };
    expect(fromPod(node, '10.244.1.6').at(-1)).toBe(
      'leaves: It leaves the node to next hop 10.244.1.6. 10.244.1.5:50000 -> 10.244.1.6:80/tcp',
    );
  });

  test('on a network of a type without known rules has an unknown path', () => {
    expect(fromPod(ofType('Private'), '10.244.1.6').at(-1)).toBe(
      'unknown: How networks of type Private forward is not documented. 10.244.1.5:50000 -> 10.244.1.6:80/tcp',
    );
  });

  test('does not leave the pod without a route or a namespace', () => {
    const withEndpoint = (endpoint: object) => fromPod(overlayState(1, { endpoint }), '8.8.8.8');
    expect(withEndpoint({ Routes: [] })).toEqual([
      'pod drops it: - [documented]',
      'lost: The pod has no route to 8.8.8.8. 10.244.1.5:50000 -> 8.8.8.8:80/tcp',
    ]);
    expect(withEndpoint({ HostComputeNamespace: '' }).at(-1)).toBe(
      'lost: The endpoint is in no namespace: no pod uses it. 10.244.1.5:50000 -> 8.8.8.8:80/tcp',
    );
  });
});

describe('it is unknown what becomes of a packet', () => {
  const because = (node: NodeState, to: string) =>
    fromPod(node, to)
      .at(-1)
      ?.replace(/ 10\.244\.1\.5.*/, '');
  const remote = (ProviderAddress: string) =>
    policy('RemoteSubnetRoute', { DestinationPrefix: '10.244.2.0/24', IsolationId: 4096, ProviderAddress });
  const own = policy('ProviderAddress', { ProviderAddress: '10.0.0.1' });

  test('if several RemoteSubnetRoutes of one prefix differ', () => {
    const Policies = [own, remote('10.0.0.2'), remote('10.0.0.3')];
    expect(because(overlayState(1, { network: { Policies } }), '10.244.2.5')).toBe(
      'unknown: Several RemoteSubnetRoutes of 10.244.2.0/24 differ, and which one applies is not documented.',
    );
  });

  test('if the network has no ProviderAddress yet', () => {
    expect(because(overlayState(1, { network: { Policies: [remote('10.0.0.2')] } }), '10.244.2.5')).toBe(
      'unknown: Network "flannel.4096" has no ProviderAddress yet.',
    );
  });

  test('if it is not known whether the node forwards', () => {
    expect(because(bridgeState(1, { forwarding: [] }), '10.244.2.5')).toBe(
      'unknown: Whether IPv4 forwarding is enabled on "vEthernet (cbr0_ep)" is not known.',
    );
  });

  test('if several routes of the node are equally good', () => {
    const state = bridgeState(1);
    const route = { interfaceIndex: 5, prefix: '10.244.2.0/24', nextHop: '10.0.0.3', metric: 256 };
    expect(because({ ...state, routes: [...state.routes, route] }, '10.244.2.5')).toBe(
      'unknown: Several routes of the node are equally good.',
    );
  });

  test('if a proxy in the pod may intercept it', () => {
    const Policies = [policy('L4Proxy')];
    expect(because(overlayState(1, { endpoint: { Policies } }), '10.244.2.5')).toBe(
      'unknown: A proxy in the pod may intercept the packet.',
    );
  });

  test('if an SDNRoute leads it around the gateway', () => {
    const Policies = [policy('SDNRoute', { DestinationPrefix: '10.96.0.0/12', NeedEncap: true })];
    for (const node of [
      overlayState(1, { endpoint: { Policies } }),
      bridgeState(1, { endpoint: { Policies } }),
    ])
      expect(because(node, '10.96.0.10')).toBe(
        'unknown: What an SDNRoute does with traffic that no load balancer takes is not documented.',
      );
  });
});

test('an SDNRoute leads a pod on an L2Bridge network to its node', () => {
  const Policies = [policy('SDNRoute', { DestinationPrefix: '10.0.0.1/32', NeedEncap: true })];
  expect(fromPod(bridgeState(1, { endpoint: { Policies } }), '10.0.0.1').slice(3)).toEqual([
    'virtual switch sends it to the node: SDNRoute 10.0.0.1/32 [documented]',
    'node receives it: - [documented]',
    'arrives: The node receives it. 10.244.1.5:50000 -> 10.0.0.1:80/tcp',
  ]);
});

test('whether the node itself reaches a remote subnet of an Overlay network is unknown, because reports conflict', () => {
  const packet = { source: '', destination: '10.244.2.5', ...tcp };
  expect(pathOf(overlayState(1), { from: 'node', packet }).slice(1)).toEqual([
    'virtual switch may encapsulate it: RemoteSubnetRoute 10.244.2.0/24 [reported]',
    'unknown: Reports conflict on whether the node itself reaches remote subnets of an Overlay network (flannel-io/flannel#1096, projectcalico/calico#8569). 10.0.0.1:50000 -> 10.244.2.5:80/tcp',
  ]);
});

test('the node chooses its source address by its routes', () => {
  const packet = { source: '', destination: '10.244.1.5', ...tcp };
  expect(pathOf(bridgeState(1), { from: 'node', packet })).toEqual([
    'node sends it on-link: route 10.244.1.0/24 on-link on interface 9 [documented]',
    'virtual switch sends it to a local endpoint: - [documented]',
    'port allows it: no ACL [documented]',
    'pod receives it: - [documented]',
    'arrives: The pod receives it. 10.244.1.2:50000 -> 10.244.1.5:80/tcp',
  ]);
});
