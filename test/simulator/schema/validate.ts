// Validates a document against a schema and normalizes it: official spellings, schema order, no nulls.

import { HnsError } from '../hresults.ts';
import { type HnsVersion, isAtLeast, type Switches } from '../profiles.ts';
import type { Member, ObjectSchema, Schema } from './schema.ts';

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [name: string]: Json;
}

export interface Release {
  readonly version: HnsVersion;
  readonly switches: Switches;
}

/** Without braces. */
export const guidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function parseObject(text: string | null | undefined): JsonObject {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text ?? '');
  } catch {
    throw new HnsError('HCN_E_INVALID_JSON');
  }
  if (!isObject(parsed)) throw new HnsError('HCN_E_INVALID_JSON');
  return parsed;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function validateObject(
  schema: ObjectSchema,
  value: Json,
  release: Release,
  name = '',
  isLenient = false,
): JsonObject {
  if (!isObject(value)) throw invalid(name, 'InvalidType');
  const ignores = isLenient || (schema.isSettings === true && release.switches.unknownSettings === 'ignored');
  for (const [key, given] of Object.entries(value)) {
    const member = schema.members.get(key);
    const isUnknown = !member || !isKnown(member, release);
    if (isUnknown && ignores) continue;
    if (isUnknown) throw invalid(key, 'UnknownField');
    if (given === null && member.required) throw invalid(key, 'MissingField');
  }
  const entries: [string, Json][] = [];
  for (const [key, member] of schema.members) {
    const given = isKnown(member, release) ? value[key] : undefined;
    if (given !== undefined && given !== null)
      entries.push([key, validate(member.schema, given, release, key, ignores)]);
    else if (member.required) throw invalid(key, 'MissingField');
  }
  return Object.fromEntries(entries);
}

function validate(schema: Schema, value: Json, release: Release, name: string, isLenient: boolean): Json {
  switch (schema.kind) {
    case 'any':
      return value;
    case 'string':
      if (typeof value !== 'string') throw invalid(name, 'InvalidType');
      return value;
    case 'boolean':
      if (typeof value !== 'boolean') throw invalid(name, 'InvalidType');
      return value;
    case 'guid':
      return canonicalGuid(value, name);
    case 'unsigned':
      if (!isUnsigned(value, schema.bits)) throw invalid(name, 'InvalidType');
      return value;
    case 'enumeration':
      return enumerationValue(schema, value, name);
    case 'array':
      if (!Array.isArray(value)) throw invalid(name, 'InvalidType');
      return value.map((item: Json) => validate(schema.items, item, release, name, isLenient));
    case 'object':
      return validateObject(schema, value, release, name, isLenient);
  }
}

/** Accepts names in any case, or the number. */
function enumerationValue(schema: Schema & { kind: 'enumeration' }, value: Json, name: string): Json {
  for (const [spelling, number] of schema.names) {
    const same =
      typeof value === 'string' ? spelling.toLowerCase() === value.toLowerCase() : number === value;
    if (same) return schema.numeric ? number : spelling;
  }
  throw invalid(name, 'InvalidValue');
}

function canonicalGuid(value: Json, name: string): string {
  if (typeof value !== 'string') throw invalid(name, 'InvalidType');
  if (!guidPattern.test(value)) throw new HnsError('HCN_E_GUID_CONVERSION_FAILURE');
  return value.toLowerCase();
}

function isUnsigned(value: Json, bits: number): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < 2 ** bits;
}

function isKnown(member: Member, release: Release): boolean {
  return member.since === undefined || isAtLeast(release.version, ...member.since);
}

function invalid(name: string, kind: string): HnsError {
  return new HnsError('HCN_E_INVALID_JSON', `{{${name},${kind}}}`);
}
