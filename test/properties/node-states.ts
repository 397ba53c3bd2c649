import fc from 'fast-check';
import type { NodeState } from '../../src/cli/traffic/node-state.ts';
import type {
  ObservedEndpoint,
  ObservedLoadBalancer,
  ObservedNetwork,
  Policy,
} from '../../src/hcn/documents.ts';
import type { HostAdapter } from '../../src/net/host-adapter.ts';
import { prefixOf } from '../cluster/node.ts';

const SchemaVersion = { Major: 2, Minor: 0 };
const hostNamespace = '4a2d0c8e-0b1c-4c5e-9a4f-000000000001';
const podNamespace = '4a2d0c8e-0b1c-4c5e-9a4f-000000000002';

/** Few, so that rules match. */
export const addresses: fc.Arbitrary<string> = fc.constantFrom(
  '10.244.1.2',
  '10.244.1.5',
  '10.244.1.6',
  '10.244.2.5',
  '10.0.0.1',
  '10.0.0.2',
  '10.96.0.10',
  '8.8.8.8',
  'fd00::5',
  'fd00::6',
);
const prefixes = fc.oneof(
  addresses,
  fc.constantFrom(
    '10.244.0.0/16',
    '10.244.1.0/24',
    '10.244.2.0/24',
    '10.96.0.0/12',
    '10.0.0.0/24',
    '0.0.0.0/0',
  ),
);
const ports = fc.constantFrom(80, 8080);
const junk = fc.oneof(fc.jsonValue({ maxDepth: 1 }), fc.constant('x'));
const macs = fc.constantFrom('00-15-5D-00-00-01', '00:15:5d:00:00:02');

const aclPolicies = fc.array(
  fc.record({
    Type: fc.constant('ACL'),
    Settings: fc.record(
      {
        Direction: fc.constantFrom('In', 'Out'),
        Action: fc.constantFrom('Allow', 'Block'),
        Priority: fc.constantFrom(100, 200, 300),
        Protocols: fc.constantFrom('6', '17', '6,17'),
        RemoteAddresses: prefixes,
        LocalPorts: fc.constantFrom('80', '8000-9000'),
        RemotePorts: fc.constantFrom('80', '8080'),
      },
      { requiredKeys: ['Direction', 'Action'] },
    ),
  }),
  { maxLength: 3 },
);

const otherPolicy: fc.Arbitrary<Policy> = fc.oneof(
  fc.record({
    Type: fc.constant('OutBoundNAT'),
    Settings: fc.record(
      {
        Exceptions: fc.array(prefixes, { maxLength: 3 }),
        Destinations: fc.array(addresses, { minLength: 1, maxLength: 1 }),
        VirtualIP: fc.constantFrom('10.0.0.9'),
      },
      { requiredKeys: ['Exceptions'] },
    ),
  }),
  fc.record({ Type: fc.constant('SDNRoute'), Settings: fc.record({ DestinationPrefix: prefixes }) }),
  fc.record({
    Type: fc.constant('PortMapping'),
    Settings: fc.record({ Protocol: fc.constantFrom(6, 17), InternalPort: ports, ExternalPort: ports }),
  }),
  fc.record({
    Type: fc.constantFrom(
      'L4WFPPROXY',
      'L4Proxy',
      'TierAcl',
      'OutBoundNAT',
      'SDNRoute',
      'PortMapping',
      'ACL',
    ),
    Settings: fc.dictionary(
      fc.constantFrom('OutboundProxyPort', 'VirtualIP', 'Exceptions', 'DestinationPrefix', 'Priority', 'VIP'),
      junk,
      { maxKeys: 2 },
    ),
  }),
);

const networkPolicy: fc.Arbitrary<Policy> = fc.oneof(
  fc.record({
    Type: fc.constant('RemoteSubnetRoute'),
    Settings: fc.record(
      {
        DestinationPrefix: fc.oneof(prefixes, fc.constant('x')),
        IsolationId: fc.constantFrom(4096, 4097),
        ProviderAddress: fc.oneof(addresses, fc.constant('x')),
        DistributedRouterMacAddress: macs,
      },
      { requiredKeys: ['DestinationPrefix'] },
    ),
  }),
  fc.constant({ Type: 'HostRoute', Settings: {} }),
  fc.record({ Type: fc.constant('ProviderAddress'), Settings: fc.record({ ProviderAddress: addresses }) }),
  fc.record({ Type: fc.constant('DrMacAddress'), Settings: fc.record({ Address: macs }) }),
  fc.constant({ Type: 'NetAdapterName', Settings: { NetworkAdapterName: 'Ethernet' } }),
  fc.record({ Type: fc.constantFrom('VxlanPort', 'NetworkACL'), Settings: fc.record({ Port: junk }) }),
);

