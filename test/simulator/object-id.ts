// The GUID of an object: the argument wins over the document's ID.

import { v4 as uuidv4 } from 'uuid';
import type { JsonObject } from './schema/validate.ts';
import type { Kind, State } from './state.ts';

export const zeroGuid = '00000000-0000-0000-0000-000000000000';

export function idIn(document: JsonObject): string | undefined {
  const id = document['ID'];
  return typeof id === 'string' && id !== zeroGuid ? id : undefined;
}

/** Namespaces keep their caller's id: containerd relies on it. */
const renamed: ReadonlySet<Kind> = new Set(['Network', 'Endpoint', 'LoadBalancer']);

/** Returns a random id if the release ignores the one that the caller asks for, else undefined. */
export function chosenId(state: State, kind: Kind): string | undefined {
  return state.release.switches.callerIds === 'ignored' && renamed.has(kind) ? uuidv4() : undefined;
}
