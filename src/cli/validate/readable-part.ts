import { validate } from '../../config/generated/plugin-config-validate.ts';
import type { OpenedConfig } from '../../config/open-config.ts';
import { collectProblems, type Problem } from '../../config/problems.ts';
import { type ConfigKeys, readKeys, withDefaultAction } from '../../config/read-config.ts';
import { schemaProblems } from '../../config/schema-problems.ts';
import type { Refusal } from '../../config/schema-validator.ts';
import { escapeToken, type SourcePaths, sourcePathOf } from '../../config/source-paths.ts';
import { isObject, type JsonObject } from '../../json/members.ts';

/** An invalid configuration, as far as it can be read. */
export interface ReadablePart {
  readonly keys: ConfigKeys;
  /** All problems: those that the schema finds, and those of the values that it accepts. */
  readonly problems: readonly Problem[];
  /** Returns the JSON pointer in the given configuration for one in the read part. */
  readonly pathOf: (path: string) => string;
}

/**
 * Reads an invalid configuration without the values that its schema refuses, so that they do not hide other problems. A refused value
 * of an enumeration is replaced by a valid one, so that an object keeps its required keys.
 */
export function readReadablePart({ json, behavior, pathOf }: OpenedConfig): ReadablePart {
  const complete = withDefaultAction(json, behavior);
  const changes = new Map<string, Change>();
  for (;;) {
    const { config, origins } = changed(complete, changes);
    const refusals: Refusal[] = [];
    if (validate(config, (refusal) => refusals.push(refusal), 'shape')) {
      const inGiven = (path: string) => pathOf(sourcePathOf(origins, path));
      const problems = collectProblems(undefined, inGiven);
      const keys = readKeys(config, config, { behavior, cniArgs: '' }, problems);
      return {
        keys,
        problems: [...problemsOfSchema(complete, pathOf), ...problems.found()],
        pathOf: inGiven,
      };
    }
    for (const refusal of refusals) {
      const { path, change } = changeFor(refusal);
      changes.set(sourcePathOf(origins, path), change);
    }
  }
}

function problemsOfSchema(json: JsonObject, pathOf: (path: string) => string): readonly Problem[] {
  const refusals: Refusal[] = [];
  validate(json, (refusal) => refusals.push(refusal));
  return schemaProblems(refusals, json).map((problem) => ({ ...problem, path: pathOf(problem.path) }));
}

type Change = 'remove' | { readonly replacement: unknown };

/** The change that removes a problem: replace a value of an enumeration, or remove a value, an unknown key, or an object that lacks a key. */
function changeFor({ path, keyword, schema, key = '' }: Refusal): {
  readonly path: string;
  readonly change: Change;
} {
  const member = `${path}/${escapeToken(key)}`;
  switch (keyword) {
    case 'additionalProperties':
      return { path: member, change: 'remove' };
    case 'enum':
      return { path, change: { replacement: schema.enum?.[0] } };
    case 'required': {
      const { enum: [replacement] = [] } = schema.properties?.[key] || {};
      if (replacement === undefined) return { path, change: 'remove' };
      return { path: member, change: { replacement } };
    }
    default:
      return { path, change: 'remove' };
  }
}

/** A configuration after some changes, by JSON pointer, and where the remaining items of its lists come from. */
function changed(
  json: JsonObject,
  changes: ReadonlyMap<string, Change>,
): { readonly config: JsonObject; readonly origins: SourcePaths } {
  const origins = new Map<string, string>();
  const replaced = [...changes].flatMap(([path, change]) => (change === 'remove' ? [] : [path]));
  const replacedIn = Map.groupBy(replaced, (path) => path.slice(0, path.lastIndexOf('/')));
  const changedIn = new Set([...changes.keys()].flatMap(parentsOf));
  const copy = (value: unknown, from: string, to: string): unknown => {
    const change = changes.get(from);
    if (typeof change === 'object') return change.replacement;
    // The schema has a few levels, the configuration up to 1000: too many for the stack.
    if (!changedIn.has(from)) return value;
    if (Array.isArray(value)) {
      const kept = value
        .map((item: unknown, index) => ({ item, path: `${from}/${index}` }))
        .filter(({ path }) => changes.get(path) !== 'remove');
      return kept.map(({ item, path }, index) => {
        origins.set(`${to}/${index}`, path);
        return copy(item, path, `${to}/${index}`);
      });
    }
    return isObject(value) ? copyMembers(value, from, to) : value;
  };
  const copyMembers = (object: JsonObject, from: string, to: string): JsonObject => {
    const added = replacedIn.get(from)?.map((path) => [path.slice(from.length + 1), undefined]) ?? [];
    const members = Object.entries({ ...Object.fromEntries(added), ...object });
    return Object.fromEntries(
      members.flatMap(([key, member]) => {
        const token = `/${escapeToken(key)}`;
        const isRemoved = changes.get(`${from}${token}`) === 'remove';
        return isRemoved ? [] : [[key, copy(member, `${from}${token}`, `${to}${token}`)]];
      }),
    );
  };
  const hidesSubnet = [...changes.keys()].some((path) => /^\/subnets(\/\d+)?$/.test(path));
  // An address in a removed subnet would seem to be in none.
  const { hostEndpoint, ...others } = copyMembers(json, '', '');
  const config = hidesSubnet ? others : { ...others, hostEndpoint };
  return { config, origins };
}

/** The JSON pointers of the values that contain another one: `/acls/0` and `/acls` for `/acls/0/port`. */
function parentsOf(path: string): readonly string[] {
  const tokens = path.split('/').slice(1, -1);
  return tokens.map((_, index) => `/${tokens.slice(0, index + 1).join('/')}`);
}
