import { describe, expect, test } from 'vitest';
import { lines } from './data/lines.ts';
import { casesOf, titleOf } from './line.ts';
import { startNode } from './node.ts';
import { bundle } from './transport.ts';
import { withoutTest } from './without-test.ts';

describe('the checklist of the specification', () => {
  for (const line of lines) {
    test(titleOf(line), async () => {
      // first-cases.test.ts and other-cases.test.ts run the cases.
      expect(casesOf(line).length + (line.story === undefined ? 0 : 1)).toBeGreaterThan(0);
      if (line.story === undefined) return;
      const node = await startNode(bundle);
      await line.story(node).finally(() => node.stop());
    });
  }
});

test('every line of the checklist has one test or a reason for having none', () => {
  const numbers = [...lines.map(({ line }) => line), ...withoutTest.lines.keys()];
  expect(numbers.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 95 }, (_, index) => index + 1));
});
