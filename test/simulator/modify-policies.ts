// Requests that change the policies of a network or an endpoint.

import { isDeepStrictEqual } from 'node:util';
import type { Policy } from './documents.ts';
import { HnsError } from './hresults.ts';
import { removePolicies, updatePolicies } from './policies.ts';
import type { Switches } from './profiles.ts';
import type { Release } from './schema/validate.ts';

export function changedPolicies(
  existing: readonly Policy[],
  requestType: string,
  given: readonly Policy[],
  release: Release,
  update: Switches['policyUpdate'] = 'namedTypes',
): readonly Policy[] {
  switch (requestType) {
    case 'Add':
      return [...existing, ...given];
    case 'Remove':
      return removePolicies(existing, removable(existing, given, release));
    case 'Update':
      return update === 'all' ? given : updatePolicies(existing, given);
    default:
      throw new HnsError('HCN_E_REQUEST_UNSUPPORTED');
  }
}

function removable(existing: readonly Policy[], given: readonly Policy[], release: Release) {
  if (release.switches.removeAbsentPolicy === 'refused') return given;
  return given.filter((policy) => existing.some((other) => isDeepStrictEqual(other, policy)));
}
