import { describe, expect, test } from 'vitest';
import { explainNat } from '../../../src/cli/explain-nat/explain-nat.ts';
import { parseDestination } from '../../../src/cli/traffic/destination.ts';
import type {
  HostComputeEndpoint,
  ObservedEndpoint,
  ObservedLoadBalancer,
  ObservedNetwork,
  Policy,
} from '../../../src/hcn/documents.ts';
import type { Inventory } from '../../../src/model/inventory.ts';

const SchemaVersion = { Major: 2, Minor: 0 };
const pod: ObservedEndpoint = {
  ID: 'e',
  Name: 'pod',
  HostComputeNetwork: 'n',
  HostComputeNamespace: '7c806792-3d8f-4c7b-9e51-0d4f6a3b2c1d',
  IpConfigurations: [{ IpAddress: '10.244.1.2', PrefixLength: 24 }],
  Routes: [{ DestinationPrefix: '0.0.0.0/0', NextHop: '10.244.1.1' }],
  SchemaVersion,
};
const network: ObservedNetwork = { ID: 'n', Name: 'net', Type: 'L2Bridge', SchemaVersion };
const otherNetwork: ObservedNetwork = { ID: 'm', Name: 'other', Type: 'L2Bridge', SchemaVersion };

interface Given {
  readonly policies?: readonly Policy[];
  readonly endpoint?: Partial<HostComputeEndpoint>;
  readonly others?: readonly ObservedEndpoint[];
  readonly network?: Partial<ObservedNetwork>;
  readonly loadBalancers?: readonly ObservedLoadBalancer[];
  readonly nodeAddresses?: readonly string[];
}

function explain(destination: string, given: Given) {
  const endpoint = { ...pod, Policies: given.policies ?? [], ...given.endpoint };
  const inventory: Inventory = {
    networks: [{ ...network, ...given.network }, otherNetwork],
    endpoints: [endpoint, ...(given.others ?? [])],
    namespaces: [{ ID: '7c806792-3d8f-4c7b-9e51-0d4f6a3b2c1d', SchemaVersion }],
    loadBalancers: given.loadBalancers ?? [],
  };
  const parsed = parseDestination(destination) ?? { address: '' };
  const { says, open, lines } = explainNat(endpoint, parsed, inventory, given.nodeAddresses);
  const shown = lines
    .filter(({ stage }) => stage !== 'route')
    .map(({ stage, line, matches, decides, because = '' }) =>
      [stage, line, matches, decides, because].join(' | '),
    );
  return { says, open, lines: shown };
}

const keeps = (address: string) => `No OutBoundNAT policy: traffic to ${address} keeps the pod address.`;
const policy = (Type: string, Settings: Policy['Settings'] = {}): Policy => ({ Type, Settings });

