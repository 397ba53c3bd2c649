import { describe, expect, test } from 'vitest';
import { compareEndpoints, pairEndpoints } from '../../../../src/cli/diff/compare-pods.ts';
import { endpointDetail } from '../../../../src/cli/inventory/endpoint-row.ts';
import type { HostComputeNamespace, ObservedEndpoint, Policy } from '../../../../src/hcn/documents.ts';

const SchemaVersion = { Major: 2, Minor: 0 };
const namespaces: readonly HostComputeNamespace[] = [
  { ID: 'a1', Resources: [{ Type: 'Container', Data: { Id: 'c' } }], SchemaVersion },
  { ID: 'b1', Type: 'Guest', SchemaVersion },
];
const left: ObservedEndpoint = {
  ID: '1',
  Name: 'left',
  HostComputeNetwork: 'n',
  HostComputeNamespace: 'a1',
  IpConfigurations: [{ IpAddress: '10.244.1.2', PrefixLength: 24 }],
  MacAddress: '00-15-5D-52-C0-00',
  Routes: [{ DestinationPrefix: '0.0.0.0/0', NextHop: '10.244.1.1' }],
  Dns: { ServerList: ['10.96.0.10'] },
  State: 2,
  SchemaVersion,
};
const right = {
  ...left,
  ID: '2',
  Name: 'right',
  IpConfigurations: [{ IpAddress: '10.244.1.3', PrefixLength: 24 }],
  MacAddress: '00-15-5D-52-C0-01',
};
const networks = ['net', 'other'].map((Name) => ({
  ID: Name[0] ?? '',
  Name,
  Type: 'L2Bridge',
  SchemaVersion,
}));
const inventory = { networks, endpoints: [], namespaces, loadBalancers: [] };
const detail = (endpoint: ObservedEndpoint) => endpointDetail(endpoint, inventory);

/** The differences with these changes to the right and to the left endpoint. */
const differences = (changes: Partial<ObservedEndpoint>, own: Partial<ObservedEndpoint> = {}) =>
  compareEndpoints(detail({ ...left, ...own }), detail({ ...right, ...changes }), inventory).differences.map(
    (one) => `${one.what}: ${one.left} | ${one.right}`,
  );
const acl = (Settings: Policy['Settings']): Policy => ({
  Type: 'ACL',
  Settings: { Direction: 'In', Priority: 100, ...Settings },
});

