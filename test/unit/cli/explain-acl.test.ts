import { describe, expect, test } from 'vitest';
import { type Connection, explainAcl } from '../../../src/cli/traffic/acl-decision.ts';
import type { ObservedEndpoint, ObservedLoadBalancer, Policy } from '../../../src/hcn/documents.ts';

type Settings = Readonly<Record<string, unknown>>;

const SchemaVersion = { Major: 2, Minor: 0 };
const network = { ID: 'n', Name: 'l2bridge', Type: 'L2Bridge', SchemaVersion };

interface Given {
  readonly endpoint?: Partial<ObservedEndpoint>;
  readonly policies?: readonly Policy[];
  readonly networkPolicies?: readonly Policy[];
  readonly others?: readonly ObservedEndpoint[];
  readonly loadBalancers?: readonly ObservedLoadBalancer[];
}

/** Explains a connection of an endpoint with these ACLs of the same direction. */
function explain(connection: Connection, acls: readonly Settings[], given: Given = {}) {
  const { direction: Direction } = connection;
  const policies = acls.map((Settings) => ({ Type: 'ACL', Settings: { Direction, ...Settings } }));
  const endpoint: ObservedEndpoint = {
    ID: 'e',
    Name: 'by-hand',
    HostComputeNetwork: 'n',
    IpConfigurations: [{ IpAddress: '10.244.1.2' }],
    Policies: [...policies, ...(given.policies ?? [])],
    State: 2,
    SchemaVersion,
    ...given.endpoint,
  };
  return explainAcl(endpoint, connection, {
    networks: [{ ...network, Policies: given.networkPolicies ?? [] }],
    endpoints: [endpoint, ...(given.others ?? [])],
    namespaces: [],
    loadBalancers: given.loadBalancers ?? [],
  });
}

const acl = (Action: string, Priority: number | undefined, settings: Settings = {}) => ({
  Action,
  Priority,
  RuleType: 'Switch',
  ...settings,
});
const allow = (priority: number | undefined, settings?: Settings) => acl('Allow', priority, settings);
const block = (priority: number | undefined, settings?: Settings) => acl('Block', priority, settings);
const host = { RuleType: 'Host' };

describe('an inbound connection to port 80', () => {
  /** The result, and the priorities of the ACLs that decide or may decide; `HNS` is the HNS default. */
  function decide(acls: readonly Settings[]) {
    const remote = { address: '10.9.0.7', port: 80, protocol: 6 };
    const { action, open, lines } = explain({ direction: 'In', remote }, acls);
    const deciding = lines
      .filter(({ decides }) => decides !== 'no')
      .map(({ acl: { hidden, priority } }) => (hidden ? 'HNS' : (priority ?? 'none')));
    return { result: action ?? open, deciding };
  }
  const set = { RemoteAddresses: 'set-1' };
  const https = { LocalPorts: '443' };

  test.each<[string, readonly Settings[], string, readonly (number | string)[]]>([
    ['no ACLs', [], 'Allow', []],
    ['the lowest priority', [block(300), allow(200)], 'Allow', [200]],
    ['the first match', [block(100, https), allow(200), block(300)], 'Allow', [200]],
    ['the first of two equal ACLs with the same priority', [allow(200), allow(200)], 'Allow', [200]],
    ['the HNS default without a match', [allow(200, { Protocols: '17' })], 'Block', ['HNS']],
    ['an ACL with a priority before one without', [block(undefined), allow(65500)], 'Allow', [65500]],
    ['an ACL without a priority before the HNS default', [allow(undefined)], 'Allow', ['none']],
    [
      'an ACL of the default RuleType beside one of Host',
      [allow(100, { RuleType: undefined }), block(200, host)],
      'Allow',
      [100],
    ],
    ['priority 0 before priority 1', [block(1), allow(0)], 'Allow', [0]],
    ['conflicting ACLs with the same priority', [allow(200), block(200)], 'equal priority', [200, 200]],
    [
      'conflicting ACLs without a priority',
      [allow(undefined), block(undefined)],
      'equal priority',
      ['none', 'none'],
    ],
    ['an earlier ACL that may conflict', [block(100, set), allow(200)], 'missing information', [100, 200]],
    [
      'an ACL with the same priority that may conflict',
      [block(200, set), allow(200)],
      'missing information',
      [200, 200],
    ],
    ['an ACL that may match before the HNS default', [allow(200, set)], 'missing information', [200, 'HNS']],
    ['an ACL that may match and agrees', [block(100, set), block(200)], 'Block', [100, 200]],
    ['an ACL before one that may match', [allow(200), block(300, set)], 'Allow', [200]],
    ['an ACL beside one that does not match', [allow(200), block(200, https)], 'Allow', [200]],
    ['ACLs of both RuleTypes that agree', [block(100, host), block(200)], 'Block', [100]],
    ["Calico's rules that allow", [allow(100, host), allow(1000), block(1001)], 'Allow', [100]],
    [
      "Calico's rules that block",
      [allow(100, host), allow(1000, https), block(1001)],
      'rule types',
      [100, 1001],
    ],
    [
      'a RuleType without a match beside one that allows',
      [allow(100, host), allow(200, https)],
      'rule types',
      [100, 'HNS'],
    ],
  ])('is decided by %s', (_name, acls, result, deciding) => {
    expect(decide(acls)).toEqual({ result, deciding });
  });
});