describe('what the pod sends', () => {
  test('goes nowhere without a route, whatever the policies say', () => {
    const Policies = [policy('OutBoundNAT', { Exceptions: ['10.0.0.0/8'] })];
    expect(explain('8.8.8.8', { endpoint: { Routes: [], Policies } })).toEqual({
      says: ['The pod has no route to 8.8.8.8.'],
      open: false,
      lines: [],
    });
  });

  test.each(['127.0.0.1', '127.9.9.9', '::1'])('stays in the pod when it is for %s', (address) => {
    const IpConfigurations = [{ IpAddress: '10.1.0.2' }, { IpAddress: 'fd00::1:2' }];
    expect(explain(address, { endpoint: { IpConfigurations } })).toEqual({
      says: [`${address} is a loopback address: traffic to it does not leave the pod.`],
      open: false,
      lines: [],
    });
  });

  test.each(['0.0.0.0', '224.0.0.251', '255.255.255.255'])('cannot be told when it is for %s', (address) => {
    expect(explain(address, {})).toEqual({
      says: [`${address} is not a unicast address, and HNS does not document how it handles it.`],
      open: true,
      lines: [],
    });
  });

  test.each(['NAT', 'ICS'])("gets one of the node's addresses on a network of type %s", (Type) => {
    expect(explain('8.8.8.8', { network: { Type } }).says).toEqual([
      `No OutBoundNAT policy, but network "net" has type ${Type}: Windows translates outgoing traffic to a node address.`,
    ]);
  });

  const ofIPv6 = {
    IpConfigurations: [{ IpAddress: 'fd00::1:2', PrefixLength: 64 }],
    Routes: [{ DestinationPrefix: '::/0', NextHop: 'fd00::1' }],
  };
  const translated =
    'No OutBoundNAT exception matches (policy 1): traffic to 2001:db8::7 gets a node address as its source.';
  test.each([
    [
      {},
      [
        translated,
        'The translation of IPv6 is uncertain: this policy lacks the IPv6 flag, and HNS does not document whether it is required.',
      ],
    ],
    [{ Flags: 2 }, [translated]],
    [
      { Exceptions: ['2001:db8::/32'] },
      ['2001:db8::/32 is an OutBoundNAT exception (policy 1): traffic to 2001:db8::7 keeps the pod address.'],
    ],
  ])('is translated in IPv6, though not surely without the flag: %j', (settings, says) => {
    const policies = [policy('OutBoundNAT', settings)];
    expect(explain('[2001:db8::7]:443', { policies, endpoint: ofIPv6 })).toMatchObject({
      says,
      open: says.length > 1,
    });
  });

  test('takes the most exact SDN route', () => {
    const policies = [
      policy('SDNRoute', { DestinationPrefix: '10.0.0.0/8', NeedEncap: true }),
      policy('SDNROUTE', { DestinationPrefix: '10.96.0.0/12', NextHop: '10.244.1.9', NeedEncap: false }),
    ];
    expect(explain('10.96.0.10', { policies })).toEqual({
      says: [
        keeps('10.96.0.10'),
        'SDNRoute 10.96.0.0/12 (policy 2) applies: HNS sends the traffic to next hop 10.244.1.9, not encapsulated.',
      ],
      open: false,
      lines: [
        'SDNRoute | policy 1: 10.0.0.0/8, encapsulated | yes | no | ',
        'SDNRoute | policy 2: 10.96.0.0/12 to next hop 10.244.1.9, not encapsulated | yes | yes | ',
      ],
    });
  });

  test('goes to the node of its subnet on an Overlay network', () => {
    const remoteSubnet = (DestinationPrefix: string, ProviderAddress: string) =>
      policy('RemoteSubnetRoute', { DestinationPrefix, ProviderAddress, IsolationId: 4096 });
    const Policies = [remoteSubnet('10.244.2.0/24', '10.0.0.5'), remoteSubnet('10.244.3.0/24', '10.0.0.6')];
    expect(explain('10.244.3.7', { network: { Type: 'Overlay', Policies } })).toEqual({
      says: [
        keeps('10.244.3.7'),
        'RemoteSubnetRoute 10.244.3.0/24 applies: HNS sends the traffic by VXLAN to node 10.0.0.6.',
      ],
      open: false,
      lines: [
        'RemoteSubnetRoute | network policy 1: 10.244.2.0/24 at 10.0.0.5 | no | no | ',
        'RemoteSubnetRoute | network policy 2: 10.244.3.0/24 at 10.0.0.6 | yes | yes | ',
      ],
    });
  });
});

