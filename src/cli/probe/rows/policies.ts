import type { JsonObject } from '../../../json/members.ts';
import { settingsIn } from '../documents.ts';
import { type Observation, seen } from '../observation.ts';
import { policies, samplePolicies, secondExceptions } from '../parts.ts';
import type { Row } from '../row.ts';

/** Policies of endpoints. Private networks have no filter, so what they accept says nothing about L2Bridge. */
export const policyRows: readonly Row[] = [
  ...Object.entries(samplePolicies).map(
    ([Type, Settings]): Row => ({
      id: `returned${Type}`,
      claim: `HNS returns an endpoint's ${Type} policy as it was sent`,
      on: 'L2Bridge',
      expected: ['as sent'],
      handled: ['changed', 'absent'],
      uses: [policies],
      run: async (context) => seenReturned(Settings, settingsIn(await context.share(policies), Type)),
    }),
  ),
  {
    id: 'policiesWrittenBack',
    claim: 'HNS returns both of two OutBoundNAT policies and of two ACLs of an endpoint, unmerged',
    on: 'L2Bridge',
    expected: ['all'],
    handled: ['merged', 'one', 'none', 'coalesced ACLs'],
    uses: [policies],
    run: async (context) => {
      const document = await context.share(policies);
      const returned = settingsIn(document, 'OutBoundNAT').map(({ Exceptions }) => Exceptions);
      const sent = [samplePolicies.OutBoundNAT.Exceptions, secondExceptions];
      if (returned.length === 0) return seen('none');
      const acls = settingsIn(document, 'ACL').length;
      if (returned.length > 1) return seen(acls === 1 ? 'coalesced ACLs' : 'all');
      return seen(Array.isArray(returned[0]) && returned[0].length === sent.flat().length ? 'merged' : 'one');
    },
  },
];

/** How HNS returned the Settings of a policy: the order of members does not count, nor do further policies of the type. */
function seenReturned(sent: JsonObject, returned: readonly JsonObject[]): Observation {
  if (returned.length === 0) return seen('absent');
  const textOf = (settings: JsonObject) => JSON.stringify(Object.entries(settings).toSorted());
  return seen(returned.map(textOf).includes(textOf(sent)) ? 'as sent' : 'changed');
}
