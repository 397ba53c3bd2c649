import leven from 'leven';
import { CniError, code } from '../cni/error.ts';
import { isObject } from '../json/members.ts';
import type { Problem, Problems } from './problems.ts';
import type { Refusal, Schema, Validator } from './schema-validator.ts';

/** Returns JSON that a validator accepts; otherwise throws InvalidConfig. `subject` names the JSON in an internal error. */
export function validated<T>(json: unknown, validate: Validator<T>, problems: Problems, subject: string): T {
  const refusals: Refusal[] = [];
  if (validate(json, (refusal) => refusals.push(refusal))) return json;
  problems.add(schemaProblems(refusals));
  problems.throwIfAny();
  throw new CniError(code.internal, `the ${subject} is invalid, and its validator gave no reason`);
}

/** Translates the refusals of a validator into problems, one for each JSON pointer. */
export function schemaProblems(refusals: readonly Refusal[]): readonly Problem[] {
  const problems = new Map<string, Problem>();
  for (const refusal of refusals) {
    const problem = translate(refusal);
    if (!problems.has(problem.path)) problems.set(problem.path, problem);
  }
  return [...problems.values()];
}

function translate({ path, found, keyword, schema, key = '' }: Refusal): Problem {
  const { properties = {} } = schema;
  switch (keyword) {
    case 'required':
      return { kind: 'missing', path: `${path}/${key}`, expected: expectation(properties[key] || schema) };
    case 'additionalProperties': {
      const value = isObject(found) ? found[key] : undefined;
      const nearest = nearestOf(key, Object.keys(properties));
      return { kind: 'unknown key', path: `${path}/${key}`, found: value, nearest };
    }
    case 'false schema':
      return { kind: 'invalid', path, found, expected: 'no value with this networkType' };
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
  if (values !== undefined) return oneOf(values.map((value) => JSON.stringify(value)));
  const { minimum, maximum, minItems, type, format = '' } = schema;
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
      return formats[format] ?? 'a string';
    default:
      return 'an object or null';
  }
}

function oneOf(words: readonly string[]): string {
  return [words.slice(0, -1).join(', '), ...words.slice(-1)].filter(Boolean).join(' or ');
}

/** The most similar known key, if it differs by a typo or in case. */
function nearestOf(key: string, known: readonly string[]): string | undefined {
  const distances = known.map((candidate) => ({
    candidate,
    distance: leven(key.toLowerCase(), candidate.toLowerCase()),
  }));
  const [best] = distances.sort((a, b) => a.distance - b.distance);
  return best !== undefined && best.distance <= Math.max(2, key.length / 3) ? best.candidate : undefined;
}
