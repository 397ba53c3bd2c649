// Policies in V1: one flat object with type and settings.

import type { Policy } from './documents.ts';
import type { Json, JsonObject } from './schema/validate.ts';

interface Translation {
  readonly v1: string;
  readonly v2: string;
  /** V1 member to V2 member; members not listed keep their name. */
  readonly members: Readonly<Record<string, string>>;
}

const translations: readonly Translation[] = [
  { v1: 'VLAN', v2: 'VLAN', members: { VLAN: 'IsolationId' } },
  { v1: 'VSID', v2: 'VSID', members: { VSID: 'IsolationId' } },
  { v1: 'PA', v2: 'ProviderAddress', members: { PA: 'ProviderAddress' } },
  { v1: 'NAT', v2: 'PortMapping', members: {} },
  { v1: 'OutBoundNAT', v2: 'OutBoundNAT', members: { ExceptionList: 'Exceptions', VIP: 'VirtualIP' } },
  { v1: 'ROUTE', v2: 'SDNRoute', members: {} },
  { v1: 'DRMAC', v2: 'DrMacAddress', members: {} },
];

export function policyV1(policy: Policy): JsonObject {
  const translation = translations.find(({ v2 }) => v2 === policy.Type);
  const names = new Map(Object.entries(translation?.members ?? {}).map(([v1, v2]) => [v2, v1]));
  const members = Object.entries(policy.Settings ?? {}).map(([name, value]): [string, Json] => [
    names.get(name) ?? name,
    value,
  ]);
  return { Type: translation?.v1 ?? policy.Type, ...Object.fromEntries(members) };
}
