import { expect, test } from 'vitest';
import { collectProblems, InvalidConfig, type Problem } from '../../../src/config/problems.ts';
import { validated } from '../../../src/config/schema-problems.ts';
import type { Validator } from '../../../src/config/schema-validator.ts';

const invalid = (path: string, found: unknown): Problem => ({ kind: 'invalid', path, found, expected: 'x' });

const missing: Problem = { kind: 'missing', path: '/d', expected: 'y' };

test('an invalid value is an error of code 7, and is quoted up to 80 characters', () => {
  const problem = invalid('/a', 'v'.repeat(79));
  expect(new InvalidConfig([problem])).toMatchObject({
    code: 7,
    message: `invalid network configuration: /a is "${'v'.repeat(76)}..., expected x`,
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
