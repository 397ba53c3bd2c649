import { isFailure } from '../../../hcn/hresults.ts';
import type { JsonObject } from '../../../json/members.ts';
import { createEndpoint, policyRequest } from '../fixtures.ts';
import { policiesOf, seenPolicy, settingsOfType, tryPolicies } from '../policy-experiments.ts';
import { NotTried, type Observation, type Row, seen, seenAcceptance, seenAnswer } from '../row.ts';

const acl = (Priority: number, others: object = {}) => ({
  Type: 'ACL',
  Settings: { Protocols: '6', Priority, Action: 'Block', Direction: 'Out', RuleType: 'Switch', ...others },
});
const qos = { Type: 'QOS', Settings: { MaximumOutgoingBandwidthInBytes: 12_500_000 } };
const l4Proxy = (others: object) => ({
  Type: 'L4Proxy',
  Settings: { IP: '198.19.0.0/16', Port: '80', Protocol: 6, Destination: '198.19.0.9', ...others },
});

/** Whether policies have a value in a member, whose case HNS may have changed. */
function has(settings: readonly JsonObject[], name: string, value: unknown): boolean {
  const members = settings.flatMap((members) => Object.entries(members));
  return members.some(([other, found]) => other.toLowerCase() === name.toLowerCase() && found === value);
}

/** What HNS did with a member; `absent` if it returned no policy of the type. */
function seenMember(returned: readonly JsonObject[], observed: string): Observation {
  return seen(returned.length === 0 ? 'absent' : observed);
}

/** Policies of networks and endpoints. */
export const policyRows: readonly Row[] = [
  {
    id: 'hcsshimMembers',
    claim: 'HNS refuses or drops policy members that only hcsshim sends, such as OutboundNAT of L4Proxy',
    evidence: 'S hcnroute.go, hcnpolicy.go',
    handling: 'sends only members of the schema',
    experiment: {
      on: 'base',
      expected: ['unsupported'],
      run: async (laboratory) => {
        const [sent, usual] = [l4Proxy({ OutboundNAT: true }), l4Proxy({ OutboundNat: true })];
        const { observed, detail } = await seenPolicy(laboratory, sent, [usual], (returned) =>
          seenMember(returned, has(returned, 'OutboundNAT', true) ? 'supported' : 'ignored'),
        );
        const isUnsupported = observed === 'refused' || observed === 'ignored';
        return isUnsupported ? seen('unsupported', detail ?? observed) : seen(observed);
      },
    },
  },
  {
    id: 'unknownSettings',
    claim: "HNS ignores unknown members of a policy's Settings, and does not return them",
    evidence:
      'S WMCO ships exceptionList, destinationPrefix and needEncap, O projectcalico/cni-plugin#1067 (ignored); a refusal is I',
    handling:
      'refuses unknown members of the policy types in its schema, and sends those of others unchanged',
    experiment: {
      on: 'base',
      expected: ['ignored'],
      run: (laboratory) =>
        seenPolicy(laboratory, acl(100, { ProbeMember: 'kept' }), [acl(100)], (returned) =>
          seenMember(returned, has(returned, 'ProbeMember', 'kept') ? 'kept' : 'ignored'),
        ),
    },
  },
  {
    id: 'policyWithoutSettings',
    claim: 'HNS accepts a policy without the member Settings',
    evidence: 'S hns.v2.psm1 always sends Settings; that others are refused, and the code, I',
    handling: 'sends Settings with every policy',
    experiment: {
      on: 'base',
      expected: ['accepted'],
      run: (laboratory) =>
        seenPolicy(laboratory, { Type: 'OutBoundNAT' }, [{ Type: 'OutBoundNAT', Settings: {} }]),
    },
  },
  {
    id: 'policyUpdate',
    claim: 'An Update request replaces all policies of an endpoint, whatever their type',
    evidence:
      'S azure-npm policymanager_windows.go resets ACLs by leaving them out; I that other types are kept',
    handling: 'only adds policies',
    experiment: {
      on: 'base',
      expected: ['all types'],
      run: async (laboratory) => {
        const answer = await tryPolicies(laboratory, qos, acl(100));
        const before = await policiesOf(laboratory, answer);
        if (settingsOfType(before, 'QOS').length === 0) throw new NotTried('HNS returns no QOS policy');
        if (answer.value === undefined) throw new NotTried('HNS returned no endpoint');
        const request = policyRequest('Update', [acl(200)]);
        const { hresult } = await laboratory.modify(answer.value, request);
        if (isFailure(hresult)) return seenAnswer(hresult);
        const after = await policiesOf(laboratory, answer);
        const priorities = settingsOfType(after, 'ACL').map(({ Priority }) => Priority);
        const detail = `returned ${JSON.stringify(after)}`;
        if (!priorities.includes(200)) return seen('ignored', detail);
        if (priorities.includes(100)) return seen('none', detail);
        return seen(settingsOfType(after, 'QOS').length > 0 ? 'only the types sent' : 'all types', detail);
      },
    },
  },
  {
    id: 'addPolicyLater',
    claim: 'HNS adds an OutBoundNAT policy with Destinations to an existing endpoint',
    evidence: 'T hcnendpoint_test.go adds L4WFPPROXY; for this type I',
    handling: '`loopbackDSR` adds one if HNS chooses the address; a refusal fails ADD',
    experiment: {
      on: 'base',
      expected: ['added'],
      run: async (laboratory) => {
        const endpoint = await createEndpoint(laboratory, await laboratory.base());
        const policy = { Type: 'OutBoundNAT', Settings: { Destinations: ['198.19.0.9'] } };
        const answer = await laboratory.modify(endpoint, policyRequest('Add', [policy]));
        if (isFailure(answer.hresult)) return seenAnswer(answer.hresult);
        const policies = await policiesOf(laboratory, { ...answer, value: endpoint });
        return seen(settingsOfType(policies, policy.Type).length > 0 ? 'added' : 'ignored');
      },
    },
  },
  {
    id: 'removeAbsentPolicy',
    claim: 'HNS refuses to remove a policy that an endpoint does not have',
    evidence: 'I',
    handling: 'never removes policies',
    experiment: {
      on: 'base',
      expected: ['refused'],
      run: async (laboratory) => {
        const endpoint = await createEndpoint(laboratory, await laboratory.base());
        const policy = { Type: 'OutBoundNAT', Settings: { Exceptions: ['198.19.0.0/16'] } };
        const { hresult } = await laboratory.modify(endpoint, policyRequest('Remove', [policy]));
        return seenAcceptance(hresult, 'ignored');
      },
    },
  },
];
