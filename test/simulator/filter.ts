// Filters of HcnEnumerate… and HNSCall, which are compared with the V1 form of an object.

import { guidPattern, type Json, type JsonObject } from './schema/validate.ts';

/** IPAddress never matches (WSL NatNetworking.cpp). */
export function matches(document: JsonObject, filter: JsonObject): boolean {
  return Object.entries(filter).every(([name, wanted]) => {
    const found = document[name];
    return found !== undefined && name !== 'IPAddress' && isSame(found, wanted);
  });
}

/** GUIDs in either case. */
function isSame(found: Json, wanted: Json): boolean {
  if (typeof found === 'string' && typeof wanted === 'string' && guidPattern.test(found))
    return found.toLowerCase() === wanted.toLowerCase();
  if (typeof found === 'boolean') return String(found) === String(wanted).toLowerCase();
  return JSON.stringify(found) === JSON.stringify(wanted);
}
