import { describe, expect, test } from 'vitest';
import { explainNat } from '../../../src/cli/explain-nat/command.ts';
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

/** The explanation for a destination, without the routes of the pod. */
function explain(destination: string, given: Given = {}) {
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

const keeps = (address: string) =>
  `No OutBoundNAT policy: traffic to ${address} keeps the pod IP address as its source.`;
const policy = (Type: string, Settings: Policy['Settings'] = {}): Policy => ({ Type, Settings });
const ofIPv6 = {
  IpConfigurations: [{ IpAddress: 'fd00::1:2', PrefixLength: 64 }],
  Routes: [{ DestinationPrefix: '::/0', NextHop: 'fd00::1' }],
};

describe('traffic', () => {
  test('is not sent without a route, whatever the policies are', () => {
    const Policies = [policy('OutBoundNAT', { Exceptions: ['10.0.0.0/8'] })];
    expect(explain('8.8.8.8', { endpoint: { Routes: [], Policies } })).toEqual({
      says: ['The pod has no route to 8.8.8.8.'],
      open: false,
      lines: [],
    });
  });

  test.each<[string, boolean, string, Partial<HostComputeEndpoint>]>([
    ['127.0.0.1', false, 'is a loopback address: traffic to it does not leave the pod.', {}],
    ['127.9.9.9', false, 'is a loopback address: traffic to it does not leave the pod.', {}],
    ['::1', false, 'is a loopback address: traffic to it does not leave the pod.', ofIPv6],
    ['10.244.1.2', false, "is the pod's own address: traffic to it does not leave the pod.", {}],
    ['0.0.0.0', true, 'is not a unicast address, and HNS does not document how it handles it.', {}],
    ['224.0.0.251', true, 'is not a unicast address, and HNS does not document how it handles it.', {}],
    ['255.255.255.255', true, 'is not a unicast address, and HNS does not document how it handles it.', {}],
  ])('has no rule for %s', (address, open, sentence, endpoint) => {
    expect(explain(address, { endpoint })).toEqual({ says: [`${address} ${sentence}`], open, lines: [] });
  });

  test('does not leave through an endpoint without an address of the family', () => {
    expect(explain('fd00::7')).toEqual({
      says: ['Not through this endpoint: it has no IPv6 address.'],
      open: true,
      lines: [],
    });
  });

  test('follows the most specific SDN route', () => {
    const policies = [
      policy('SDNRoute', { DestinationPrefix: '10.0.0.0/8', NeedEncap: true }),
      policy('SDNROUTE', { DestinationPrefix: '10.96.0.0/12', NextHop: '10.244.1.9', NeedEncap: false }),
    ];
    expect(explain('10.96.0.10', { policies })).toEqual({
      says: [
        keeps('10.96.0.10'),
        'SDNRoute 10.96.0.0/12 (policy 2) applies: HNS sends the traffic not encapsulated to next hop 10.244.1.9.',
      ],
      open: false,
      lines: [
        'SDNRoute | policy 1: 10.0.0.0/8, encapsulated | yes | no | ',
        'SDNRoute | policy 2: 10.96.0.0/12 via 10.244.1.9, not encapsulated | yes | yes | ',
      ],
    });
  });

  test('goes to the node of the destination subnet on an Overlay network', () => {
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
        'RemoteSubnetRoute | network policy 1: 10.244.2.0/24 on node 10.0.0.5, virtual subnet 4096 | no | no | ',
        'RemoteSubnetRoute | network policy 2: 10.244.3.0/24 on node 10.0.0.6, virtual subnet 4096 | yes | yes | ',
      ],
    });
  });
});

