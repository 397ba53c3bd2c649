import { describe, expect, test } from 'vitest';
import { explainAcl } from '../../../../src/cli/traffic/acl-decision.ts';
import type { Destination } from '../../../../src/cli/traffic/destination.ts';
import { findCandidates, loadBalancerStage } from '../../../../src/cli/traffic/load-balancer-stage.ts';
import { longestMatch } from '../../../../src/cli/traffic/match-traffic.ts';
import { loopbackStage } from '../../../../src/cli/traffic/nat-stages.ts';
import { outboundNatStage } from '../../../../src/cli/traffic/outbound-nat-stage.ts';
import type { Query } from '../../../../src/cli/traffic/query.ts';
import { overlayStage, routeStage, sdnRouteStage } from '../../../../src/cli/traffic/route-stages.ts';
import type { ObservedEndpoint, ObservedLoadBalancer, Policy } from '../../../../src/hcn/documents.ts';
import { bridgeState, overlayState, policy } from '../../../cluster/states.ts';

const SchemaVersion = { Major: 2, Minor: 0 };

/** Traffic of the pod 10.244.1.5. */
function query(
  { inventory }: ReturnType<typeof bridgeState>,
  destination: Destination,
  changes: Partial<Query> = {},
): Query {
  const [endpoint] = inventory.endpoints;
  const [network] = inventory.networks;
  if (endpoint === undefined || network === undefined) throw new Error('no pod');
  return {
    endpoint,
    network,
    addresses: ['10.244.1.5'],
    destination,
    inventory,
    nodeAddresses: ['10.0.0.1'],
    nodeAddress: '10.0.0.1',
    ...changes,
  };
}

const toBackends = { address: '10.96.0.10', port: 80, protocol: 6 };
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
const backend = (HostComputeNetwork: string, ID = 'backend'): ObservedEndpoint => ({
  ID,
  Name: ID,
  HostComputeNetwork,
  IpConfigurations: [{ IpAddress: '10.244.1.9', PrefixLength: 24 }],
  SchemaVersion,
});
const balanced = (
  changes: Partial<ObservedLoadBalancer>,
  network = 'bridge-1',
  destination: Destination = toBackends,
) => {
  const state = bridgeState(1, {
    others: [backend(network)],
    loadBalancers: [
      balancer(changes),
      balancer({ ID: 'e4e6032f-bbf7-4b5a-880f-667bebc65504', FrontendVIPs: ['10.96.0.11'] }),
    ],
  });
  const second = { ID: 'second', Name: 'second', Type: 'L2Bridge', SchemaVersion };
  const inventory = { ...state.inventory, networks: [...state.inventory.networks, second] };
  return loadBalancerStage(query({ ...state, inventory }, destination));
};
/** The texts of a stage. */
const textOf = ({ sentences, rules, uncertain = false }: ReturnType<typeof routeStage>) => ({
  sentences,
  uncertain,
  rules: rules.map(({ stage, line, matches, decides, because = '' }) =>
    [stage, line, matches, decides, because].join(' | '),
  ),
});
const nat = (destination: Destination, backends: readonly string[], ...Policies: readonly Policy[]) => {
  const stage = outboundNatStage(query(bridgeState(1, { endpoint: { Policies } }), destination), backends);
  return { ...textOf(stage), sources: stage.sources };
};
const exceptions = (...Exceptions: readonly string[]) => policy('OutBoundNAT', { Exceptions });
const destinations = (...Destinations: readonly string[]) =>
  policy('OutBoundNAT', { Destinations, VirtualIP: '10.244.1.99' });
const udp = { address: '8.8.8.8', port: 53, protocol: 17 };

/** A pod with two IPv4 addresses that sends to a load balancer of which it is the backend. */
const loopback = (...Destinations: readonly string[]) =>
  loopbackStage(
    query(bridgeState(1, { endpoint: { Policies: [policy('OutBoundNAT', { Destinations })] } }), toBackends, {
      addresses: ['10.244.1.5', '10.244.1.6'],
    }),
    balancer({ HostComputeEndpoints: ['pod-1'] }),
  );
