import { type JsonFormat, type Members, parseJson, readMembers } from '../json/members.ts';
import { HcnInvalidResponse } from './errors.ts';
import type { Guid, Kind } from './guid.ts';

/** The members of an object's document, and its id, which HNS always writes. */
export function readDocument<K extends Kind>(
  json: string,
): { readonly members: Members; readonly id: Guid<K> } {
  const members = readMembers(parseText(json), '', ignoring);
  const id = readId<K>(members.json['ID']);
  if (id === undefined) throw members.refusal('ID', 'an id');
  return { members, id };
}

/** In lower case, without braces; a container's id need not be a GUID. */
export function guidText(text = ''): string {
  return text.replace(/^\{(.*)\}$/, '$1').toLowerCase();
}

/** In lower case, without braces. */
export function readId<K extends Kind>(value: unknown): Guid<K> | undefined {
  return typeof value === 'string' ? /^\{?([0-9a-f-]{36})\}?$/i.exec(value)?.[1]?.toLowerCase() : undefined;
}

/** Parses a response. Throws HcnInvalidResponse. */
export function parseText(json: string): unknown {
  try {
    return parseJson(json);
  } catch {
    throw hcnDocument.refuse('', json, 'JSON');
  }
}

/** Refuses every member that cannot be read. */
export const hcnDocument: JsonFormat = {
  refuse: (path, found, expected) => {
    const place = path === '' ? '' : ` for ${path}`;
    return new HcnInvalidResponse(`HCN returned ${excerpt(found)}${place}, expected ${expected}`);
  },
};

/** Lets members that cannot be read count as absent. */
export const ignoring: JsonFormat = { ...hcnDocument, ignores: true };

/** A value, shortened: it may be of any size and depth. */
function excerpt(found: unknown): string {
  if (found === undefined) return 'nothing';
  if (Array.isArray(found)) return `a list of ${found.length}`;
  if (typeof found === 'object' && found !== null) return 'an object';
  return JSON.stringify(typeof found === 'string' ? found.slice(0, 80) : found);
}
