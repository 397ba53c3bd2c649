// The GUID of an object: the argument wins over the document's ID.

import type { JsonObject } from './schema/validate.ts';

export const zeroGuid = '00000000-0000-0000-0000-000000000000';

export function idIn(document: JsonObject): string | undefined {
  const id = document['ID'];
  return typeof id === 'string' && id !== zeroGuid ? id : undefined;
}
