import { describe, expect, test } from 'vitest';
import { explainAcl } from '../../../src/cli/explain-acl/explain-acl.ts';
import type { ObservedEndpoint, ObservedLoadBalancer, Policy } from '../../../src/hcn/documents.ts';

const SchemaVersion = { Major: 2, Minor: 0 };
const network = { ID: 'n', Name: 'l2bridge', Type: 'L2Bridge', SchemaVersion };

/** The caveats of a connection to 10.9.0.7 from an endpoint with these Out ACLs. */
function caveatsFor(
  acls: readonly Record<string, unknown>[],
  given: {
    readonly endpoint?: Partial<ObservedEndpoint>;
    readonly policies?: readonly Policy[];
    readonly networkPolicies?: readonly Policy[];
    readonly others?: readonly ObservedEndpoint[];
    readonly loadBalancers?: readonly ObservedLoadBalancer[];
  } = {},
) {
  const policies = acls.map((Settings) => ({ Type: 'ACL', Settings: { Direction: 'Out', ...Settings } }));
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
  const inventory = {
    networks: [{ ...network, Policies: given.networkPolicies ?? [] }],
    endpoints: [endpoint, ...(given.others ?? [])],
    namespaces: [],
    loadBalancers: given.loadBalancers ?? [],
  };
  const connection = { direction: 'Out' as const, remote: { address: '10.9.0.7' } };
  const { ignored, caveats } = explainAcl(endpoint, connection, inventory);
  return [...ignored, ...caveats];
}

const withoutPriority =
  'An ACL without a priority has a different action. HNS does not document its rank; explain-acl puts it after the others.';
const mixed =
  'Some of these ACLs have RuleType Host, others Switch. HNS does not document how it orders the two; explain-acl compares their ' +
  'priorities.';
const allow = { Action: 'Allow', Priority: 100, RuleType: 'Switch' };
const block = { Action: 'Block', RuleType: 'Switch' };

describe('a caveat', () => {
  test('is absent by default', () => {
    expect(caveatsFor([allow, { ...block, Priority: 200 }])).toEqual([]);
  });

  test('is an ACL without a priority and with another action', () => {
    expect(caveatsFor([allow, block])).toEqual([withoutPriority]);
  });

  test('is not an ACL without a priority that agrees or does not match', () => {
    expect(
      caveatsFor([allow, { ...block, Action: 'Allow' }, { ...block, RemoteAddresses: '10.8.0.0/16' }]),
    ).toEqual([]);
  });

  test('is a mixture of RuleTypes; the default is Host', () => {
    expect(caveatsFor([allow, { Action: 'Block', Priority: 200 }])).toEqual([mixed]);
    expect(caveatsFor([{ Action: 'Allow' }, { Action: 'Allow', RuleType: 'Host' }])).toEqual([]);
  });

  test('is a policy that is not evaluated', () => {
    expect(
      caveatsFor([], { policies: [{ Type: 'TierACL' }], networkPolicies: [{ Type: 'NetworkACL' }] }),
    ).toEqual([
      'The endpoint has TierAcl policies, which explain-acl does not evaluate.',
      'Network "l2bridge" has NetworkACL policies, which explain-acl does not evaluate.',
    ]);
  });

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
  const frontend =
    '10.9.0.7 is a frontend of load balancer d4e6032f. HNS does not document whether ACLs see the frontend or the backend address.';
  test('is a remote address that is a frontend, if the endpoint has ACLs', () => {
    const loadBalancers = [service, { ...service, FrontendVIPs: ['10.9.0.8'] }];
    expect(caveatsFor([allow], { loadBalancers, others: [backend] })).toEqual([
      `${frontend} Check 10.244.2.7 too.`,
    ]);
    expect(caveatsFor([allow], { loadBalancers })).toEqual([frontend]);
    expect(caveatsFor([], { loadBalancers, others: [backend] })).toEqual([]);
  });

  test.each([
    [{ State: 5 }, 'HNS reports the endpoint as Degraded with health ok: its ACLs may not be in effect.'],
    [
      { Health: { Data: { LastErrorCode: 0x803b0017 } } },
      'HNS reports the endpoint as Attached with health HCN_E_DEGRADED_OPERATION: its ACLs may not be in effect.',
    ],
  ])('is an unhealthy endpoint: %j', (endpoint, caveat) => {
    expect(caveatsFor([], { endpoint })).toEqual([caveat]);
  });
});
