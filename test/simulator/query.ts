// HostComputeQuery: which schema the answer has, which objects it lists.

import { matches } from './filter.ts';
import { resources } from './health.ts';
import { HnsError } from './hresults.ts';
import { withMergedPolicies } from './merged-policies.ts';
import { query as querySchema } from './schema/documents.ts';
import { isObject, type JsonObject, parseObject, validateObject } from './schema/validate.ts';
import { type HnsObject, type Kind, objectsOf, type State } from './state.ts';
import { documentV1 } from './v1.ts';
import { documentV2 } from './v2.ts';

interface Query {
  readonly schema: 1 | 2;
  readonly version: JsonObject;
  readonly isDetailed: boolean;
  readonly filter: JsonObject;
}

const detailed = 1;

/** NULL asks like a query without a schema version: for V1. An empty string is no JSON. */
export function readQuery(state: State, text: string | null | undefined): Query {
  const given = validateObject(querySchema, text == null ? {} : parseObject(text), state.release);
  const version = given['SchemaVersion'];
  const major = isObject(version) ? (version['Major'] ?? 1) : 1;
  if (major !== 1 && major !== 2) throw new HnsError('HCN_E_INVALID_JSON');
  const filter = given['Filter'];
  return {
    schema: major,
    version: isObject(version) ? version : {},
    isDetailed: given['Flags'] === detailed,
    filter: typeof filter === 'string' && filter !== '' ? parseObject(filter) : {},
  };
}

/** The objects an enumeration returns. Each call counts as one of those that omit a new network. */
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

/** A query of one object carries the filter it was found with, and ignores it. */
export function describe(state: State, object: HnsObject, query: Query): string {
  if (query.schema === 1) return JSON.stringify(documentV1(state, object));
  const { schemaVersion, detailedQuery, policiesWrittenBack } = state.release.switches;
  const document = documentV2(state, object);
  const isMerged = object.kind === 'Endpoint' && policiesWrittenBack === 'merged';
  return JSON.stringify({
    ...(isMerged ? withMergedPolicies(document) : document),
    ...(schemaVersion === 'echoed' && { SchemaVersion: query.version }),
    ...(query.isDetailed &&
      detailedQuery === 'resources' && { AdditionalParams: {}, Resources: resources(object) }),
  });
}