const acl = (Direction: string) => policy('ACL', { Direction, Action: 'Allow', Priority: 100 });
const caveats = (...Policies: readonly Policy[]) => {
  const { inventory } = bridgeState(1, {
    endpoint: { Policies },
    others: [backend('bridge-1')],
    loadBalancers: [balancer()],
  });
  const [endpoint] = inventory.endpoints;
  return endpoint && explainAcl(endpoint, { direction: 'Out', remote: toBackends }, inventory).caveats;
};

describe('a load balancer', () => {
  test.each<[string, () => unknown, unknown]>([
    [
      'redirects traffic for its frontend and port',
      () => textOf(balanced({})),
      {
        sentences: [
          'Load balancer d4e6032f (10.96.0.10 80->8080/tcp) redirects the traffic.',
          'The backends reply to the pod directly (EnableDirectServerReturn).',
        ],
        uncertain: false,
        rules: [
          'load balancer | d4e6032f: 10.96.0.10 80->8080/tcp | yes | yes | ',
          'load balancer | 1 with other addresses | no | no | ',
        ],
      },
    ],
    [
      'keeps the destination with EnablePreserveDip',
      () => balanced({ PortMappings: [{ ...port, Flags: 8 }] }).sentences,
      [
        'Load balancer d4e6032f (10.96.0.10 80->8080/tcp) redirects the traffic.',
        'The destination address does not change (EnablePreserveDip).',
        'The backends reply to the pod directly (EnableDirectServerReturn).',
      ],
    ],
    [
      'translates the source to its source VIP',
      () => balanced({ Flags: 0, SourceVIP: '10.244.1.98' }).sentences,
      [
        'Load balancer d4e6032f (10.96.0.10 80->8080/tcp) redirects the traffic.',
        'Without direct server return, HNS translates the source to the source VIP; OutBoundNAT does not apply.',
      ],
    ],
    [
      'translates the source to a node address without frontends',
      () =>
        balanced({ Flags: 0, FrontendVIPs: [] }, 'bridge-1', { ...toBackends, address: '10.0.0.1' })
          .sentences,
      [
        'Load balancer d4e6032f (node addresses 80->8080/tcp) redirects the traffic.',
        'Without direct server return, HNS translates the source to a node address; OutBoundNAT does not apply.',
      ],
    ],
    [
      'has no effect on another port',
      () => textOf(balanced({}, 'bridge-1', { ...toBackends, port: 81 })),
      {
        sentences: [
          'No load balancer matches 10.96.0.10:81/tcp. Those with its address have other ports: d4e6032f (80/tcp).',
        ],
        uncertain: false,
        rules: [
          'load balancer | d4e6032f: 10.96.0.10 80->8080/tcp | no | no | the remote port is 81',
          'load balancer | 1 with other addresses | no | no | ',
        ],
      },
    ],
    [
      'may redirect traffic without a port',
      () => textOf(balanced({}, 'bridge-1', { address: '10.96.0.10' })),
      {
        sentences: [
          'A load balancer may redirect the traffic, d4e6032f (80/tcp): the remote port is not given.',
        ],
        uncertain: true,
        rules: [
          'load balancer | d4e6032f: 10.96.0.10 80->8080/tcp | unknown | may | the remote port is not given',
          'load balancer | 1 with other addresses | no | no | ',
        ],
      },
    ],
    [
      'may redirect traffic to backends on another network',
      () => textOf(balanced({}, 'second')),
      {
        sentences: [
          'A load balancer may redirect the traffic, d4e6032f (80/tcp): its backends are on network second.',
        ],
        uncertain: true,
        rules: [
          'load balancer | d4e6032f: 10.96.0.10 80->8080/tcp | unknown | may | its backends are on network second',
          'load balancer | 1 with other addresses | no | no | ',
        ],
      },
    ],
    [
      'may redirect traffic to backends on a network that is gone',
      () => balanced({}, 'gone').sentences,
      ['A load balancer may redirect the traffic, d4e6032f (80/tcp): its backends are on network gone.'],
    ],
    [
      'loses traffic without backends',
      () => balanced({ HostComputeEndpoints: [] }),
      {
        sentences: ['Load balancer d4e6032f (10.96.0.10 80->8080/tcp) redirects the traffic.'],
        rules: [
          {
            stage: 'load balancer',
            line: 'd4e6032f: 10.96.0.10 80->8080/tcp',
            matches: 'yes',
            decides: 'yes',
          },
          { stage: 'load balancer', line: '1 with other addresses', matches: 'no', decides: 'no' },
        ],
        by: {
          ID: 'd4e6032f-bbf7-4b5a-880f-667bebc65504',
          HostComputeEndpoints: [],
          FrontendVIPs: ['10.96.0.10'],
          PortMappings: [{ Protocol: 6, InternalPort: 8080, ExternalPort: 80 }],
          Flags: 1,
          SchemaVersion: { Major: 2, Minor: 0 },
        },
        possible: [],
      },
    ],
    [
      'without frontends may redirect traffic if the node addresses are unknown',
      () =>
        findCandidates({
          destination: toBackends,
          inventory: { ...bridgeState(1).inventory, loadBalancers: [balancer({ FrontendVIPs: [] })] },
        }).candidates.map(({ matches, because }) => ({ matches, because })),
      [{ matches: 'unknown', because: 'the node addresses are unknown and may include 10.96.0.10' }],
    ],
  ])('%s', (_, actual, expected) => {
    expect(actual()).toEqual(expected);
  });
});

