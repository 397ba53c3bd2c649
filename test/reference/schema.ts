import { readFileSync } from 'node:fs';

type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** The keywords of a schema that the reference pages show. */
export interface Schema {
  readonly $ref?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly Json[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pattern?: string;
  readonly default?: Json;
  readonly examples?: readonly Json[];
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Rule[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly definitions?: Readonly<Record<string, Schema>>;
}

interface Rule {
  readonly if?: {
    readonly not?: object;
    readonly properties?: {
      readonly networkType?: { readonly enum: readonly string[] };
      readonly Type?: { readonly const?: string };
    };
  };
  readonly then?: Then;
}

interface Then {
  readonly properties?: Readonly<Record<string, Then | false>>;
  readonly items?: Then;
  readonly $ref?: string;
}

/** A key of a configuration, as its schema describes it. */
export interface Key {
  readonly name: string;
  /** The names of the keys that lead to it, without its own. */
  readonly parents: readonly string[];
  readonly schema: Schema;
  readonly isRequired: boolean;
  /** Without the sentence that states the default. */
  readonly description: string;
  /** The default in words, or as JSON. */
  readonly default: string | undefined;
  /** The network types that refuse the key. */
  readonly refusedBy: readonly string[];
  /** The keys of its value or of the items of its value. */
  readonly members: readonly Key[];
}

/** A schema file of `schemas/`. */
export class SchemaFile {
  readonly schema: Schema;

  constructor(name: string) {
    this.schema = JSON.parse(readFileSync(`schemas/${name}.schema.json`, 'utf8'));
  }

  /** The keys of a configuration, in the order of the schema. */
  keys(): readonly Key[] {
    return this.keysOf(this.schema, []);
  }

  keysOf(schema: Schema, parents: readonly string[]): readonly Key[] {
    const { properties = {}, required = [] } = schema;
    return Object.entries(properties).map(([name, member]) => {
      const [description = '', given] = splitDefault(member.description ?? '');
      const path = [...parents, name];
      return {
        name,
        parents,
        schema: member,
        isRequired: required.includes(name),
        description,
        default:
          member.default === undefined || (given !== undefined && !isLiteral(given))
            ? given
            : code(member.default),
        refusedBy: this.refusedBy(path),
        members: this.keysOf(this.objectOf(member), path),
      };
    });
  }

  /** The schema behind a reference in this file. A key's own keywords take precedence. */
  resolve(schema: Schema): Schema {
    const [, name] = /^#\/definitions\/(.*)$/.exec(schema.$ref ?? '') ?? [];
    const { $ref: _, ...own } = schema;
    return name === undefined ? schema : { ...this.schema.definitions?.[name], ...own };
  }

  /** The object that the value is, or that its items are. */
  private objectOf(schema: Schema): Schema {
    const resolved = this.resolve(schema);
    return resolved.items === undefined ? resolved : this.objectOf(resolved.items);
  }

  private refusedBy(path: readonly string[]): readonly string[] {
    return (this.schema.allOf ?? []).flatMap(({ if: condition, then }) => {
      const types = condition?.not === undefined ? condition?.properties?.networkType?.enum : undefined;
      return types !== undefined && then !== undefined && isRefused(then, path) ? types : [];
    });
  }
}

function isRefused(then: Then, [name = '', ...rest]: readonly string[]): boolean {
  const member = (then.items ?? then).properties?.[name];
  if (member === false) return rest.length === 0;
  return member !== undefined && rest.length > 0 && isRefused(member, rest);
}

/** A description ends with its default, if it states one. */
function splitDefault(description: string): readonly string[] {
  const [, rest, given] = /^(.*?) ?\bDefault: (.*)\.$/s.exec(description) ?? [];
  return rest === undefined || given === undefined ? [description] : [rest, given];
}

/** Whether a default in words is a value, which the schema has as `default`. */
export function isLiteral(text: string): boolean {
  return /^(\d+|true|false|None|ifMissing)$/.test(text);
}

/** JSON in one line, with spaces as people write it. */
export function inline(value: Json): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item) => inline(item)).join(', ')}]`;
  const members = Object.entries(value).map(([key, member]) => `"${key}": ${inline(member)}`);
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

export function code(value: Json): string {
  return `\`${inline(value)}\``;
}
