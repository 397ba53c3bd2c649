import type { Policy } from '../../../hcn/documents.ts';
import { isFailure } from '../../../hcn/hresults.ts';
import type { JsonObject } from '../../../json/members.ts';
import type { Laboratory } from '../laboratory.ts';
import { policiesOf, seenPolicy, seenRefusal, settingsOfType, tryPolicies } from '../policy-experiments.ts';
import { type Observation, type Row, seen } from '../row.ts';

const usual: JsonObject = {
  Protocols: '6',
  Priority: 100,
  Action: 'Block',
  Direction: 'Out',
  RuleType: 'Switch',
};

/** An ACL with other members; one that is undefined is left out. */
function acl(members: JsonObject = {}): Policy {
  return { Type: 'ACL', Settings: { ...usual, ...members } };
}

type Member = 'Priority' | 'RuleType' | 'Direction' | 'Action';

/** The row of an ACL without a member: `refused`, `ACL not returned`, `absent`, or the value that HNS adds. */
function withoutMember(member: Member, others: Pick<Row, 'claim' | 'handling'>, expected: string): Row {
  return {
    id: `aclWithout${member}`,
    ...others,
    evidence: expected === 'refused' ? 'D: HNS_Schema.md requires it' : 'I',
    experiment: {
      on: 'base',
      expected: [expected],
      run: (laboratory) =>
        seenPolicy(laboratory, acl({ [member]: undefined }), [acl()], ([returned]) => {
          if (returned === undefined) return seen('ACL not returned');
          return seen(returned[member] === undefined ? 'absent' : String(returned[member]));
        }),
    },
  };
}

/** The row of ACLs that differ in one member: whether HNS returns them in each of these orders. */
function inOrder(
  row: Pick<Row, 'id' | 'claim' | 'evidence' | 'handling'>,
  member: Member,
  ...orders: readonly (readonly (string | number)[])[]
): Row {
  const run = async (laboratory: Laboratory): Promise<Observation> => {
    const lists: (readonly [sent: string, returned: string])[] = [];
    for (const values of orders) {
      const answer = await tryPolicies(laboratory, ...values.map((value) => acl({ [member]: value })));
      if (isFailure(answer.hresult)) return seenRefusal(laboratory, answer.hresult, [acl()]);
      const returned = settingsOfType(await policiesOf(laboratory, answer), 'ACL');
      lists.push([values.join(), returned.map((settings) => settings[member]).join()]);
    }
    const detail = lists.map(([sent, returned]) => `sent ${sent}, returned ${returned}`).join('; ');
    return seen(orderOf(lists), detail);
  };
  return { ...row, experiment: { on: 'base', expected: ['as sent'], run } };
}

function orderOf(lists: readonly (readonly [sent: string, returned: string])[]): string {
  const sorted = (list: string) => list.split(',').toSorted().join();
  const reversed = (list: string) => list.split(',').toReversed().join();
  if (lists.every(([sent, returned]) => returned === sent)) return 'as sent';
  if (lists.some(([sent, returned]) => sorted(returned) !== sorted(sent))) return 'changed';
  if (lists.every(([sent, returned]) => returned === reversed(sent))) return 'reversed';
  return new Set(lists.map(([, returned]) => returned)).size === 1 ? 'sorted' : 'mixed';
}

/** The row of a list of an ACL in an unusual form: `refused`, `accepted`, `converted` to the usual one, or `changed` otherwise. */
function unusualForm(
  row: Pick<Row, 'id' | 'claim' | 'handling'>,
  member: string,
  [given, canonical]: readonly [string, string],
): Row {
  return {
    ...row,
    evidence: 'I',
    experiment: {
      on: 'base',
      expected: ['accepted', 'converted'],
      run: (laboratory) => {
        const control = acl({ [member]: canonical });
        return seenPolicy(laboratory, acl({ [member]: given }), [control], ([settings = {}]) => {
          const returned = settings[member];
          const observed = returned === canonical ? 'converted' : returned === given ? 'accepted' : 'changed';
          return seen(observed, `returned ${returned}`);
        });
      },
    },
  };
}

const impossible = { impossible: 'needs pod traffic' };

/** ACLs. */
export const aclRows: readonly Row[] = [
  withoutMember(
    'Priority',
    {
      claim: 'HNS adds no Priority to an ACL that was sent without one',
      handling: 'sends 1000 by default, and 65500 for the default action; `endpointPolicies` may lack it',
    },
    'absent',
  ),
  withoutMember(
    'RuleType',
    {
      claim: 'HNS adds no RuleType to an ACL that was sent without one',
      handling: 'sends Switch by default; `endpointPolicies` may lack it',
    },
    'absent',
  ),
  withoutMember(
    'Direction',
    { claim: 'HNS refuses an ACL without Direction', handling: 'requires it in a configuration' },
    'refused',
  ),
  withoutMember(
    'Action',
    { claim: 'HNS refuses an ACL without Action', handling: 'requires it in a configuration' },
    'refused',
  ),
  inOrder(
    {
      id: 'aclOrder',
      claim: 'HNS returns ACLs in the order in which they were sent, not by priority',
      evidence: 'I',
      handling: '`show` sorts ACLs by priority; CHECK ignores their order',
    },
    'Priority',
    [300, 100, 200],
    [200, 300, 100],
  ),
  inOrder(
    {
      id: 'aclTies',
      claim: 'HNS accepts ACLs of one priority with opposite actions, and returns them in the order sent',
      evidence: 'S calico policysets.go gives different actions different priorities',
      handling: '`validate` and `doctor` warn about ties: docs/notes/acls.md',
    },
    'Action',
    ['Block', 'Allow'],
    ['Allow', 'Block'],
  ),
  inOrder(
    {
      id: 'equalAcls',
      claim: 'HNS accepts two equal ACLs, and returns both',
      evidence: 'I',
      handling: 'sends ACLs as configured; fewer returned ACLs than were sent fail ADD',
    },
    'Action',
    ['Block', 'Block'],
  ),
  unusualForm(
    {
      id: 'spacesInLists',
      claim: 'HNS accepts spaces in the comma-separated lists of an ACL',
      handling: 'sends lists without spaces',
    },
    'RemotePorts',
    ['80, 443', '80,443'],
  ),
  unusualForm(
    {
      id: 'mappedAddresses',
      claim: 'HNS accepts an IPv4-mapped IPv6 address in an ACL',
      handling: 'sends addresses in canonical form',
    },
    'RemoteAddresses',
    ['::ffff:198.19.0.9', '198.19.0.9'],
  ),
  {
    id: 'defaultPriority',
    claim: 'An ACL without Priority ranks after all others',
    evidence: 'I',
    handling: '`show` lists it last; `explain-acl` reports it if it matters',
    experiment: impossible,
  },
  {
    id: 'aclTieWinner',
    claim: 'HNS applies only one of two ACLs with the same priority, chosen by undocumented rules',
    evidence: 'S calico policysets.go',
    handling: '`explain-acl` reports "Unknown" if their actions differ: docs/notes/acls.md',
    experiment: impossible,
  },
  {
    id: 'ruleTypeOrder',
    claim: 'HNS compares the priorities of Host and Switch ACLs with each other',
    evidence: 'I',
    handling: '`explain-acl` assumes it and reports the assumption',
    experiment: impossible,
  },
  {
    id: 'aclOfBackends',
    claim: 'Outbound ACLs match the frontend address of a load balancer, not its backends',
    evidence: 'I',
    handling: '`explain-acl` compares the given address and names the others',
    experiment: impossible,
  },
];
