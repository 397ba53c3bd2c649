import { describe, expect, test } from 'vitest';
import { collectProblems, InvalidConfig, type Problem } from '../../../src/config/problems.ts';
import { nearestOf, schemaProblems, validated } from '../../../src/config/schema-problems.ts';
import type { Schema, Validator } from '../../../src/config/schema-validator.ts';

const invalid = (path: string, found: unknown): Problem => ({ kind: 'invalid', path, found, expected: 'x' });
const unsupported: Problem = { kind: 'unsupported', path: '/b', found: 8, reason: 'no' };
const unknownKey = (hint: string): Problem => ({ kind: 'unknown key', path: '/c', found: [1], hint });
const missing: Problem = { kind: 'missing', path: '/d', expected: 'y' };

test.each<[Problem, number, string]>([
  [invalid('/a', 'v'), 7, '/a is "v", expected x'],
  [invalid('/a', undefined), 7, '/a is undefined, expected x'],
  [invalid('/a', 'v'.repeat(78)), 7, `/a is "${'v'.repeat(78)}", expected x`],
  [invalid('/a', 'v'.repeat(79)), 7, `/a is "${'v'.repeat(76)}..., expected x`],
  [missing, 7, '/d is missing, expected y'],
  [unsupported, 2, '/b is 8, which is not supported: no'],
  [unknownKey(''), 2, '/c is an unknown key (value: [1])'],
  [unknownKey('did you mean "e"?'), 2, '/c is an unknown key (value: [1]), did you mean "e"?'],
])('%j is an error of code %d: %s', (problem, code, text) => {
  expect(new InvalidConfig([problem])).toMatchObject({
    code,
    message: `invalid network configuration: ${text}`,
    details: '',
    problems: [problem],
  });
});

test('several problems are one error, whose log text quotes nothing', () => {
  const problems = collectProblems('load balancer', (path) => `/given${path}`);
  expect(() => problems.throwIfAny()).not.toThrow();
  problems.add([missing]);
  problems.invalid('/a', 'secret', 'x');
  problems.unsupported('/b', 8, 'no');
  expect(() => problems.throwIfAny()).toThrow(
    expect.objectContaining({
      code: 7,
      message: 'invalid load balancer: /given/d is missing, expected y',
      details: '/given/a is "secret", expected x; /given/b is 8, which is not supported: no',
      unquoted: 'invalid load balancer: /given/d (missing), /given/a (invalid), /given/b (unsupported)',
    }),
  );
});

test('JSON that a validator refuses without a reason is an internal error', () => {
  const refuses: Validator<string> = (_json): _json is string => false;
  expect(() => validated('x', refuses, collectProblems())).toThrow(
    expect.objectContaining({
      code: 999,
      message: 'the JSON is invalid, and its validator gave no reason',
    }),
  );
  const accepts: Validator<string> = (_json): _json is string => true;
  expect(validated('x', accepts, collectProblems())).toBe('x');
});