describe('OutBoundNAT', () => {
  test.each<[string, () => unknown, unknown]>([
    [
      'translates to the VirtualIP of a destination',
      () => nat(udp, [], destinations('8.8.8.0/24')),
      {
        sentences: ['8.8.8.0/24 is an OutBoundNAT destination (policy 1).'],
        uncertain: false,
        rules: ['OutBoundNAT | policy 1: destination 8.8.8.0/24 | yes | yes | '],
        sources: [{ of: 'VirtualIP', addresses: ['10.244.1.99'] }],
      },
    ],
    [
      'does not translate without a policy that matches',
      () => nat(udp, [], destinations('10.96.0.0/12')),
      {
        sentences: ['No OutBoundNAT policy matches.'],
        uncertain: false,
        rules: ['OutBoundNAT | policy 1: destination 10.96.0.0/12 | no | no | '],
        sources: [{ of: 'pod', addresses: ['10.244.1.5'] }],
      },
    ],
    [
      'does not translate an exception',
      () => nat(udp, [], exceptions('8.0.0.0/8')),
      {
        sentences: ['8.0.0.0/8 is an OutBoundNAT exception (policy 1).'],
        uncertain: false,
        rules: [
          'OutBoundNAT | policy 1: exception 8.0.0.0/8 | yes | yes | ',
          'OutBoundNAT | HNS default: exception 10.244.1.0/24 | no | no | ',
          'OutBoundNAT | policy 1: all other destinations | no | no | ',
        ],
        sources: [{ of: 'pod', addresses: ['10.244.1.5'] }],
      },
    ],
    [
      'does not translate the pod subnet',
      () => nat({ address: '10.244.1.77' }, [], exceptions('8.0.0.0/8')),
      {
        sentences: ['10.244.1.0/24 is the pod subnet, which HNS reportedly excludes from OutBoundNAT.'],
        uncertain: false,
        rules: [
          'OutBoundNAT | policy 1: exception 8.0.0.0/8 | no | no | ',
          'OutBoundNAT | HNS default: exception 10.244.1.0/24 | yes | yes | ',
          'OutBoundNAT | policy 1: all other destinations | no | no | ',
        ],
        sources: [{ of: 'pod', addresses: ['10.244.1.5'] }],
      },
    ],
    [
      'translates all other destinations to the node',
      () => nat(udp, [], exceptions('10.0.0.0/8')),
      {
        sentences: ['No OutBoundNAT exception matches (policy 1).'],
        uncertain: false,
        rules: [
          'OutBoundNAT | policy 1: exception 10.0.0.0/8 | no | no | ',
          'OutBoundNAT | HNS default: exception 10.244.1.0/24 | no | no | ',
          'OutBoundNAT | policy 1: all other destinations | yes | yes | ',
        ],
        sources: [{ of: 'node', addresses: ['10.0.0.1'] }],
      },
    ],
    [
      'may translate a ping',
      () => nat({ address: '8.8.8.8', protocol: 1 }, [], exceptions('10.0.0.0/8')),
      {
        sentences: [
          'No OutBoundNAT exception matches (policy 1).',
          'Without ports the translation is uncertain: Kubernetes documents that HNS translates only TCP and UDP, but users report working pings.',
        ],
        uncertain: true,
        rules: [
          'OutBoundNAT | policy 1: exception 10.0.0.0/8 | no | no | ',
          'OutBoundNAT | HNS default: exception 10.244.1.0/24 | no | no | ',
          'OutBoundNAT | policy 1: all other destinations | yes | yes | ',
        ],
        sources: [
          { of: 'node', addresses: ['10.0.0.1'] },
          { of: 'pod', addresses: ['10.244.1.5'] },
        ],
      },
    ],
    [
      'may keep the source for a backend that is an exception',
      () => nat(udp, ['10.244.2.5', '10.244.1.5'], exceptions('10.0.0.0/8')),
      {
        sentences: [
          'No OutBoundNAT exception matches (policy 1).',
          'For the backends 10.244.2.5 the policies give the opposite result, and HNS does not document which address it compares. Add the load balancer address to the exceptions.',
        ],
        uncertain: true,
        rules: [
          'OutBoundNAT | policy 1: exception 10.0.0.0/8 | no | no | ',
          'OutBoundNAT | HNS default: exception 10.244.1.0/24 | no | no | ',
          'OutBoundNAT | policy 1: all other destinations | yes | yes | ',
        ],
        sources: [
          { of: 'node', addresses: ['10.0.0.1'] },
          { of: 'pod', addresses: ['10.244.1.5'] },
        ],
      },
    ],
    [
      'may translate the source for a backend that is no exception',
      () => nat(udp, ['192.0.2.1', '192.0.2.2'], exceptions('8.0.0.0/8')),
      {
        sentences: [
          '8.0.0.0/8 is an OutBoundNAT exception (policy 1).',
          'For the backends 192.0.2.1 and 192.0.2.2 the policies give the opposite result, and HNS does not document which address it compares. Add the backends to the exceptions.',
        ],
        uncertain: true,
        rules: [
          'OutBoundNAT | policy 1: exception 8.0.0.0/8 | yes | yes | ',
          'OutBoundNAT | HNS default: exception 10.244.1.0/24 | no | no | ',
          'OutBoundNAT | policy 1: all other destinations | no | no | ',
        ],
        sources: [
          { of: 'pod', addresses: ['10.244.1.5'] },
          { of: 'node', addresses: ['10.0.0.1'] },
        ],
      },
    ],
    [
      'may translate the source for many backends, of which it names ten',
      () =>
        nat(
          udp,
          Array.from({ length: 12 }, (_, index) => `192.0.2.${index + 1}`),
          exceptions('8.0.0.0/8'),
        ),
      {
        sentences: [
          '8.0.0.0/8 is an OutBoundNAT exception (policy 1).',
          'For the backends 192.0.2.1 and 192.0.2.2 and 192.0.2.3 and 192.0.2.4 and 192.0.2.5 and 192.0.2.6 and 192.0.2.7 and 192.0.2.8 and 192.0.2.9 and 192.0.2.10 and 2 more the policies give the opposite result, and HNS does not document which address it compares. Add the backends to the exceptions.',
        ],
        uncertain: true,
        rules: [
          'OutBoundNAT | policy 1: exception 8.0.0.0/8 | yes | yes | ',
          'OutBoundNAT | HNS default: exception 10.244.1.0/24 | no | no | ',
          'OutBoundNAT | policy 1: all other destinations | no | no | ',
        ],
        sources: [
          { of: 'pod', addresses: ['10.244.1.5'] },
          { of: 'node', addresses: ['10.0.0.1'] },
        ],
      },
    ],
  ])('%s', (_, actual, expected) => {
    expect(actual()).toEqual(expected);
  });
});

