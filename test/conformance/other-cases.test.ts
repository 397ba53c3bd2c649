import { describe } from 'vitest';
import { testCases } from './black-box.ts';
import { cases } from './data/cases.ts';
import { bundle } from './transport.ts';

describe('the bundle', () => {
  const others = cases.filter(({ number }) => number > 75);
  testCases(others, bundle, ({ windows }) => windows !== 'only');
});
