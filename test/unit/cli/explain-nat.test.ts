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
import type { HostAdapter } from '../../../src/net/host-adapter.ts';

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

/** A network adapter with one address. */
function adapterWith(address: string): HostAdapter {
  return {
    index: 5,
    alias: 'vEthernet (Ethernet)',
    description: 'Hyper-V Virtual Ethernet Adapter',
    mac: '00-15-5D-00-00-00',
    mtu: 1500,
    isUp: true,
    mediaType: 6,
    addresses: [{ address, length: 24 }],
    gateways: [],
    metric: 25,
  };
}

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
  const { says, acls, open, lines } = explainNat(
    endpoint,
    parsed,
    inventory,
    given.nodeAddresses?.map(adapterWith),
  );
  const shown = lines
    .filter(({ stage }) => stage !== 'route')
    .map(({ stage, line, matches, decides, because = '' }) =>
      [stage, line, matches, decides, because].join(' | '),
    );
  return { says, ...(acls !== undefined && { acls }), open, lines: shown };
}

const asPod = 'Leaves as 10.244.1.2 (pod address)';
/** The verdict and the reason without policies. */
const keeps = [`${asPod}.`, 'No OutBoundNAT policy.'];
const policy = (Type: string, Settings: Policy['Settings'] = {}): Policy => ({ Type, Settings });
const ofIPv6 = {
  IpConfigurations: [{ IpAddress: 'fd00::1:2', PrefixLength: 64 }],
  Routes: [{ DestinationPrefix: '::/0', NextHop: 'fd00::1' }],
};