describe('routes', () => {
  test.each<[string, () => unknown, unknown]>([
    [
      'of a pod',
      () => textOf(routeStage(query(bridgeState(1), udp))),
      {
        sentences: [],
        uncertain: false,
        rules: [
          'route | 10.244.1.5/24 on-link | no | no | ',
          'route | 0.0.0.0/0 via 10.244.1.2 | yes | yes | ',
        ],
      },
    ],
    [
      'of a pod that has none',
      () => textOf(routeStage(query(bridgeState(1, { endpoint: { Routes: [] } }), udp))),
      {
        sentences: ['The pod has no route to 8.8.8.8.'],
        uncertain: false,
        rules: ['route | 10.244.1.5/24 on-link | no | no | '],
      },
    ],
    [
      'by SDNRoute policies',
      () =>
        textOf(
          sdnRouteStage(
            query(
              bridgeState(1, {
                endpoint: {
                  Policies: [
                    policy('SDNRoute', { DestinationPrefix: '8.0.0.0/8', NeedEncap: true }),
                    policy('SDNRoute', { DestinationPrefix: '8.8.0.0/16', NextHop: '10.244.1.2' }),
                    policy('SDNRoute', {}),
                  ],
                },
              }),
              udp,
            ),
          ),
        ),
      {
        sentences: [
          'SDNRoute 8.8.0.0/16 (policy 2) applies: HNS sends the traffic not encapsulated to next hop 10.244.1.2.',
        ],
        uncertain: false,
        rules: [
          'SDNRoute | policy 1: 8.0.0.0/8, encapsulated | yes | no | ',
          'SDNRoute | policy 2: 8.8.0.0/16 via 10.244.1.2, not encapsulated | yes | yes | ',
          'SDNRoute | policy 3: ?, not encapsulated | no | no | ',
        ],
      },
    ],
    [
      'by RemoteSubnetRoute policies',
      () => textOf(overlayStage(query(overlayState(1), { address: '10.244.2.5' }))),
      {
        sentences: [
          'RemoteSubnetRoute 10.244.2.0/24 applies: HNS sends the traffic by VXLAN to node 10.0.0.2.',
        ],
        uncertain: false,
        rules: [
          'RemoteSubnetRoute | network policy 4: 10.244.2.0/24 on node 10.0.0.2, virtual subnet 4096, router MAC address 00-15-5D-00-00-02 | yes | yes | ',
        ],
      },
    ],
    [
      'by a RemoteSubnetRoute policy without a provider address',
      () =>
        overlayStage(
          query(
            overlayState(1, {
              network: { Policies: [policy('RemoteSubnetRoute', { DestinationPrefix: '10.244.2.0/24' })] },
            }),
            { address: '10.244.2.5' },
          ),
        ).sentences,
      ['RemoteSubnetRoute 10.244.2.0/24 applies: HNS sends the traffic by VXLAN to node ?.'],
    ],
    [
      'by RemoteSubnetRoute policies of no Overlay network',
      () => textOf(overlayStage(query(bridgeState(1), { address: '10.244.2.5' }))),
      { sentences: [], uncertain: false, rules: [] },
    ],
  ])('%s', (_, actual, expected) => {
    expect(actual()).toEqual(expected);
  });
});