const network: fc.Arbitrary<ObservedNetwork> = fc.record({
  ID: fc.constant('net'),
  Name: fc.constant('net'),
  Type: fc.constantFrom(
    'Overlay',
    'Overlay',
    'L2Bridge',
    'L2Bridge',
    'L2Tunnel',
    'Transparent',
    'NAT',
    'Private',
  ),
  Policies: fc.array(networkPolicy, { maxLength: 5 }),
  Ipams: fc.constantFrom('10.244.1.0/24', '10.0.0.0/24', '0.0.0.0/0').map((IpAddressPrefix) => [
    {
      Subnets: [
        {
          IpAddressPrefix,
          Policies: [{ Type: 'VSID', Settings: { IsolationId: 4096 } }],
          Routes: [{ NextHop: '10.244.1.1', DestinationPrefix: '0.0.0.0/0' }],
        },
      ],
    },
  ]),
  SchemaVersion: fc.constant(SchemaVersion),
});

const endpoint = (number: number): fc.Arbitrary<ObservedEndpoint> =>
  fc.record({
    ID: fc.constant(`endpoint-${number}`),
    Name: fc.constant(`endpoint-${number}`),
    HostComputeNetwork: fc.constantFrom('net', 'net', 'net', 'gone'),
    HostComputeNamespace: fc.constantFrom(podNamespace, podNamespace, podNamespace, hostNamespace, ''),
    Flags: fc.constantFrom(0, 0, 0, 1),
    IpConfigurations: fc
      .tuple(addresses, fc.constantFrom(16, 24))
      .map(([IpAddress, PrefixLength]) => [{ IpAddress, PrefixLength }]),
    Routes: fc.constantFrom(
      [{ NextHop: '10.244.1.2', DestinationPrefix: '0.0.0.0/0' }],
      [{ NextHop: '10.244.1.1', DestinationPrefix: '0.0.0.0/0' }],
      [{ NextHop: 'fd00::1', DestinationPrefix: '::/0' }],
      [],
    ),
    Policies: fc
      .tuple(aclPolicies, fc.array(otherPolicy, { maxLength: 3 }))
      .map(([acls, others]) => [...acls, ...others]),
    SchemaVersion: fc.constant(SchemaVersion),
  });

const loadBalancer = (number: number): fc.Arbitrary<ObservedLoadBalancer> =>
  fc
    .record(
      {
        HostComputeEndpoints: fc.subarray(['endpoint-0', 'endpoint-1', 'endpoint-2', 'gone']),
        FrontendVIPs: fc.array(addresses, { minLength: 1, maxLength: 2 }),
        SourceVIP: addresses,
        Flags: fc.constantFrom(0, 1),
        PortMappings: fc.array(
          fc.record({
            Protocol: fc.constantFrom(6, 17),
            InternalPort: ports,
            ExternalPort: ports,
            Flags: fc.constantFrom(0, 2, 8),
          }),
          { maxLength: 2 },
        ),
      },
      { requiredKeys: ['HostComputeEndpoints', 'PortMappings'] },
    )
    .map((rest) => ({ ID: `lb-${number}`, SchemaVersion, ...rest }));

const adapter = (index: number, alias: string, ...own: readonly string[]): HostAdapter => ({
  index,
  alias,
  description: 'Hyper-V Virtual Ethernet Adapter',
  mac: '00-0D-3A-00-00-01',
  mtu: 1500,
  isUp: true,
  mediaType: 6,
  addresses: own.map(prefixOf),
  gateways: index === 5 ? ['10.0.0.2'] : [],
  metric: 15,
});

/** The state of a node with one network, up to three endpoints on it, and rules that match often, some of them without sense. */
export const nodeStates: fc.Arbitrary<NodeState> = fc
  .record({
    network,
    endpoints: fc.tuple(endpoint(0), endpoint(1), endpoint(2)),
    loadBalancers: fc.tuple(loadBalancer(0), loadBalancer(1)).chain((all) => fc.subarray(all)),
    hasHostInterface: fc.boolean(),
    isForwarding: fc.option(fc.boolean(), { nil: undefined }),
    routes: fc.array(
      fc.record({
        interfaceIndex: fc.constantFrom(5, 9),
        prefix: fc.constantFrom('0.0.0.0/0', '10.0.0.0/24', '10.244.1.0/24', '10.244.2.0/24', '::/0'),
        nextHop: fc.constantFrom('0.0.0.0', '10.0.0.2', '10.0.0.1', '10.244.1.5', '::'),
        metric: fc.constantFrom(0, 256),
      }),
      { maxLength: 4 },
    ),
  })
  .map(({ network, endpoints, loadBalancers, hasHostInterface, isForwarding, routes }) => ({
    inventory: {
      networks: [network],
      endpoints,
      namespaces: [
        { ID: hostNamespace, Type: 'HostDefault', NamespaceId: 1, SchemaVersion },
        { ID: podNamespace, Type: 'Host', NamespaceId: 2, SchemaVersion },
      ],
      loadBalancers,
    },
    adapters: [
      adapter(5, 'vEthernet (Ethernet)', '10.0.0.1/24'),
      ...(hasHostInterface ? [adapter(9, 'vEthernet (net_ep)', '10.244.1.2/24')] : []),
    ],
    routes,
    forwarding:
      isForwarding === undefined
        ? []
        : [5, 9].map((index) => ({ index, family: 'IPv4' as const, isEnabled: isForwarding })),
  }));