describe('two endpoints', () => {
  test('differ only in unique properties', () => {
    expect(compareEndpoints(detail(left), detail(right), inventory)).toEqual({
      left: '1',
      right: '2',
      differences: [],
      asItShould: [
        { what: 'endpoint', left: '1', right: '2' },
        { what: 'name', left: 'left', right: 'right' },
        { what: 'addresses', left: '10.244.1.2/24', right: '10.244.1.3/24' },
        { what: 'MAC', left: '00-15-5D-52-C0-00', right: '00-15-5D-52-C0-01' },
      ],
    });
  });

  test('differ in the most important properties first', () => {
    expect(
      differences({
        HostComputeNetwork: 'o',
        HostComputeNamespace: 'b1',
        State: 5,
        Health: { Data: { LastErrorCode: 0x803b0017 } },
        IpConfigurations: [
          { IpAddress: '10.245.1.3', PrefixLength: 16 },
          { IpAddress: 'fd00::3', PrefixLength: 64 },
        ],
        Routes: [],
        Dns: { Domain: 'cluster.local', Search: ['svc.cluster.local'], Options: ['ndots:5'] },
        Policies: [
          { Type: 'EncapOverhead', Settings: { Overhead: 50 } },
          { Type: 'InterfaceParameters', Settings: { Mtu: 1400 } },
          { Type: 'QOS', Settings: { MaximumOutgoingBandwidthInBytes: 1000 } },
        ],
      }),
    ).toEqual([
      'network: net | other',
      'state: Attached | Degraded',
      'health: ok | HCN_E_DEGRADED_OPERATION',
      'families: IPv4 | IPv4, IPv6',
      'subnet: 10.244.1.0/24 | 10.245.0.0/16, fd00::/64',
      'routes: 0.0.0.0/0 via 10.244.1.1 | none',
      'DNS servers: 10.96.0.10 | none',
      'DNS search: none | svc.cluster.local',
      'DNS domain: none | cluster.local',
      'DNS options: none | ndots:5',
      'EncapOverhead: none | 50',
      'MTU: none | 1400',
      'QOS: none | sends at most 8 kbit/s',
      'namespace: Host | Guest',
      'containers in namespace: 1 | none',
    ]);
  });

  test('must not share an address or MAC on a network', () => {
    expect(
      differences({ IpConfigurations: left.IpConfigurations ?? [], MacAddress: '00-15-5D-52-C0-00' }),
    ).toEqual([
      'duplicate address: 10.244.1.2/24 | 10.244.1.2/24',
      'duplicate MAC: 00-15-5D-52-C0-00 | 00-15-5D-52-C0-00',
    ]);
    expect(differences({ IpConfigurations: left.IpConfigurations ?? [], HostComputeNetwork: 'o' })).toEqual([
      'network: net | other',
    ]);
  });

  test('differ in the order of ACLs with the same priority, not with different priorities', () => {
    const [allow, block] = [acl({ Action: 'Allow' }), acl({ Action: 'Block' })];
    expect(differences({ Policies: [allow, block] }, { Policies: [block, allow] })).toEqual([
      'ACL order: In 100 Block: everything (no RuleType) | In 100 Allow: everything (no RuleType)',
      'ACL order: In 100 Allow: everything (no RuleType) | In 100 Block: everything (no RuleType)',
    ]);
    const later = acl({ Action: 'Block', Priority: 200 });
    expect(differences({ Policies: [allow, later] }, { Policies: [later, allow] })).toEqual([]);
  });

  test('can each have an ACL for their own address', () => {
    expect(
      differences(
        { Policies: [acl({ Action: 'Allow', LocalAddresses: '10.244.1.3' })] },
        { Policies: [acl({ Action: 'Allow', LocalAddresses: '10.244.1.2/32' })] },
      ),
    ).toEqual([]);
  });

  test('differ if one namespace is gone', () => {
    expect(differences({ HostComputeNamespace: 'c1' })).toEqual([
      'namespace: Host | gone',
      'containers in namespace: 1 | none',
    ]);
  });
});

test.each<[string, readonly string[], readonly string[], object]>([
  [
    'by interface',
    ['1 eth0', '2 eth1'],
    ['3 eth1', '4 eth0'],
    { pairs: ['1 4', '2 3'], onlyLeft: [], onlyRight: [] },
  ],
  [
    'in order if the interfaces are unknown',
    ['1', '2'],
    ['3', '4'],
    { pairs: ['1 3', '2 4'], onlyLeft: [], onlyRight: [] },
  ],
  [
    'until one pod has no more',
    ['1 eth0', '2 eth1'],
    ['3 eth1'],
    { pairs: ['2 3'], onlyLeft: ['1'], onlyRight: [] },
  ],
  [
    'in order if no interface is the same',
    ['1 eth0'],
    ['2 net1', '3'],
    { pairs: ['1 2'], onlyLeft: [], onlyRight: ['3'] },
  ],
])('the endpoints of two pods are paired %s', (_name, ours, theirs, expected) => {
  const endpoints = (texts: readonly string[]) =>
    texts.map((text) => {
      const [ID = '', name] = text.split(' ');
      return { ...detail({ ...left, ID }), ...(name !== undefined && { interface: name }) };
    });
  const { pairs, onlyLeft, onlyRight } = pairEndpoints(endpoints(ours), endpoints(theirs));
  expect({
    pairs: pairs.map(([one, other]) => `${one.id} ${other.id}`),
    onlyLeft: onlyLeft.map(({ id }) => id),
    onlyRight: onlyRight.map(({ id }) => id),
  }).toEqual(expected);
});
