import { describe } from 'vitest';
import { testCases } from '../conformance/black-box.ts';
import { cases } from '../conformance/data/cases.ts';
import { exe } from '../conformance/transport.ts';

describe('win-hcn.exe under Wine', () => {
  describe.skipIf(exe.missing !== undefined)('with the same cases', () => {
    testCases(cases, exe, ({ windows }) => windows !== undefined);
  });
});
