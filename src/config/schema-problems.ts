import leven from 'leven';
import { CniError, code } from '../cni/error.ts';
import { isObject } from '../json/members.ts';
import type { Problem, Problems } from './problems.ts';
import type { Refusal, Schema, Validator } from './schema-validator.ts';
import { escapeToken } from './source-paths.ts';

/** Returns JSON that a validator accepts; otherwise throws InvalidConfig. */
export function validated<T>(json: unknown, validate: Validator<T>, problems: Problems): T {
  const refusals: Refusal[] = [];
  if (validate(json, (refusal) => refusals.push(refusal))) return json;
  problems.add(schemaProblems(refusals, json));
  problems.throwIfAny();
  throw new CniError(code.internal, 'the JSON is invalid, and its validator gave no reason');
}

/** Translates the refusals of a validator into problems, one for each JSON pointer. `json` is the whole JSON that it refuses. */
export function schemaProblems(refusals: readonly Refusal[], json: unknown): readonly Problem[] {
  const problems = new Map<string, Problem>();
  for (const refusal of refusals) {
    const problem = translate(refusal, json);
    if (!problems.has(problem.path)) problems.set(problem.path, problem);
  }
  return [...problems.values()];
}

function translate({ path, found, keyword, schema, ...refusal }: Refusal, json: unknown): Problem {
  const { properties = {} } = schema;
  const key = refusal.key ?? '';
  switch (keyword) {
    case 'required':
      return { kind: 'missing', path: `${path}/${key}`, expected: expectation(properties[key] || schema) };
    case 'additionalProperties': {
      const value = isObject(found) ? found[key] : undefined;
      const nearest = nearestOf(key, Object.keys(properties));
      const hint = nearest === undefined ? '' : `did you mean "${nearest}"?`;
      return { kind: 'unknown key', path: `${path}/${escapeToken(key)}`, found: value, hint };
    }
    case 'false schema': {
      const networkType = isObject(json) ? json['networkType'] : undefined;
      return {
        kind: 'invalid',
        path,
        found,
        expected: `none: network type ${networkType} does not support it`,
      };
    }
    default:
      return { kind: 'invalid', path, found, expected: expectation(schema) };
  }
}

/** The formats of strings; the readers in `values.ts` check them. */
const formats: Readonly<Record<string, string>> = {
  'ip-address': 'an IP address',
  prefix: 'an IP address or a prefix such as 10.96.0.0/12',
};

/** Describes the values that a schema accepts. */
function expectation({ 'x-expected': words, enum: values, ...schema }: Schema): string {
  if (words !== undefined) return words;
  if (values !== undefined) {
    const words = values.map((value) => JSON.stringify(value));
    return [words.slice(0, -1).join(', '), ...words.slice(-1)].filter(Boolean).join(' or ');
  }
  const { minimum, maximum, minItems, type, format } = schema;
  if (minimum !== undefined && maximum !== undefined) return `an integer from ${minimum} to ${maximum}`;
  if (minItems !== undefined) return 'a list with at least one item';
  switch (type) {
    case 'array':
      return 'a list';
    case 'object':
      return 'an object';
    case 'boolean':
      return 'true or false';
    case 'string':
      return formats[format ?? ''] ?? 'a string';
    default:
      return 'an object or null';
  }
}

/** The most similar known name, if it differs in case or by a typo: by at most that number of letters. */
export function nearestOf(
  name: string,
  known: readonly string[],
  most = Math.max(2, name.length / 3),
): string | undefined {
  const distances = known.map((candidate) => ({
    candidate,
    distance: leven(name.toLowerCase(), candidate.toLowerCase()),
  }));
  const [best] = distances.sort((a, b) => a.distance - b.distance);
  return best !== undefined && best.distance <= most ? best.candidate : undefined;
}
