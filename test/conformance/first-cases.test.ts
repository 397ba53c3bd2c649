import { describe } from 'vitest';
import { testCases } from './black-box.ts';
import { areas } from './data/cases.ts';
import { bundle } from './transport.ts';

describe('the bundle', () => {
  const first = areas.slice(0, 5).flatMap(({ cases }) => cases);
  testCases(first, bundle, ({ windows }) => windows !== 'only');
});