describe('the longest prefix', () => {
  test.each<[string, () => unknown, unknown]>([
    [
      'is the most specific one, the first of equals',
      () =>
        longestMatch(
          ['0.0.0.0/0', '10.0.0.0/8', '10.1.0.0/16', '10.1.2.3/16', 'fd00::/8', 'nonsense'],
          (text) => text,
          '10.1.2.3',
        ),
      '10.1.0.0/16',
    ],
    [
      'may be an address',
      () => longestMatch(['10.1.2.0/24', '10.1.2.3'], (text) => text, '10.1.2.3'),
      '10.1.2.3',
    ],
    [
      'is none if none contains the address',
      () => longestMatch(['10.1.2.0/24', 'nonsense'], (text) => text, '10.1.3.3'),
      undefined,
    ],
  ])('%s', (_, actual, expected) => {
    expect(actual()).toEqual(expected);
  });
});

describe('loopbackDSR', () => {
  test.each<[string, () => unknown, unknown]>([
    [
      'needs a destination with all addresses of the pod',
      () => loopback('10.244.1.5/32', '10.244.1.0/24'),
      {
        sentences: [
          'The pod is a backend, and its address is an OutBoundNAT destination (policy 1, loopbackDSR).',
        ],
        source: { of: 'node', addresses: ['10.0.0.1'] },
        rules: [
          {
            stage: 'loopbackDSR',
            line: 'policy 1: destination 10.244.1.5/32',
            matches: 'no',
            decides: 'no',
            because: 'the pod address is 10.244.1.5, 10.244.1.6',
          },
          {
            stage: 'loopbackDSR',
            line: 'policy 1: destination 10.244.1.0/24',
            matches: 'yes',
            decides: 'yes',
          },
        ],
      },
    ],
    [
      'is missing if a destination has only one address of the pod',
      () => loopback('10.244.1.5/32'),
      {
        sentences: [
          'The pod is a backend, but no OutBoundNAT policy has its address 10.244.1.5, 10.244.1.6 as a destination (loopbackDSR).',
        ],
        rules: [
          {
            stage: 'loopbackDSR',
            line: 'policy 1: destination 10.244.1.5/32',
            matches: 'no',
            decides: 'no',
            because: 'the pod address is 10.244.1.5, 10.244.1.6',
          },
        ],
      },
    ],
  ])('%s', (_, actual, expected) => {
    expect(actual()).toEqual(expected);
  });
});

