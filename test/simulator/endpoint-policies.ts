// Policies of endpoints: what a release knows of them beyond their schema.

import type { Policy } from './documents.ts';
import { HnsError } from './hresults.ts';
import { readPolicies } from './policies.ts';
import type { Json, Release } from './schema/validate.ts';

/** NatFlags. */
const ipv6 = 2;

export function readEndpointPolicies(given: Json | undefined, release: Release): Policy[] {
  const policies = readPolicies('endpoint', given, release);
  const isForIPv6 = ({ Type, Settings = {} }: Policy) =>
    Type === 'PortMapping' && (Number(Settings['Flags'] ?? 0) & ipv6) !== 0;
  if (release.switches.ipv6PortMapping === 'refused' && policies.some(isForIPv6))
    throw new HnsError('HCN_E_INVALID_POLICY');
  return policies;
}