describe('the source address', () => {
  test.each(['NAT', 'ICS'])('becomes a node address on a network of type %s', (Type) => {
    expect(explain('8.8.8.8', { network: { Type } }).says).toEqual([
      `No OutBoundNAT policy, but network "net" has type ${Type}: Windows translates outgoing traffic to a node address.`,
    ]);
  });

  test('becomes a node address without an exception', () => {
    const policies = [
      policy('OutBoundNAT', { Exceptions: ['10.244.0.0/16'] }),
      policy('OutBoundNAT', { Destinations: ['10.244.1.2'] }),
    ];
    expect(explain('8.8.8.8', { policies })).toEqual({
      says: [
        'No OutBoundNAT exception matches (policy 1): traffic to 8.8.8.8 gets a node address as its source.',
      ],
      open: false,
      lines: [
        'OutBoundNAT | policy 1: exception 10.244.0.0/16 | no | no | ',
        'OutBoundNAT | policy 2: destination 10.244.1.2 | no | no | ',
        'OutBoundNAT | HNS default: exception 10.244.1.0/24 | no | no | ',
        'OutBoundNAT | policy 1: all other destinations | yes | yes | ',
      ],
    });
  });

  test('does not change if no policy matches', () => {
    const policies = [policy('OutBoundNAT', { Destinations: ['10.244.1.2'] })];
    expect(explain('8.8.8.8', { policies }).says).toEqual([
      'No OutBoundNAT policy matches: traffic to 8.8.8.8 keeps the pod IP address as its source.',
    ]);
  });

  test('of a ping is uncertain', () => {
    expect(explain('8.8.8.8/icmp', { policies: [policy('OutBoundNAT')] })).toMatchObject({
      says: [
        'No OutBoundNAT exception matches (policy 1): traffic to 8.8.8.8 gets a node address as its source.',
        'Without ports the translation is uncertain: Kubernetes documents that HNS translates only TCP and UDP, but users report working pings.',
      ],
      open: true,
    });
  });

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
      [
        '2001:db8::/32 is an OutBoundNAT exception (policy 1): traffic to 2001:db8::7 keeps the pod IP address as its source.',
      ],
    ],
  ])('of IPv6 is uncertain if the policy lacks the IPv6 flag: %j', (settings, says) => {
    const policies = [policy('OutBoundNAT', settings)];
    expect(explain('[2001:db8::7]:443', { policies, endpoint: ofIPv6 })).toMatchObject({
      says,
      open: says.length > 1,
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
  const given = { others: [backend], loadBalancers: [service] };

  test('matches one protocol, has backends of one family, and may keep the destination', () => {
    expect(explain('10.96.0.10:53/tcp', given)).toEqual({
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

  test('does not match traffic without ports', () => {
    expect(explain('10.96.0.10/icmp', given)).toEqual({
      says: [
        'No load balancer matches 10.96.0.10/icmp. Those with its address have other ports: d4e6032f (53/udp), d4e6032f (53/tcp).',
        keeps('10.96.0.10'),
      ],
      open: false,
      lines: [
        'load balancer | d4e6032f: 10.96.0.10 53->5353/udp | no | no | the protocol is icmp',
        'load balancer | d4e6032f: 10.96.0.10 53->5353/tcp | no | no | the protocol is icmp',
      ],
    });
  });

  test.each([
    ['10.96.0.10/udp', backend, 'the remote port is not given'],
    ['10.96.0.10:53/udp', { ...backend, HostComputeNetwork: 'm' }, 'its backends are on network other'],
  ])('may redirect %s', (destination, other, because) => {
    expect(explain(destination, { ...given, others: [other] })).toEqual({
      says: [`A load balancer may redirect the traffic, d4e6032f (53/udp): ${because}.`, keeps('10.96.0.10')],
      open: true,
      lines: [
        `load balancer | d4e6032f: 10.96.0.10 53->5353/udp | unknown | may | ${because}`,
        'load balancer | d4e6032f: 10.96.0.10 53->5353/tcp | no | no | the protocol is udp',
      ],
    });
  });

  test.each<[string, readonly string[] | undefined, string]>([
    [
      'matches',
      ['10.0.0.4', 'fd00::4'],
      'load balancer | d4e6032f: node addresses 53->5353/udp | yes | yes | ',
    ],
    ['does not match other addresses', ['10.0.0.5'], 'load balancer | 1 with other addresses | no | no | '],
    [
      'may match if they are unknown',
      undefined,
      'load balancer | d4e6032f: node addresses 53->5353/udp | unknown | may | the node addresses are unknown and may include 10.0.0.4',
    ],
  ])('on the node addresses %s', (_name, nodeAddresses, line) => {
    const { lines } = explain('10.0.0.4:53/udp', {
      others: [backend],
      loadBalancers: [nodePort],
      ...(nodeAddresses !== undefined && { nodeAddresses }),
    });
    expect(lines[0]).toBe(line);
  });

  test('loses traffic back to the pod without an OutBoundNAT destination', () => {
    const loadBalancers = [{ ...service, HostComputeEndpoints: ['e'], Flags: 1 }];
    expect(explain('10.96.0.10:53/udp', { loadBalancers })).toMatchObject({
      says: [
        'Load balancer d4e6032f (10.96.0.10 53->5353/udp) redirects the traffic to 10.244.1.2:5353.',
        'The backends reply to the pod directly (EnableDirectServerReturn).',
        'The pod is a backend, but no OutBoundNAT policy has its address 10.244.1.2 as a destination (loopbackDSR): traffic that load ' +
          'balancer d4e6032f sends back to it is lost.',
        keeps('10.96.0.10'),
      ],
      open: false,
    });
  });

  test.each([
    ['10.244.0.0/16', 'the load balancer address'],
    ['10.96.0.0/12', 'the backends'],
  ])('and its backends can have different sources with the exception %s', (exception, missing) => {
    const policies = [policy('OutBoundNAT', { VirtualIP: '10.0.0.9', Exceptions: [exception] })];
    const { says, open } = explain('10.96.0.10:53', { ...given, policies });
    expect({ last: says.at(-1), open }).toEqual({
      last:
        'For the backends 10.244.2.7 the policies decide the opposite, and HNS does not document which address it compares. ' +
        `Add ${missing} to the exceptions.`,
      open: true,
    });
  });
});

describe('a proxy in the pod', () => {
  const proxy = (settings: Policy['Settings'] = {}) =>
    policy('L4WFPPROXY', { OutboundProxyPort: '15001', FilterTuple: { Protocols: '6' }, ...settings });
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
  ])('is compared with %s: %j', (destination, settings, result) => {
    const { lines } = explain(destination, { policies: [proxy(settings)] });
    expect(lines[0]?.split(' | ').slice(2).join(' | ')).toBe(result);
  });

  test('gets the traffic first', () => {
    const policies = [
      proxy({ UserSID: 'S-1-5-32-556' }),
      policy('OutBoundNAT', { VirtualIP: '10.0.0.9', Exceptions: ['10.0.0.0/8'] }),
    ];
    expect(explain('8.8.8.8:443', { policies })).toEqual({
      says: [
        'L4WFPPROXY (policy 1) redirects the traffic to port 15001 in the pod. The rest applies to traffic from there.',
        'No OutBoundNAT exception matches (policy 2): traffic to 8.8.8.8 gets the VirtualIP 10.0.0.9 as its source.',
      ],
      open: false,
      lines: [
        'L4WFPPROXY | policy 1: tcp to any port any goes to 15001, except from S-1-5-32-556 | yes | yes | ',
        'OutBoundNAT | policy 2: exception 10.0.0.0/8 | no | no | ',
        'OutBoundNAT | HNS default: exception 10.244.1.0/24 | no | no | ',
        'OutBoundNAT | policy 2: all other destinations | yes | yes | ',
      ],
    });
  });

  test('may get the traffic', () => {
    expect(explain('8.8.8.8', { policies: [proxy()] }).says).toEqual([
      'L4WFPPROXY (policy 1) may redirect the traffic to a proxy in the pod: the protocol is not given.',
      keeps('8.8.8.8'),
    ]);
  });
});

test.each([
  [{ policies: [policy('L4Proxy', { Destination: '10.244.1.9:80' })] }],
  [{ network: { Policies: [policy('L4Proxy', { Destination: '10.244.1.9:80' })] } }],
])('an L4Proxy policy makes the result uncertain: %j', (given) => {
  expect(explain('8.8.8.8', given)).toEqual({
    says: [
      'L4Proxy policies, which explain-nat does not evaluate, may redirect the traffic.',
      keeps('8.8.8.8'),
    ],
    open: true,
    lines: [],
  });
});

test('a port mapping of one address never matches', () => {
  const policies = [
    policy('PortMapping', { Protocol: 17, InternalPort: 53, ExternalPort: 5353, VIP: '10.0.0.4' }),
  ];
  expect(explain('8.8.8.8', { policies }).lines).toEqual([
    'PortMapping | policy 1: udp 10.0.0.4:5353 -> 53 | no | no | inbound connections only',
  ]);
});
