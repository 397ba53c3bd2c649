import { expect, test } from 'vitest';
import { collectProblems, InvalidConfig, type Problem } from '../../../src/config/problems.ts';
import { nearestOf, schemaProblems } from '../../../src/config/schema-problems.ts';

const invalid = (path: string, found: unknown): Problem => ({ kind: 'invalid', path, found, expected: 'x' });

const missing: Problem = { kind: 'missing', path: '/d', expected: 'y' };

test.each<[problem: Problem, code: number, message: string]>([
  [invalid('/a', 'v'.repeat(78)), 7, `/a is "${'v'.repeat(78)}", expected x`],
  [invalid('/a', 'v'.repeat(79)), 7, `/a is "${'v'.repeat(76)}..., expected x`],
  [invalid('/a', undefined), 7, '/a is undefined, expected x'],
  [{ kind: 'unsupported', path: '/a', found: 8, reason: 'no' }, 2, '/a is 8, which is not supported: no'],
  [{ kind: 'unknown key', path: '/a', found: 8, hint: 'b?' }, 2, '/a is an unknown key (value: 8), b?'],
])('%j is an error of code %i: %s', (problem, code, message) => {
  expect(new InvalidConfig([problem])).toMatchObject({
    code,
    message: `invalid network configuration: ${message}`,
    details: '',
    problems: [problem],
  });
});

test('an invalid pair of CNI_ARGS is code 4, not a problem of the configuration', () => {
  const message = 'CNI_ARGS: IP is "y", expected x';
  expect(new InvalidConfig([invalid('CNI_ARGS: IP', 'y')])).toMatchObject({ code: 4, message });
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

test.each([
  [{ 'x-expected': 'a port', enum: ['a'] }, 'a port'],
  [{ enum: ['a'] }, '"a"'],
  [{ enum: ['a', 1, null] }, '"a", 1 or null'],
  [{ type: 'array', minItems: 1 }, 'a list with at least one item'],
  [{ type: 'string', format: 'ip-address' }, 'an IP address'],
  [{ type: 'string', format: 'prefix' }, 'an IP address or a prefix such as 10.96.0.0/12'],
  [{ type: ['object', 'null'] }, 'an object or null'],
] as const)('the schema %j expects %s', (schema, expected) => {
  const refusal = { path: '/a', found: {}, keyword: 'type', schema };
  expect(schemaProblems([refusal, { ...refusal, schema: {} }], {})).toEqual([
    { kind: 'invalid', path: '/a', found: {}, expected },
  ]);
});

test('the nearest name differs by at most two letters, or a third of a longer name', () => {
  const nearest = (name: string) => nearestOf(name, ['ACLS', 'Mtu', 'ABCDEFGHI']) ?? '';
  const names = ['MTU', 'mtuxy', 'mtuxyz', 'abcdefghixyz', 'abcdefgxyz12'];
  expect(names.map(nearest)).toEqual(['Mtu', 'Mtu', '', 'ABCDEFGHI', '']);
});
