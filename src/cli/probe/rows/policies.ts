import { createEndpoint, policyRequest } from '../fixtures.ts';
import { type Row, seenAcceptance } from '../row.ts';

/** Policies of networks and endpoints. */
export const policyRows: readonly Row[] = [
  {
    id: 'removeAbsentPolicy',
    claim: 'HNS refuses to remove a policy that an endpoint does not have',
    evidence: 'I',
    handling: 'removes only policies that a query returned',
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
