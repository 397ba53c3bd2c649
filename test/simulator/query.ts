// HostComputeQuery: the schema of the answer and the objects it contains.

import { HnsError } from './hresults.ts';
import { query as querySchema } from './schema/documents.ts';
import {
  guidPattern,
  isObject,
  type Json,
  type JsonObject,
  parseObject,
  validateObject,
} from './schema/validate.ts';
import { type HnsObject, type Kind, objectsOf, type State } from './state.ts';
import { documentV1 } from './v1.ts';
import { writtenBack } from './written-back.ts';

interface Query {
  readonly schema: 1 | 2;
  readonly filter: JsonObject;
}

/** NULL is a V1 query, as is a query without a schema version. An empty string is invalid JSON. */
export function readQuery(state: State, text: string | null | undefined): Query {
  const given = validateObject(querySchema, text == null ? {} : parseObject(text), state.release);
  const version = given['SchemaVersion'];
  const major = isObject(version) ? (version['Major'] ?? 1) : 1;
  if (major !== 1 && major !== 2) throw new HnsError('HCN_E_INVALID_JSON');
  const filter = given['Filter'];
  return {
    schema: major,
    filter: typeof filter === 'string' && filter !== '' ? parseObject(filter) : {},
  };
}

/** Returns the objects of an enumeration, and counts the call as one that omits a new network. */
export function listed(state: State, kind: Kind): HnsObject[] {
  return [...objectsOf(state, kind).values()].filter((object) => {
    if (object.kind !== 'Network' || object.unlisted === 0) return true;
    object.unlisted -= 1;
    return false;
  });
}

export function listIds(state: State, objects: Iterable<HnsObject>, query: Query): string {
  const ids = [...objects]
    .filter((object) => matches(documentV1(state, object), query.filter))
    .map(({ id }) => id);
  return JSON.stringify(ids);
}

/** A query of one object may contain a filter, which has no effect. */
export function describe(state: State, object: HnsObject, query: Query): string {
  if (query.schema === 1) {
    if (object.kind === 'Network' && state.release.switches.managementAddressQuery === 'refused')
      throw new HnsError('E_INVALIDARG');
    return JSON.stringify(documentV1(state, object));
  }
  return JSON.stringify(writtenBack(state, object));
}

/** Returns whether the V1 form of an object matches a filter. IPAddress never matches (WSL NatNetworking.cpp). */
export function matches(document: JsonObject, filter: JsonObject): boolean {
  return Object.entries(filter).every(([name, wanted]) => {
    const found = document[name];
    return found !== undefined && name !== 'IPAddress' && isSame(found, wanted);
  });
}

/** Compares GUIDs without case. */
function isSame(found: Json, wanted: Json): boolean {
  if (typeof found === 'string' && typeof wanted === 'string' && guidPattern.test(found))
    return found.toLowerCase() === wanted.toLowerCase();
  if (typeof found === 'boolean') return String(found) === String(wanted).toLowerCase();
  return JSON.stringify(found) === JSON.stringify(wanted);
}
