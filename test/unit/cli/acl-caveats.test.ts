import { describe, expect, test } from 'vitest';
import { aclCaveats } from '../../../src/cli/explain-acl/acl-caveats.ts';
import { decideAcl } from '../../../src/cli/explain-acl/decide-acl.ts';
import { aclRows } from '../../../src/cli/inventory/acl-row.ts';
import { endpointRow } from '../../../src/cli/inventory/endpoint-row.ts';
import type { ObservedEndpoint, Policy } from '../../../src/hcn/documents.ts';

const SchemaVersion = { Major: 2, Minor: 0 };
const network = { ID: 'n', Name: 'l2bridge', Type: 'L2Bridge', SchemaVersion };

/** The caveats about a connection to 10.9.0.7, for an endpoint with these ACLs of one direction and what else it has. */
function caveatsOf(
  acls: readonly Record<string, unknown>[],
  endpoint: Partial<ObservedEndpoint> = {},
  policies: readonly Policy[] = [],
) {
  const document = {
    ID: 'e',
    Name: 'by-hand',
    HostComputeNetwork: 'n',
    SchemaVersion,
    State: 2,
    ...endpoint,
  };
  const observed = { ...network, Policies: policies };
  const rows = aclRows(
    acls.map((Settings) => ({ Type: 'ACL', Settings: { Direction: 'Out', ...Settings } })),
  );
  const decision = decideAcl(
    rows.filter(({ direction }) => direction === 'Out'),
    { localAddresses: ['10.244.1.2'], remoteAddress: '10.9.0.7' },
  );
  const inventory = { networks: [observed], endpoints: [document], namespaces: [], loadBalancers: [] };
  return aclCaveats(decision, document, observed, endpointRow(document, inventory));
}

const withoutPriority =
  'An ACL without a priority says otherwise. It is taken to come after those with one, and where HNS puts it is not known.';
const mixed =
  'Some of these ACLs are of RuleType Host, others of Switch. How HNS orders the ones among the others is not documented; here their ' +
  'priorities are compared.';
const allow = { Action: 'Allow', Priority: 100, RuleType: 'Switch' };
const block = { Action: 'Block', RuleType: 'Switch' };

describe('what makes a decision less certain', () => {
  test('is nothing as a rule', () => {
    expect(caveatsOf([allow, { ...block, Priority: 200 }])).toEqual([]);
  });

  test('is an ACL without a priority that says otherwise', () => {
    expect(caveatsOf([allow, block])).toEqual([withoutPriority]);
  });

  test('is not an ACL without a priority that says the same, or is for something else', () => {
    expect(
      caveatsOf([allow, { ...block, Action: 'Allow' }, { ...block, RemoteAddresses: '10.8.0.0/16' }]),
    ).toEqual([]);
  });

  test('is a mixture of RuleTypes, Host being that of an ACL without one', () => {
    expect(caveatsOf([allow, { Action: 'Block', Priority: 200 }])).toEqual([mixed]);
    expect(caveatsOf([{ Action: 'Allow' }, { Action: 'Allow', RuleType: 'Host' }])).toEqual([]);
  });

  test('is a policy that is not looked at', () => {
    expect(caveatsOf([], { Policies: [{ Type: 'TierACL' }] }, [{ Type: 'NetworkACL' }])).toEqual([
      'The endpoint has TierAcl policies as well, which are not looked at here.',
      'Network "l2bridge" has NetworkACL policies as well, which are not looked at here.',
    ]);
  });

  test.each([
    [
      { State: 5 },
      'HNS says that the endpoint is Degraded and its health ok: it may not have done what it was told.',
    ],
    [
      { Health: { Data: { LastErrorCode: 0x803b0017 } } },
      'HNS says that the endpoint is Attached and its health HCN_E_DEGRADED_OPERATION: it may not have done what it was told.',
    ],
  ])('is what HNS says of the endpoint: %j', (endpoint, caveat) => {
    expect(caveatsOf([], endpoint)).toEqual([caveat]);
  });
});
