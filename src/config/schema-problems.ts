import type { ErrorObject, ValidateFunction } from 'ajv';
import leven from 'leven';
import { CniError, code } from '../cni/error.ts';
import { isObject } from '../json/members.ts';
import type { Problem, Problems } from './problems.ts';

/** Returns JSON that a validator accepts; otherwise throws InvalidConfig. `subject` names the JSON in an internal error. */
export function validated<T>(
  json: unknown,
  validate: ValidateFunction<T>,
  problems: Problems,
  subject: string,
): T {
  if (validate(json)) return json;
  problems.add(schemaProblems(validate.errors ?? []));
  problems.throwIfAny();
  throw new CniError(code.internal, `the ${subject} is invalid, and its validator gave no reason`);
}

/** Translates the errors of a validator (ajv, `verbose`) into problems, one for each JSON pointer. */
export function schemaProblems(errors: readonly ErrorObject[]): readonly Problem[] {
  const branch = /\/anyOf\/\d/;
  const problems = new Map<string, Problem>();
  for (const error of errors) {
    const problem = branch.test(error.schemaPath) ? undefined : translate(error);
    if (problem !== undefined && !problems.has(problem.path)) problems.set(problem.path, problem);
  }
  return [...problems.values()];
}

function translate(error: ErrorObject): Problem | undefined {
  const path = error.instancePath;
  switch (error.keyword) {
    case 'if':
      return undefined;
    case 'required': {
      const key = String(error.params['missingProperty']);
      const schema = error.parentSchema?.['properties']?.[key] ?? error.parentSchema ?? {};
      return { kind: 'missing', path: `${path}/${key}`, expected: expectation(schema) };
    }
    case 'additionalProperties': {
      const key = String(error.params['additionalProperty']);
      const found = isObject(error.data) ? error.data[key] : undefined;
      const known = Object.keys(error.parentSchema?.['properties'] ?? {});
      return { kind: 'unknown key', path: `${path}/${key}`, found, nearest: nearestOf(key, known) };
    }
    case 'false schema':
      return { kind: 'invalid', path, found: error.data, expected: 'no value with this networkType' };
    default:
      return { kind: 'invalid', path, found: error.data, expected: expectation(error.parentSchema ?? {}) };
  }
}

/** The formats of strings; the readers in `values.ts` check them. */
const formats: Readonly<Record<string, string>> = {
  'ip-address': 'an IP address',
  prefix: 'an IP address or a prefix such as 10.96.0.0/12',
};

/** Describes the values that a schema accepts. */
function expectation(schema: Readonly<Record<string, unknown>>): string {
  const words = schema['x-expected'];
  if (typeof words === 'string') return words;
  const values = schema['enum'];
  if (Array.isArray(values)) return oneOf(values.map((value) => JSON.stringify(value)));
  const { minimum, maximum, minItems, format } = schema;
  if (minimum !== undefined && maximum !== undefined) return `an integer from ${minimum} to ${maximum}`;
  if (minItems !== undefined) return 'a list with at least one item';
  switch (schema['type']) {
    case 'array':
      return 'a list';
    case 'object':
      return 'an object';
    case 'boolean':
      return 'true or false';
    case 'string':
      return (typeof format === 'string' && formats[format]) || 'a string';
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