describe('the ACLs of traffic to a load balancer', () => {
  test.each<[string, () => unknown, unknown]>([
    [
      'may see the frontend or the backend',
      () => caveats(acl('Out')),
      [
        '10.96.0.10 is a frontend of load balancer d4e6032f. HNS does not document whether ACLs see the frontend or the backend address. Check 10.244.1.9 too.',
      ],
    ],
    [
      'may see the frontend or the backend, if only the default of HNS blocks it',
      () => caveats(acl('In')),
      [
        '10.96.0.10 is a frontend of load balancer d4e6032f. HNS does not document whether ACLs see the frontend or the backend address. Check 10.244.1.9 too.',
      ],
    ],
    ['do not matter if there are none', () => caveats(), []],
  ])('%s', (_, actual, expected) => {
    expect(actual()).toEqual(expected);
  });
});

describe('of several that match, the first decides:', () => {
  test('load balancers of a frontend', () => {
    const { inventory, ...state } = bridgeState(1, { others: [backend('bridge-1')] });
    const second = balancer({
      ID: 'e4e6032f-bbf7-4b5a-880f-667bebc65504',
      FrontendVIPs: ['10.96.0.9', '10.96.0.10'],
    });
    const both = { ...state, inventory: { ...inventory, loadBalancers: [balancer(), second] } };
    expect(textOf(loadBalancerStage(query(both, toBackends)))).toEqual({
      sentences: [
        'Load balancer d4e6032f (10.96.0.10 80->8080/tcp) redirects the traffic.',
        'The backends reply to the pod directly (EnableDirectServerReturn).',
      ],
      uncertain: false,
      rules: [
        'load balancer | d4e6032f: 10.96.0.10 80->8080/tcp | yes | yes | ',
        'load balancer | e4e6032f: 10.96.0.9, 10.96.0.10 80->8080/tcp | yes | no | ',
      ],
    });
  });

  test('destinations of loopbackDSR', () => {
    expect(textOf(loopback('10.244.1.5', '10.244.1.0/24', '10.244.0.0/16'))).toEqual({
      sentences: [
        'The pod is a backend, and its address is an OutBoundNAT destination (policy 1, loopbackDSR).',
      ],
      uncertain: false,
      rules: [
        'loopbackDSR | policy 1: destination 10.244.1.5 | no | no | the pod address is 10.244.1.5, 10.244.1.6',
        'loopbackDSR | policy 1: destination 10.244.1.0/24 | yes | yes | ',
        'loopbackDSR | policy 1: destination 10.244.0.0/16 | yes | no | ',
      ],
    });
  });
});