describe('a caveat of an outbound connection', () => {
  const caveatsFor = (acls: readonly Settings[], given?: Given) => {
    const { ignored, caveats } = explain({ direction: 'Out', remote: { address: '10.9.0.7' } }, acls, given);
    return [...ignored, ...caveats];
  };
  const withoutPriority =
    'An ACL without a priority has a different action. HNS does not document its rank; explain-acl puts it after the others.';
  const mixed =
    'Some of these ACLs have RuleType Host, others Switch. HNS does not document how it orders the two; explain-acl compares their ' +
    'priorities.';
  const service: ObservedLoadBalancer = {
    ID: 'd4e6032f-bbf7-4b5a-880f-667bebc65504',
    HostComputeEndpoints: ['b'],
    FrontendVIPs: ['10.9.0.7'],
    PortMappings: [],
    SchemaVersion,
  };
  const backend: ObservedEndpoint = {
    ID: 'b',
    Name: 'backend',
    HostComputeNetwork: 'n',
    IpConfigurations: [{ IpAddress: '10.244.2.7' }],
    SchemaVersion,
  };
  const loadBalancers = [service, { ...service, FrontendVIPs: ['10.9.0.8'] }];
  const frontend =
    '10.9.0.7 is a frontend of load balancer d4e6032f. HNS does not document whether ACLs see the frontend or the backend address.';

  test.each<[string, readonly Settings[], Given, readonly string[]]>([
    ['is absent by default', [allow(100), block(200)], {}, []],
    ['is an ACL without a priority that conflicts', [allow(100), block(undefined)], {}, [withoutPriority]],
    [
      'is not an ACL without a priority that agrees or does not match',
      [allow(100), allow(undefined), block(undefined, { RemoteAddresses: '10.8.0.0/16' })],
      {},
      [],
    ],
    ['is a mixture of RuleTypes', [allow(100), block(100, { RuleType: undefined })], {}, [mixed]],
    ['is not a conflict of one RuleType', [allow(100), block(100)], {}, []],
    ['is no mixture of RuleTypes that agree', [allow(100), allow(200, host)], {}, []],
    ['is not a default RuleType', [allow(1, { RuleType: undefined }), allow(1, host)], {}, []],
    [
      'is a policy that is not evaluated',
      [],
      { policies: [{ Type: 'TierACL' }], networkPolicies: [{ Type: 'NetworkACL' }] },
      [
        'The endpoint has TierAcl policies, which explain-acl does not evaluate.',
        'Network "l2bridge" has NetworkACL policies, which explain-acl does not evaluate.',
      ],
    ],
    [
      'is a frontend as the remote address',
      [allow(100)],
      { loadBalancers, others: [backend] },
      [`${frontend} Check 10.244.2.7 too.`],
    ],
    [
      'is a frontend with several backends',
      [allow(100)],
      {
        loadBalancers: [{ ...service, HostComputeEndpoints: ['b', 'c'] }],
        others: [backend, { ...backend, ID: 'c', IpConfigurations: [{ IpAddress: '10.244.2.8' }] }],
      },
      [`${frontend} Check 10.244.2.7, 10.244.2.8 too.`],
    ],
    ['is a frontend without backends', [allow(100)], { loadBalancers }, [frontend]],
    ['is not a frontend without ACLs', [], { loadBalancers, others: [backend] }, []],
    [
      'is a degraded endpoint',
      [],
      { endpoint: { State: 5 } },
      ['HNS reports the endpoint as Degraded with health ok: its ACLs may not be in effect.'],
    ],
    [
      'is a leftover',
      [],
      {
        endpoint: {
          Name: 'c0ffee_l2bridge',
          State: 4,
          HostComputeNamespace: '00000000-0000-0000-0000-000000000000',
        },
      },
      ['The endpoint is a leftover: in no namespace.'],
    ],
    [
      'is an unhealthy endpoint',
      [],
      { endpoint: { Health: { Data: { LastErrorCode: 0x803b0017 } } } },
      [
        'HNS reports the endpoint as Attached with health HCN_E_DEGRADED_OPERATION: its ACLs may not be in effect.',
      ],
    ],
  ])('%s', (_name, acls, given, caveats) => {
    expect(caveatsFor(acls, given)).toEqual(caveats);
  });
});