describe('the problem of a refused value says what its schema accepts', () => {
  const problemOf = (schema: Schema, found: unknown, keyword = 'type') =>
    schemaProblems([{ path: '/a', found, keyword, schema }], {}).map((problem) =>
      problem.kind === 'invalid' ? problem.expected : problem,
    );

  test.each<[Schema, string]>([
    [{ 'x-expected': 'a word', enum: ['a'] }, 'a word'],
    [{ enum: ['a'] }, '"a"'],
    [{ enum: ['a', 7] }, '"a" or 7'],
    [{ enum: ['a', 'b', null] }, '"a", "b" or null'],
    [{ minimum: 1, maximum: 9, type: 'integer' }, 'an integer from 1 to 9'],
    [{ minimum: 1, type: 'array' }, 'a list'],
    [{ maximum: 9, type: 'array' }, 'a list'],
    [{ minItems: 1, type: 'array' }, 'a list with at least one item'],
    [{ type: 'array' }, 'a list'],
    [{ type: 'object' }, 'an object'],
    [{ type: 'boolean' }, 'true or false'],
    [{ type: 'string' }, 'a string'],
    [{ type: 'string', format: 'other' }, 'a string'],
    [{ type: 'string', format: 'ip-address' }, 'an IP address'],
    [{ type: 'string', format: 'prefix' }, 'an IP address or a prefix such as 10.96.0.0/12'],
    [{ type: ['object', 'null'] }, 'an object or null'],
  ])('%j: %s', (schema, expected) => {
    expect(problemOf(schema, null)).toEqual([expected]);
  });

  const range: Schema = { type: 'integer', minimum: 1, maximum: 9 };

  test.each<[Schema, string]>([
    [range, '1'],
    [range, '9'],
    [{ type: 'integer' }, '0'],
    [{ type: 'integer', minimum: 1 }, '10'],
    [{ type: 'integer', maximum: 9 }, '0'],
    [{ type: 'boolean' }, 'true'],
    [{ type: 'boolean' }, 'false'],
  ])('%j: to remove the quotes of %j', (schema, found) => {
    expect(problemOf(schema, found)).toEqual([expect.stringMatching(/: remove the quotes$/)]);
  });

  test.each<[Schema, unknown]>([
    [range, '0'],
    [range, '10'],
    [range, '05'],
    [range, ' 5'],
    [range, '5x'],
    [range, '5.0'],
    [range, ''],
    [range, 10],
    [{ type: 'boolean' }, 'True'],
    [{ type: 'string' }, '5'],
    [{ type: 'array' }, 'true'],
  ])('%j: not to remove the quotes of %j', (schema, found) => {
    expect(problemOf(schema, found)).toEqual([expect.not.stringMatching(/quotes/)]);
  });

  test('or that the network type does not support the key', () => {
    const refusal = { path: '/a', found: 7, keyword: 'false schema', schema: {} };
    expect(schemaProblems([refusal], { networkType: 'NAT' })).toEqual([
      {
        kind: 'invalid',
        path: '/a',
        found: 7,
        expected: 'none: network type NAT does not support it',
      },
    ]);
  });

  test('or which key is missing, by its own schema or else by that of the object', () => {
    const properties = { a: { type: 'boolean' } } as const;
    const refusalOf = (key: string) => ({
      path: '',
      found: {},
      keyword: 'required',
      schema: { properties, 'x-expected': 'the whole' },
      key,
    });
    expect(schemaProblems([refusalOf('a'), refusalOf('a'), refusalOf('b')], {})).toEqual([
      { kind: 'missing', path: '/a', expected: 'true or false' },
      { kind: 'missing', path: '/b', expected: 'the whole' },
    ]);
  });
});

describe('the hint for an unknown key', () => {
  const hintFor = (key: string, known: readonly string[]) => {
    const properties = Object.fromEntries(known.map((name) => [name, {}]));
    const refusal = {
      path: '',
      found: { [key]: 1 },
      keyword: 'additionalProperties',
      schema: { properties },
      key,
    };
    return schemaProblems([refusal], {});
  };
  const capability = (name: string) =>
    `set capabilities.${name} to true instead: the runtime then passes the values`;

  test.each([
    ['portMappings', capability('portMappings')],
    ['PORTMAPPINGS', capability('portMappings')],
    ['bandwidth', capability('bandwidth')],
    ['ips', capability('ips')],
    ['Mac', capability('mac')],
    ['ip', 'did you mean "ipam"?'],
    ['colour', ''],
  ])('%s at the top is %j', (key, hint) => {
    expect(hintFor(key, ['capabilities', 'ipam', 'macPool'])).toEqual([
      { kind: 'unknown key', path: `/${key}`, found: 1, hint },
    ]);
  });

  test('elsewhere is the nearest key', () => {
    expect(hintFor('a/b', ['ab', 'xyz'])).toEqual([
      { kind: 'unknown key', path: '/a~1b', found: 1, hint: 'did you mean "ab"?' },
    ]);
    expect(hintFor('mac', ['macs'])).toMatchObject([{ hint: 'did you mean "macs"?' }]);
  });
});

test.each([
  ['abc', 'axy', 'axy'],
  ['abc', 'xyz', undefined],
  ['abcdef', 'abcdxy', 'abcdxy'],
  ['abcdefgh', 'abcdexyz', undefined],
  ['abcdefghi', 'abcdefxyz', 'abcdefxyz'],
  ['abcdefghi', 'abcdewxyz', undefined],
  ['ABC', 'abc', 'abc'],
  ['abc', 'ABC', 'ABC'],
])('of %s the name %s is a typo: %j', (name, candidate, expected) => {
  expect(nearestOf(name, ['other', candidate, 'another'])).toBe(expected);
});

test('a name is a typo of the nearest one, within a given distance', () => {
  expect(nearestOf('abcd', ['abxx', 'abcx', 'xbcd'])).toBe('abcx');
  expect(nearestOf('abcd', ['abcx'], 0)).toBeUndefined();
  expect(nearestOf('abcd', [])).toBeUndefined();
});
