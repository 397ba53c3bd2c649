// The GUID of a new object. The argument takes precedence over the document's ID.

import { v4 as uuidv4 } from 'uuid';
import type { JsonObject } from './schema/validate.ts';
import type { Kind, State } from './state.ts';

export const zeroGuid = '00000000-0000-0000-0000-000000000000';

export function idIn(document: JsonObject): string | undefined {
  const id = document['ID'];
  return typeof id === 'string' && id !== zeroGuid ? id : undefined;
}

/** Kinds whose requested id a release may ignore. containerd lets HNS choose that of a namespace, and tests choose in its place. */
const renamed: ReadonlySet<Kind> = new Set(['Network', 'Endpoint', 'LoadBalancer']);

/** Returns a random id if the release ignores the requested one, else undefined. */
export function chosenId(state: State, kind: Kind): string | undefined {
  return state.release.switches.callerIds === 'ignored' && renamed.has(kind) ? uuidv4() : undefined;
}
