// The functions that the stub forwards to the service. The stub implements its other exports itself.

import { type Kind, kinds } from './state.ts';

const verbs = ['Enumerate', 'Create', 'Open', 'Modify', 'Query', 'Delete', 'Close'] as const;

export interface ObjectFunction {
  readonly verb: (typeof verbs)[number];
  readonly kind: Kind;
}

export const objectFunctions: ReadonlyMap<string, ObjectFunction> = new Map(
  kinds.flatMap((kind) => verbs.map((verb) => [nameOf(verb, kind), { verb, kind }] as const)),
);

const ipHelperFunctions: ReadonlySet<string> = new Set([
  'GetAdaptersAddresses',
  'GetIpInterfaceEntry',
  'SetIpInterfaceEntry',
  'GetIpForwardTable2',
  'CreateIpForwardEntry2',
  'DeleteIpForwardEntry2',
]);

/** Functions of the Windows IP Helper are not part of the Host Network Service: its call counts omit them. */
export function isIpHelper(name: string): boolean {
  return ipHelperFunctions.has(name);
}

function nameOf(verb: ObjectFunction['verb'], kind: Kind): string {
  if (verb === 'Enumerate') return `HcnEnumerate${kind}s`;
  return verb === 'Query' ? `HcnQuery${kind}Properties` : `Hcn${verb}${kind}`;
}
