import { describe, expect, test } from 'vitest';
import { lines } from './data/lines.ts';
import { proofsOf, titleOf } from './line.ts';
import { startNode } from './node.ts';
import { bundle } from './transport.ts';
import { withoutTest } from './without-test.ts';

describe('the checklist of the specification', () => {
  for (const line of lines) {
    test(titleOf(line), async () => {
      const proofs = proofsOf(line);
      expect(proofs).not.toEqual([]);
      for (const { run, hns } of proofs) {
        const node = await startNode(bundle, hns);
        await run(node).finally(() => node.stop());
      }
    });
  }
});

test('every line of the checklist has one test or a reason for having none', () => {
  const numbers = [...lines.map(({ line }) => line), ...withoutTest.lines.keys()];
  expect(numbers.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 95 }, (_, index) => index + 1));
});
