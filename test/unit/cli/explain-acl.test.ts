import { describe, expect, test } from 'vitest';
import { explainAcl } from '../../../src/cli/explain-acl/explain-acl.ts';
import type { ObservedEndpoint, ObservedLoadBalancer, Policy } from '../../../src/hcn/documents.ts';

const SchemaVersion = { Major: 2, Minor: 0 };
const network = { ID: 'n', Name: 'l2bridge', Type: 'L2Bridge', SchemaVersion };

/** What is uncertain of a connection to 10.9.0.7, for an endpoint with these ACLs for Out and what else there is. */
function doubts(
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

describe('what makes a decision less certain', () => {
  test('is nothing as a rule', () => {
    expect(doubts([allow, { ...block, Priority: 200 }])).toEqual([]);
  });

  test('is an ACL without a priority that says otherwise', () => {
    expect(doubts([allow, block])).toEqual([withoutPriority]);
  });

  test('is not an ACL without a priority that says the same, or is for something else', () => {
    expect(
      doubts([allow, { ...block, Action: 'Allow' }, { ...block, RemoteAddresses: '10.8.0.0/16' }]),
    ).toEqual([]);
  });

  test('is a mixture of RuleTypes, Host being that of an ACL without one', () => {
    expect(doubts([allow, { Action: 'Block', Priority: 200 }])).toEqual([mixed]);
    expect(doubts([{ Action: 'Allow' }, { Action: 'Allow', RuleType: 'Host' }])).toEqual([]);
  });

  test('is a policy that is not looked at', () => {
    expect(
      doubts([], { policies: [{ Type: 'TierACL' }], networkPolicies: [{ Type: 'NetworkACL' }] }),
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
  const unclear =
    '10.9.0.7 is a frontend of load balancer d4e6032f. HNS does not document whether ACLs see the frontend or the backend address.';
  test('is that the other address is that of a load balancer, where there are ACLs', () => {
    const loadBalancers = [service, { ...service, FrontendVIPs: ['10.9.0.8'] }];
    expect(doubts([allow], { loadBalancers, others: [backend] })).toEqual([
      `${unclear} Check 10.244.2.7 too.`,
    ]);
    expect(doubts([allow], { loadBalancers })).toEqual([unclear]);
    expect(doubts([], { loadBalancers, others: [backend] })).toEqual([]);
  });

  test.each([
    [{ State: 5 }, 'HNS reports the endpoint as Degraded with health ok: its ACLs may not be in effect.'],
    [
      { Health: { Data: { LastErrorCode: 0x803b0017 } } },
      'HNS reports the endpoint as Attached with health HCN_E_DEGRADED_OPERATION: its ACLs may not be in effect.',
    ],
  ])('is what HNS says of the endpoint: %j', (endpoint, caveat) => {
    expect(doubts([], { endpoint })).toEqual([caveat]);
  });
});
