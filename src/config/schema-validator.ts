import { isObject } from '../json/members.ts';
import { escapeToken } from './source-paths.ts';

type JsonType = 'null' | 'boolean' | 'object' | 'array' | 'integer' | 'string';
type Scalar = string | number | boolean | null;

/** The keywords of JSON Schema, draft 7, that win-hcn's schemas use. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: JsonType | readonly JsonType[];
  readonly const?: Scalar;
  readonly enum?: readonly Scalar[];
  readonly not?: AnySchema;
  readonly anyOf?: readonly AnySchema[];
  readonly allOf?: readonly AnySchema[];
  readonly if?: AnySchema;
  readonly then?: AnySchema;
  readonly else?: AnySchema;
  readonly maximum?: number;
  readonly minimum?: number;
  readonly pattern?: string;
  readonly minItems?: number;
  readonly contains?: AnySchema;
  readonly items?: AnySchema;
  readonly required?: readonly string[];
  readonly additionalProperties?: AnySchema;
  readonly properties?: Readonly<Record<string, AnySchema>>;
  readonly patternProperties?: Readonly<Record<string, AnySchema>>;
  /** Describes strings; without effect on validation. */
  readonly format?: string;
  /** Describes the valid values, for messages. */
  readonly 'x-expected'?: string;
}

type AnySchema = Schema | false;

/** A value that a schema refuses. Refusals inside `anyOf` and `contains` are not reported: another branch or item may be valid. */
export interface Refusal {
  /** The JSON pointer of the value. */
  readonly path: string;
  readonly found: unknown;
  readonly keyword: string;
  /** The schema that has the keyword; empty for the schema `false`. */
  readonly schema: Schema;
  /** The missing or unknown key, of `required` and `additionalProperties`. */
  readonly key?: string;
}

type Report = (refusal: Refusal) => void;

/** Returns whether JSON is valid, and reports each refused value. */
export type Validator<T> = (json: unknown, report: Report) => json is T;

/**
 * Returns the validator of a schema file, whose JSON is of type `T`. `files` has the text of this file and of those it refers to, by
 * name. Each is parsed when it is first needed: most of the text is the schema of policies, which few configurations have.
 */
export function validator<T>(files: Readonly<Record<string, string>>, file: string): Validator<T> {
  const parsed = new Map<string, Schema>();
  const open = (name: string): Schema => {
    const schema: Schema = parsed.get(name) ?? JSON.parse(files[name] ?? '');
    parsed.set(name, schema);
    return schema;
  };
  return (json, report): json is T => isValid(open(file), json, { file, open, report });
}

interface Context {
  /** The file of the schema, to which its references are relative. */
  readonly file: string;
  readonly open: (file: string) => Schema;
  readonly report: Report;
}

function isValid(schema: AnySchema, found: unknown, { file, open, report }: Context): boolean {
  let valid = true;
  const note: Report = (refusal) => {
    valid = false;
    report(refusal);
  };
  check(schema, found, '', { file, open, report: note });
  return valid;
}

/** Like `isValid`, without a report. */
function matches(schema: AnySchema, found: unknown, { file, open }: Context): boolean {
  return isValid(schema, found, { file, open, report: () => undefined });
}

function check(schema: AnySchema, found: unknown, path: string, context: Context): void {
  if (schema === false) {
    context.report({ path, found, keyword: 'false schema', schema: {} });
    return;
  }
  for (const keyword in schema) {
    const isAccepted = keywords[keyword]?.(schema, found, path, context) ?? true;
    if (!isAccepted) context.report({ path, found, keyword, schema });
  }
}

function checkMember(schema: AnySchema, found: unknown, path: string, key: string, context: Context): void {
  check(schema, found, `${path}/${escapeToken(key)}`, context);
}

/** Returns whether the keyword accepts the value. Undefined if it reports for itself. */
type Keyword = (schema: Schema, found: unknown, path: string, context: Context) => boolean | undefined;

/**
 * Each keyword that has an effect, in the order of ajv: keywords for the value itself come before those for its members. `then` and
 * `else` belong to `if`. `packaging/embedded-schema.mjs` sorts the keywords of every schema.
 */
export const keywords: Readonly<Record<string, Keyword>> = {
  $ref({ $ref }, found, path, context) {
    const [file = '', pointer = ''] = ($ref ?? '').split('#');
    const inFile = file === '' ? context : { ...context, file };
    const tokens = pointer.split('/').slice(1);
    const schema = tokens.reduce((outer, token) => Reflect.get(outer, token), context.open(inFile.file));
    check(schema, found, path, inFile);
  },
  type: ({ type = [] }, found) =>
    typeof type === 'string' ? isOfType(found, type) : type.some((one) => isOfType(found, one)),
  const: (schema, found) => found === schema.const,
  enum: (schema, found) => schema.enum?.some((value) => found === value),
  not: ({ not = false }, found, _, context) => !matches(not, found, context),
  anyOf: ({ anyOf = [] }, found, _, context) => anyOf.some((branch) => matches(branch, found, context)),
  allOf({ allOf = [] }, found, path, context) {
    for (const part of allOf) check(part, found, path, context);
  },
  if(schema, found, path, context) {
    const part = matches(schema.if ?? {}, found, context) ? schema.then : schema.else;
    if (part !== undefined) check(part, found, path, context);
  },
  maximum: ({ maximum }, found) => typeof found !== 'number' || found <= (maximum ?? found),
  minimum: ({ minimum }, found) => typeof found !== 'number' || found >= (minimum ?? found),
  pattern: ({ pattern }, found) => typeof found !== 'string' || new RegExp(pattern ?? '').test(found),
  minItems: ({ minItems }, found) => !Array.isArray(found) || found.length >= (minItems ?? found.length),
  contains: ({ contains = {} }, found, _, context) =>
    !Array.isArray(found) || found.some((item) => matches(contains, item, context)),
  items({ items = {} }, found, path, context) {
    if (!Array.isArray(found)) return;
    for (const [index, item] of found.entries()) check(items, item, `${path}/${index}`, context);
  },
  required(schema, found, path, context) {
    if (!isObject(found)) return;
    for (const key of schema.required ?? []) {
      if (found[key] === undefined) context.report({ path, found, keyword: 'required', schema, key });
    }
  },
  additionalProperties(schema, found, path, context) {
    const { properties = {}, patternProperties = {}, additionalProperties = {} } = schema;
    if (!isObject(found)) return;
    for (const key in found) {
      if (Object.hasOwn(properties, key) || matchesAny(Object.keys(patternProperties), key)) continue;
      if (additionalProperties === false) {
        context.report({ path, found, keyword: 'additionalProperties', schema, key });
      } else checkMember(additionalProperties, found[key], path, key, context);
    }
  },
  properties({ properties = {} }, found, path, context) {
    if (!isObject(found)) return;
    for (const key in properties) {
      if (found[key] !== undefined) checkMember(properties[key] ?? {}, found[key], path, key, context);
    }
  },
  patternProperties({ patternProperties = {} }, found, path, context) {
    if (!isObject(found)) return;
    for (const [pattern, schema] of Object.entries(patternProperties)) {
      const matching = Object.keys(found).filter((key) => matchesAny([pattern], key));
      for (const key of matching) checkMember(schema, found[key], path, key, context);
    }
  },
};

function matchesAny(patterns: readonly string[], key: string): boolean {
  return patterns.some((pattern) => new RegExp(pattern).test(key));
}

function isOfType(value: unknown, type: JsonType): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isObject(value);
    case 'integer':
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}