describe('a load balancer', () => {
  const backend: ObservedEndpoint = {
    ID: 'b',
    Name: 'backend',
    HostComputeNetwork: 'n',
    IpConfigurations: [{ IpAddress: '10.244.2.7' }, { IpAddress: 'fd00::2:7' }],
    SchemaVersion,
  };
  const service: ObservedLoadBalancer = {
    ID: 'd4e6032f-bbf7-4b5a-880f-667bebc65504',
    HostComputeEndpoints: ['b'],
    FrontendVIPs: ['10.96.0.10'],
    PortMappings: [
      { Protocol: 17, InternalPort: 5353, ExternalPort: 53 },
      { Protocol: 6, InternalPort: 5353, ExternalPort: 53, Flags: 8 },
    ],
    SchemaVersion,
  };
  const { FrontendVIPs: _frontends, ...nodePort } = service;

  test('is for one protocol, its backends of one family, and may keep the destination', () => {
    expect(explain('10.96.0.10:53/tcp', { others: [backend], loadBalancers: [service] })).toEqual({
      says: [
        'Load balancer d4e6032f (10.96.0.10 53->5353/tcp) redirects the traffic to 10.244.2.7:5353.',
        'The destination address does not change (EnablePreserveDip).',
        'Without direct server return, HNS may change the source address to a node address.',
        keeps('10.96.0.10'),
      ],
      open: false,
      lines: [
        'load balancer | d4e6032f: 10.96.0.10 53->5353/udp | no | no | the protocol is tcp',
        'load balancer | d4e6032f: 10.96.0.10 53->5353/tcp | yes | yes | ',
      ],
    });
  });

  test('does not catch what has no ports', () => {
    expect(explain('10.96.0.10/icmp', { others: [backend], loadBalancers: [service] }).lines).toEqual([
      'load balancer | d4e6032f: 10.96.0.10 53->5353/udp | no | no | the protocol is icmp',
      'load balancer | d4e6032f: 10.96.0.10 53->5353/tcp | no | no | the protocol is icmp',
    ]);
  });

  test('on another network may not catch it', () => {
    const others = [{ ...backend, HostComputeNetwork: 'm' }];
    expect(explain('10.96.0.10:53/udp', { others, loadBalancers: [service] })).toMatchObject({
      says: [
        'A load balancer may redirect the traffic, d4e6032f (53/udp): its backends are on network other.',
        keeps('10.96.0.10'),
      ],
      open: true,
    });
  });

  test.each<[string, readonly string[] | undefined, string, string]>([
    ['catches what goes to one', ['10.0.0.4', 'fd00::4'], 'yes', ''],
    ['does not catch what goes elsewhere', ['10.0.0.5'], 'no', ''],
    [
      'may catch it where they are not known',
      undefined,
      'unknown',
      'the node addresses are unknown and may include 10.0.0.4',
    ],
  ])("on the node's own addresses %s", (_name, nodeAddresses, matches, because) => {
    const given = { others: [backend], loadBalancers: [nodePort] };
    const { lines } = explain('10.0.0.4:53/udp', {
      ...given,
      ...(nodeAddresses !== undefined && { nodeAddresses }),
    });
    const decides = { yes: 'yes', no: 'no', unknown: 'may' }[matches];
    expect(lines[0]).toBe(
      matches === 'no'
        ? 'load balancer | 1 with other addresses | no | no | '
        : `load balancer | d4e6032f: node addresses 53->5353/udp | ${matches} | ${decides} | ${because}`,
    );
  });

  test('and its backends may be judged differently the other way round', () => {
    const policies = [policy('OutBoundNAT', { Exceptions: ['10.244.0.0/16'] })];
    expect(
      explain('10.96.0.10:53', { policies, others: [backend], loadBalancers: [service] }).says.slice(-1),
    ).toEqual([
      'For the backends 10.244.2.7 the policies decide the opposite, and HNS does not document which address it compares. ' +
        'Add the load balancer address to the exceptions.',
    ]);
  });
});

describe('a proxy in the pod', () => {
  const proxy = (settings: Policy['Settings']) => [
    policy('L4WFPPROXY', { OutboundProxyPort: '15001', FilterTuple: { Protocols: '6' }, ...settings }),
  ];
  test.each<[string, Policy['Settings'], string]>([
    ['10.96.0.10:80', {}, 'yes | yes | '],
    ['10.96.0.10:80/udp', {}, 'no | no | the protocol is udp'],
    ['10.96.0.10/tcp', {}, 'yes | yes | '],
    ['10.96.0.10', {}, 'unknown | may | the protocol is not given'],
    [
      '10.96.0.10:80',
      { OutboundExceptions: { IpAddressExceptions: ['10.96.0.0/12'] } },
      'no | no | 10.96.0.0/12 is an exception',
    ],
    [
      '10.96.0.10:80',
      { OutboundExceptions: { PortExceptions: ['53', '79-80'] } },
      'no | no | port 80 is an exception',
    ],
    [
      '10.96.0.10/tcp',
      { OutboundExceptions: { PortExceptions: ['53'] } },
      'unknown | may | the remote port is not given',
    ],
    ['10.96.0.10:80', { OutboundProxyPort: '' }, 'no | no | OutboundProxyPort is missing'],
  ])('and %s with %j', (destination, settings, judged) => {
    const { lines } = explain(destination, { policies: proxy(settings) });
    expect(lines[0]?.split(' | ').slice(2).join(' | ')).toBe(judged);
  });
});

test.each([
  [{ policies: [policy('L4Proxy', { Destination: '10.244.1.9:80' })] }],
  [{ network: { Policies: [policy('L4Proxy', { Destination: '10.244.1.9:80' })] } }],
])('a policy that is not looked at makes the answer uncertain: %j', (given) => {
  expect(explain('8.8.8.8', given)).toEqual({
    says: [
      'L4Proxy policies, which explain-nat does not evaluate, may redirect the traffic.',
      keeps('8.8.8.8'),
    ],
    open: true,
    lines: [],
  });
});

test('a port mapping for one address is shown with it', () => {
  const policies = [
    policy('PortMapping', { Protocol: 17, InternalPort: 53, ExternalPort: 5353, VIP: '10.0.0.4' }),
  ];
  expect(explain('8.8.8.8', { policies }).lines).toEqual([
    'PortMapping | policy 1: port 5353 of 10.0.0.4 to pod port 53/udp | no | no | inbound connections only',
  ]);
});