describe('traffic', () => {
  test('is not sent without a route, whatever the policies are', () => {
    const Policies = [policy('OutBoundNAT', { Exceptions: ['10.0.0.0/8'] })];
    expect(explain('8.8.8.8', { endpoint: { Routes: [], Policies } })).toEqual({
      says: ['Lost: the pod has no route to 8.8.8.8.'],
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
        ...keeps,
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
        ...keeps,
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
      'Leaves as a node address.',
      `No OutBoundNAT policy, but network "net" has type ${Type}: Windows translates outgoing traffic.`,
    ]);
  });

  test('becomes a node address without an exception', () => {
    const policies = [
      policy('OutBoundNAT', { Exceptions: ['10.244.0.0/16'] }),
      policy('OutBoundNAT', { Destinations: ['10.244.1.2'] }),
    ];
    expect(explain('8.8.8.8', { policies })).toEqual({
      says: ['Leaves as a node address.', 'No OutBoundNAT exception matches (policy 1).'],
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
    expect(explain('8.8.8.8', { policies }).says).toEqual([`${asPod}.`, 'No OutBoundNAT policy matches.']);
  });

  test('of a ping is uncertain', () => {
    expect(explain('8.8.8.8/icmp', { policies: [policy('OutBoundNAT')] })).toMatchObject({
      says: [
        'Leaves as a node address or as 10.244.1.2 (pod address).',
        'No OutBoundNAT exception matches (policy 1).',
        'Without ports the translation is uncertain: Kubernetes documents that HNS translates only TCP and UDP, but users report working pings.',
      ],
      open: true,
    });
  });

  const matches = 'No OutBoundNAT exception matches (policy 1).';
  test.each([
    [
      {},
      [
        'Leaves as a node address or as fd00::1:2 (pod address).',
        matches,
        'The translation of IPv6 is uncertain: this policy lacks the IPv6 flag, and HNS does not document whether it is required.',
      ],
    ],
    [{ Flags: 2 }, ['Leaves as a node address.', matches]],
    [
      { Exceptions: ['2001:db8::/32'] },
      ['Leaves as fd00::1:2 (pod address).', '2001:db8::/32 is an OutBoundNAT exception (policy 1).'],
    ],
  ])('of IPv6 is uncertain if the policy lacks the IPv6 flag: %j', (settings, says) => {
    const policies = [policy('OutBoundNAT', settings)];
    expect(explain('[2001:db8::7]:443', { policies, endpoint: ofIPv6 })).toMatchObject({
      says,
      open: says.length > 2,
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
        'Leaves as a node address or as 10.96.0.10 (load balancer address), to 10.244.2.7:5353.',
        'Load balancer d4e6032f (10.96.0.10 53->5353/tcp) redirects the traffic.',
        'The destination address does not change (EnablePreserveDip).',
        "Without direct server return, HNS translates the source to a node address, or on some versions to the load balancer's " +
          'address; OutBoundNAT does not apply.',
      ],
      open: true,
      lines: [
        'load balancer | d4e6032f: 10.96.0.10 53->5353/udp | no | no | the protocol is tcp',
        'load balancer | d4e6032f: 10.96.0.10 53->5353/tcp | yes | yes | ',
      ],
    });
  });

  test('does not match traffic without ports', () => {
    expect(explain('10.96.0.10/icmp', given)).toEqual({
      says: [
        `${asPod}.`,
        'No load balancer matches 10.96.0.10/icmp. Those with its address have other ports: d4e6032f (53/udp), d4e6032f (53/tcp).',
        'No OutBoundNAT policy.',
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
      says: [
        `${asPod}, unless load balancer d4e6032f redirects it.`,
        `A load balancer may redirect the traffic, d4e6032f (53/udp): ${because}.`,
        'No OutBoundNAT policy.',
      ],
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

  test('has several backends', () => {
    const other = { ...backend, ID: 'c', IpConfigurations: [{ IpAddress: '10.244.2.8' }] };
    const loadBalancers = [{ ...service, HostComputeEndpoints: ['b', 'c'], Flags: 1 }];
    expect(explain('10.96.0.10:53/udp', { others: [backend, other], loadBalancers }).says[0]).toBe(
      `${asPod}, to 10.244.2.7:5353 or 10.244.2.8:5353.`,
    );
  });

  test('loses traffic back to the pod without an OutBoundNAT destination', () => {
    const loadBalancers = [{ ...service, HostComputeEndpoints: ['e'], Flags: 1 }];
    expect(explain('10.96.0.10:53/udp', { loadBalancers })).toMatchObject({
      says: [
        'Lost: load balancer d4e6032f sends it back to the pod, at 10.244.1.2:5353.',
        'Load balancer d4e6032f (10.96.0.10 53->5353/udp) redirects the traffic.',
        'The backends reply to the pod directly (EnableDirectServerReturn).',
        'The pod is a backend, but no OutBoundNAT policy has its address 10.244.1.2 as a destination (loopbackDSR).',
      ],
      open: false,
    });
  });

  test('loses only the traffic back to the pod if there are other backends', () => {
    const loadBalancers = [{ ...service, HostComputeEndpoints: ['e', 'b'], Flags: 1 }];
    const asNode = { policies: [policy('OutBoundNAT', { Destinations: ['10.244.1.2'] })] };
    const verdict = (more: Given) =>
      explain('10.96.0.10:53/udp', { others: [backend], loadBalancers, ...more }).says[0];
    expect([verdict({}), verdict(asNode)]).toEqual([
      `${asPod}, to 10.244.2.7:5353; lost if load balancer d4e6032f sends it back to the pod, at 10.244.1.2:5353.`,
      `${asPod}, to 10.244.2.7:5353; as a node address if load balancer d4e6032f sends it back to the pod, at 10.244.1.2:5353.`,
    ]);
  });

  test('sends the traffic of its only backend back with the source of loopbackDSR', () => {
    const loadBalancers = [{ ...service, HostComputeEndpoints: ['e'], Flags: 1 }];
    const policies = [
      policy('OutBoundNAT', { Exceptions: ['10.0.0.0/8'] }),
      policy('OutBoundNAT', { Destinations: ['10.244.1.2'], VirtualIP: '10.0.0.9' }),
    ];
    expect(explain('10.96.0.10:53/udp', { loadBalancers, policies }).says).toEqual([
      'Leaves as 10.0.0.9 (VirtualIP), back to the pod at 10.244.1.2:5353.',
      'Load balancer d4e6032f (10.96.0.10 53->5353/udp) redirects the traffic.',
      'The backends reply to the pod directly (EnableDirectServerReturn).',
      'The pod is a backend, and its address is an OutBoundNAT destination (policy 2, loopbackDSR).',
    ]);
  });

  test('without direct server return decides the source, not OutBoundNAT', () => {
    const policies = [policy('OutBoundNAT', { Exceptions: ['10.96.0.0/12'] })];
    const loadBalancers = [{ ...service, SourceVIP: '10.244.1.254' }];
    expect(explain('10.96.0.10:53/udp', { others: [backend], loadBalancers, policies })).toEqual({
      says: [
        'Leaves as 10.244.1.254 (source VIP), to 10.244.2.7:5353.',
        'Load balancer d4e6032f (10.96.0.10 53->5353/udp) redirects the traffic.',
        'Without direct server return, HNS translates the source to the source VIP; OutBoundNAT does not apply.',
      ],
      open: false,
      lines: [
        'load balancer | d4e6032f: 10.96.0.10 53->5353/udp | yes | yes | ',
        'load balancer | d4e6032f: 10.96.0.10 53->5353/tcp | no | no | the protocol is udp',
        'OutBoundNAT | policy 1: exception 10.96.0.0/12 | yes | no | the load balancer decides',
        'OutBoundNAT | HNS default: exception 10.244.1.0/24 | no | no | ',
        'OutBoundNAT | policy 1: all other destinations | no | no | ',
      ],
    });
  });

  test.each([
    ['10.244.0.0/16', 'the load balancer address', '10.0.0.9 (VirtualIP) or as 10.244.1.2 (pod address)'],
    ['10.96.0.0/12', 'the backends', '10.244.1.2 (pod address) or as 10.0.0.9 (VirtualIP)'],
  ])('and its backends can have different sources with the exception %s', (exception, missing, sources) => {
    const policies = [policy('OutBoundNAT', { VirtualIP: '10.0.0.9', Exceptions: [exception] })];
    const loadBalancers = [{ ...service, Flags: 1 }];
    const { says, open } = explain('10.96.0.10:53', { ...given, loadBalancers, policies });
    expect({ first: says[0], last: says.at(-1), open }).toEqual({
      first: `Leaves as ${sources}, to 10.244.2.7:5353.`,
      last:
        'For the backends 10.244.2.7 the policies give the opposite result, and HNS does not document which address it compares. ' +
        `Add ${missing} to the exceptions.`,
      open: true,
    });
  });
});

describe('the node address is', () => {
  const explained = (more: Given) =>
    explain('8.8.8.8', { policies: [policy('OutBoundNAT')], ...more }).says[0];
  const on = (name: string) => ({
    Policies: [policy('NetAdapterName', { NetworkAdapterName: name })],
  });

  test('that of the adapter of the network', () => {
    expect(explained({ network: on('Ethernet'), nodeAddresses: ['10.0.0.4'] })).toBe(
      'Leaves as 10.0.0.4 (node address).',
    );
  });

  test('the provider address of an Overlay network', () => {
    const Policies = [policy('ProviderAddress', { ProviderAddress: '10.0.0.5' })];
    expect(explained({ network: { Type: 'Overlay', Policies } })).toBe('Leaves as 10.0.0.5 (node address).');
  });

  test.each<[string, Given]>([
    ['the adapter has several', { network: on('Ethernet'), nodeAddresses: ['10.0.0.4', '10.0.0.5'] }],
    [
      'the adapter has none that other nodes can reach',
      { network: on('Ethernet'), nodeAddresses: ['169.254.1.1'] },
    ],
    ['the network is on another adapter', { network: on('Ethernet 2'), nodeAddresses: ['10.0.0.4'] }],
    ['Windows does not return adapters', { network: on('Ethernet') }],
  ])('not named if %s', (_name, more) => {
    expect(explained(more)).toBe('Leaves as a node address.');
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
    ['10.96.0.10:80', { OutboundExceptions: { PortExceptions: [80] } }, 'no | no | port 80 is an exception'],
    [
      '10.96.0.10:80',
      { OutboundExceptions: { IpAddressExceptions: ['10.0.0.0/8', '10.96.0.0/12'] } },
      'no | no | 10.0.0.0/8 is an exception',
    ],
    ['10.96.0.10:81', { OutboundExceptions: { PortExceptions: ['53', '79-80'] } }, 'yes | yes | '],
    ['10.96.0.10/udp', { OutboundExceptions: { PortExceptions: ['53'] } }, 'no | no | the protocol is udp'],
    ['10.96.0.10:80', { OutboundProxyPort: '' }, 'no | no | OutboundProxyPort is missing'],
    ['10.96.0.10:80', { OutboundProxyPort: '0' }, 'no | no | OutboundProxyPort is missing'],
    ['10.96.0.10:80', { OutboundProxyPort: undefined }, 'no | no | OutboundProxyPort is missing'],
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
        'Goes to port 15001 in the pod (L4WFPPROXY, policy 1); from there it leaves as 10.0.0.9 (VirtualIP).',
        'No OutBoundNAT exception matches (policy 2).',
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

  test('gets traffic that is lost behind it', () => {
    const policies = [proxy()];
    expect(explain('8.8.8.8:443', { policies, endpoint: { Routes: [], Policies: policies } }).says[0]).toBe(
      'Goes to port 15001 in the pod (L4WFPPROXY, policy 1); from there it is lost: the pod has no route to 8.8.8.8.',
    );
  });

  test('may get the traffic, or a load balancer or another proxy', () => {
    const backend = { ...pod, ID: 'b', IpConfigurations: [{ IpAddress: '10.244.2.7' }] };
    const loadBalancer: ObservedLoadBalancer = {
      ID: 'd4e6032f-bbf7-4b5a-880f-667bebc65504',
      HostComputeEndpoints: ['b'],
      FrontendVIPs: ['10.96.0.10'],
      PortMappings: [{ Protocol: 6, InternalPort: 80, ExternalPort: 80 }],
      SchemaVersion,
    };
    const given = {
      policies: [proxy(), proxy(), policy('L4Proxy', { Destination: '10.244.1.9:80' })],
      others: [backend],
      loadBalancers: [loadBalancer],
    };
    const proxies =
      'L4WFPPROXY (policy 1) redirects it to a proxy in the pod or L4WFPPROXY (policy 2) redirects it to a proxy in the pod';
    expect(explain('10.96.0.10', given).says[0]).toBe(
      `${asPod}, unless ${proxies} or load balancer d4e6032f redirects it or an L4Proxy policy redirects it.`,
    );
    expect(
      explain('10.96.0.10', { ...given, endpoint: { Routes: [], Policies: given.policies } }).says[0],
    ).toBe(`Lost: the pod has no route to 10.96.0.10, unless ${proxies} or an L4Proxy policy redirects it.`);
  });

  test('is the first of several', () => {
    const policies = [proxy(), proxy({ OutboundProxyPort: '15002' })];
    expect(explain('8.8.8.8:443', { policies })).toMatchObject({
      says: [
        'Goes to port 15001 in the pod (L4WFPPROXY, policy 1); from there it leaves as 10.244.1.2 (pod address).',
        'No OutBoundNAT policy.',
      ],
      lines: [
        'L4WFPPROXY | policy 1: tcp to any port any goes to 15001 | yes | yes | ',
        'L4WFPPROXY | policy 2: tcp to any port any goes to 15002 | yes | no | ',
      ],
    });
  });

  test('without a port gets no traffic', () => {
    expect(explain('8.8.8.8:443', { policies: [proxy({ OutboundProxyPort: undefined })] })).toEqual({
      says: keeps,
      open: false,
      lines: [
        'L4WFPPROXY | policy 1: tcp to any port any goes to no port | no | no | OutboundProxyPort is missing',
      ],
    });
  });

  test('may get the traffic', () => {
    expect(explain('8.8.8.8', { policies: [proxy()] })).toMatchObject({
      says: [
        `${asPod}, unless L4WFPPROXY (policy 1) redirects it to a proxy in the pod.`,
        'L4WFPPROXY (policy 1) may redirect the traffic to a proxy in the pod: the protocol is not given.',
        'No OutBoundNAT policy.',
      ],
      open: true,
    });
  });
});

test.each([
  [{ policies: [policy('L4Proxy', { Destination: '10.244.1.9:80' })] }],
  [{ network: { Policies: [policy('L4Proxy', { Destination: '10.244.1.9:80' })] } }],
])('an L4Proxy policy makes the result uncertain: %j', (given) => {
  expect(explain('8.8.8.8', given)).toEqual({
    says: [
      `${asPod}, unless an L4Proxy policy redirects it.`,
      'No OutBoundNAT policy.',
      'explain-nat does not evaluate L4Proxy policies.',
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

describe('ACLs', () => {
  const acl = (Action: string, Priority: number, more: Policy['Settings'] = {}) =>
    policy('ACL', { Direction: 'Out', Action, Priority, ...more });
  const backend = { ...pod, ID: 'b', IpConfigurations: [{ IpAddress: '10.244.2.7' }] };
  const service: ObservedLoadBalancer = {
    ID: 'd4e6032f-bbf7-4b5a-880f-667bebc65504',
    HostComputeEndpoints: ['b'],
    FrontendVIPs: ['10.96.0.10'],
    PortMappings: [{ Protocol: 17, InternalPort: 5353, ExternalPort: 53 }],
    Flags: 1,
    SchemaVersion,
  };
  const second = { ...backend, ID: 'c', IpConfigurations: [{ IpAddress: '10.244.2.8' }] };
  const given = { others: [backend], loadBalancers: [service] };
  const withTwoBackends = {
    others: [backend, second],
    loadBalancers: [{ ...service, HostComputeEndpoints: ['b', 'c'] }],
  };

  test.each<[string, string, readonly Policy[], string | undefined, string]>([
    ['allow', '8.8.8.8', [acl('Allow', 100)], 'Allow', 'ACLs allow it.'],
    [
      'block what no rule allows',
      '8.8.8.8',
      [acl('Allow', 100, { RemoteAddresses: '10.0.0.0/8' })],
      'Block',
      'But no ACL allows it: once an endpoint has an ACL, HNS blocks all traffic without a match.',
    ],
    [
      'block by one of several rules',
      '8.8.8.8/udp',
      [acl('Block', 100, { RemotePorts: '53' }), acl('Block', 200)],
      'Block',
      'But any of the 2 ACLs that may apply blocks it: the remote port is not given.',
    ],
    [
      'may block without a port',
      '8.8.8.8/udp',
      [acl('Block', 100, { RemotePorts: '53' }), acl('Allow', 200)],
      undefined,
      'ACLs may block it: the remote port is not given.',
    ],
    [
      'may block for several reasons',
      '8.8.8.8',
      [
        acl('Block', 100, { RemotePorts: '53' }),
        acl('Block', 110, { Protocols: '6' }),
        acl('Allow', 200),
        acl('Block', 300, { RemoteAddresses: 'set-1' }),
      ],
      undefined,
      'ACLs may block it: the remote port is not given; the protocol is not given.',
    ],
    [
      'may block if they conflict',
      '8.8.8.8',
      [acl('Block', 100), acl('Allow', 100)],
      undefined,
      'ACLs may block it: ACLs with priority 100 conflict, and HNS does not document which one applies.',
    ],
    [
      'may block if there are TierAcl policies',
      '8.8.8.8',
      [acl('Allow', 100), policy('TierAcl')],
      undefined,
      'ACLs may block it: the endpoint has TierAcl policies, which explain-acl does not evaluate.',
    ],
    [
      'block a load balancer with its backends',
      '10.96.0.10:53/udp',
      [acl('Block', 100, { Protocols: '17' }), acl('Allow', 200)],
      'Block',
      'But an ACL blocks it: priority 100 (udp).',
    ],
    [
      'block some addresses of a load balancer',
      '10.96.0.10:53/udp',
      [acl('Block', 100, { RemoteAddresses: '10.96.0.10, 10.244.2.7' }), acl('Allow', 200)],
      undefined,
      'ACLs may block it: they block 10.96.0.10:53/udp and 10.244.2.7:5353/udp, not 10.244.2.8:5353/udp, and HNS does not document ' +
        'whether they see the address of the load balancer or of the backend.',
    ],
    [
      'may block an address of a load balancer for the first reason',
      '10.96.0.10:53/udp',
      [
        acl('Block', 100, { RemotePorts: '53' }),
        acl('Allow', 100, { RemotePorts: '53' }),
        acl('Block', 200, { RemoteAddresses: 'set-1' }),
        acl('Allow', 300),
      ],
      undefined,
      'ACLs may block it: ACLs with priority 100 conflict, and HNS does not document which one applies.',
    ],
    [
      'may block the backend of a load balancer',
      '10.96.0.10:53/udp',
      [acl('Block', 100, { RemotePorts: '5353' }), acl('Allow', 200)],
      undefined,
      'ACLs may block it: they block 10.244.2.7:5353/udp, not 10.96.0.10:53/udp, and HNS does not document whether they see the ' +
        'address of the load balancer or of the backend.',
    ],
  ])('%s', (_name, destination, policies, action, sentence) => {
    const node = sentence.includes('10.244.2.8') ? withTwoBackends : given;
    expect(explain(destination, { ...node, policies })).toMatchObject({
      acls: { ...(action !== undefined && { action }), sentence },
    });
  });

  test.each<[string, string, Given]>([
    ['without ACLs', '8.8.8.8', {}],
    ['if the traffic has no route', '8.8.8.8', { policies: [acl('Block', 100)], endpoint: { Routes: [] } }],
    ['if the backends are gone', '10.96.0.10:53/udp', { policies: [acl('Block', 100)], others: [] }],
  ])('are not mentioned %s', (_name, destination, more) => {
    expect(explain(destination, { ...given, ...more })).not.toHaveProperty('acls');
  });
});