test('an inbound connection from a frontend has no caveat', () => {
  const loadBalancers: readonly ObservedLoadBalancer[] = [
    { ID: 'l', HostComputeEndpoints: [], FrontendVIPs: ['10.9.0.7'], PortMappings: [], SchemaVersion },
  ];
  const connection: Connection = { direction: 'In', remote: { address: '10.9.0.7' } };
  expect(explain(connection, [allow(100)], { loadBalancers }).caveats).toEqual([]);
});

describe('the ports of a connection are those of', () => {
  const remote = { address: '10.9.0.7', port: 80, protocol: 6 };
  test.each<[string, Connection, Settings]>([
    [
      'the pod and the client, inbound',
      { direction: 'In', remote, sourcePort: 50_000 },
      { LocalPorts: '80', RemotePorts: '50000' },
    ],
    [
      'the server and the pod, outbound',
      { direction: 'Out', remote, sourcePort: 50_000 },
      { LocalPorts: '50000', RemotePorts: '80' },
    ],
  ])('%s', (_, connection, settings) => {
    const { lines } = explain(connection, [allow(100, settings)]);
    expect(lines.map(({ matches, decides }) => [matches, decides])).toEqual([
      ['yes', 'yes'],
      ['yes', 'no'],
    ]);
  });
});

describe('without a comparison of ACLs, an explanation is of a connection', () => {
  const about = {
    endpoint: 'e',
    network: 'l2bridge',
    macAddress: '',
    ignored: [],
    caveats: [],
    lines: [],
  };
  test.each<[string, string, object]>([
    [
      'to the pod itself',
      '10.244.1.2',
      {
        addresses: ['10.244.1.2'],
        within: "10.244.1.2 is the pod's own address: traffic to it does not leave the pod.",
      },
    ],
    ['of a family of which the pod has no address', '::1', { addresses: [], lacks: 'IPv6' }],
  ])('%s', (_, address, expected) => {
    expect(explain({ direction: 'Out', remote: { address } }, [allow(100)])).toEqual({
      ...about,
      ...expected,
    });
  });
});
