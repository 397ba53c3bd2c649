import { describe } from 'vitest';
import { testCases } from './black-box.ts';
import { areas } from './data/cases.ts';
import { bundle } from './transport.ts';

describe('the bundle', () => {
  const others = areas.slice(5).flatMap(({ cases }) => cases);
  testCases(others, bundle, ({ windows }) => windows !== 'only');
});
