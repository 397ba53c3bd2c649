// The form of schemas: what a document may contain.

/** A member of an object; `since` is the oldest Host Network Service that accepts it. */
export interface Member {
  readonly schema: Schema;
  readonly required?: boolean;
  readonly since?: readonly [major: number, minor: number];
}

export type Schema =
  | { readonly kind: 'any' }
  | { readonly kind: 'string' }
  | { readonly kind: 'boolean' }
  | { readonly kind: 'guid' }
  | { readonly kind: 'unsigned'; readonly bits: 8 | 16 | 32 | 64 }
  | { readonly kind: 'enumeration'; readonly names: ReadonlyMap<string, number>; readonly numeric: boolean }
  | { readonly kind: 'array'; readonly items: Schema }
  | ObjectSchema;

export interface ObjectSchema {
  readonly kind: 'object';
  readonly members: ReadonlyMap<string, Member>;
  /** The Settings of a policy: the variant `unknownSettings` decides about unknown members. */
  readonly isSettings?: boolean;
}

export const any: Schema = { kind: 'any' };
export const string: Schema = { kind: 'string' };
export const boolean: Schema = { kind: 'boolean' };
export const guid: Schema = { kind: 'guid' };
export const uint8: Schema = { kind: 'unsigned', bits: 8 };
export const uint16: Schema = { kind: 'unsigned', bits: 16 };
export const uint32: Schema = { kind: 'unsigned', bits: 32 };
export const uint64: Schema = { kind: 'unsigned', bits: 64 };

export function arrayOf(items: Schema): Schema {
  return { kind: 'array', items };
}

export function object(members: Readonly<Record<string, Schema | Member>>): ObjectSchema {
  const entries = Object.entries(members).map(([name, member]): [string, Member] => [
    name,
    'schema' in member ? member : { schema: member },
  ]);
  return { kind: 'object', members: new Map(entries) };
}

/** A policy's Settings, which HNS's schema declares as type Any. */
export function settings(members: Readonly<Record<string, Schema | Member>>): ObjectSchema {
  return { ...object(members), isSettings: true };
}

export function required(schema: Schema): Member {
  return { schema, required: true };
}

export function since(major: number, minor: number, schema: Schema): Member {
  return { schema, since: [major, minor] };
}