test('load balancers may redirect traffic for several reasons', () => {
  const { FrontendVIPs: _, ...nodePort } = balancer();
  const state = bridgeState(1, {
    others: [backend('bridge-1')],
    loadBalancers: [balancer(), nodePort, { ...nodePort, ID: 'e4e6032f-bbf7-4b5a-880f-667bebc65504' }],
  });
  const { nodeAddresses: _addresses, ...given } = query(state, { address: '10.96.0.10', protocol: 6 });
  expect(
    loadBalancerStage({ ...given, destination: { address: '10.96.0.10', protocol: 6 } }).sentences,
  ).toEqual([
    'A load balancer may redirect the traffic, d4e6032f (80/tcp), d4e6032f (80/tcp), e4e6032f (80/tcp): the remote port is not given.',
  ]);
  const others = { ...backend('second'), HostComputeNetwork: 'second' };
  const elsewhere = bridgeState(1, { others: [others], loadBalancers: [balancer(), nodePort] });
  const { nodeAddresses: _unknown, ...open } = query(elsewhere, toBackends);
  expect(loadBalancerStage(open).sentences).toEqual([
    'A load balancer may redirect the traffic, d4e6032f (80/tcp), d4e6032f (80/tcp): its backends are on network second; the node addresses are unknown and may include 10.96.0.10.',
  ]);
});

describe('the lines of OutBoundNAT', () => {
  test('show exceptions that match and do not decide', () => {
    expect(nat(udp, [], exceptions('8.0.0.0/8', '8.8.0.0/16')).rules.slice(0, 2)).toEqual([
      'OutBoundNAT | policy 1: exception 8.0.0.0/8 | yes | no | ',
      'OutBoundNAT | policy 1: exception 8.8.0.0/16 | yes | yes | ',
    ]);
  });

  test('of policies that do not translate give no possible source', () => {
    const Exceptions = ['8.8.8.8'];
    const first = policy('OutBoundNAT', { Exceptions, VirtualIP: '10.244.1.98' });
    const { sources } = nat(udp, ['10.244.9.9'], first);
    expect(sources).toEqual([
      { of: 'pod', addresses: ['10.244.1.5'] },
      { of: 'VirtualIP', addresses: ['10.244.1.98'] },
    ]);
    const only = policy('OutBoundNAT', {
      Destinations: ['10.244.9.9'],
      Exceptions,
      VirtualIP: '10.244.1.97',
    });
    expect(nat(udp, ['10.244.9.9'], exceptions('8.8.8.8'), only).sources).toEqual([
      { of: 'pod', addresses: ['10.244.1.5'] },
      { of: 'VirtualIP', addresses: ['10.244.1.97'] },
      { of: 'node', addresses: ['10.0.0.1'] },
    ]);
  });
});

test('an SDNRoute without a next hop may encapsulate', () => {
  const Policies = [policy('SDNRoute', { DestinationPrefix: '10.96.0.0/12', NeedEncap: true })];
  const { sentences } = sdnRouteStage(query(bridgeState(1, { endpoint: { Policies } }), toBackends));
  expect(sentences).toEqual([
    'SDNRoute 10.96.0.0/12 (policy 1) applies: HNS sends the traffic encapsulated.',
  ]);
});
