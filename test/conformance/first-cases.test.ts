import { describe, expect, test } from 'vitest';
import { testCases } from './black-box.ts';
import { cases } from './data/cases.ts';
import { bundle } from './transport.ts';
import { withoutTest } from './without-test.ts';

describe('the bundle', () => {
  const first = cases.filter(({ number }) => number <= 75);
  testCases(first, bundle, ({ windows }) => windows !== 'only');
});

test('every black-box case has a test or a reason for having none', () => {
  const numbers = [...new Set(cases.map(({ number }) => number)), ...withoutTest.keys()];
  expect(numbers.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 150 }, (_, index) => index + 1));
});
