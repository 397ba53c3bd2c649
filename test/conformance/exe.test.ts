import { describe } from 'vitest';
import { testCases } from './black-box.ts';
import { exe } from './transport.ts';

describe('win-hcn.exe under Wine', () => {
  describe.skipIf(exe.missing !== undefined)('with the same cases', () => {
    testCases(exe, ({ windows }) => windows !== undefined);
  });
});
