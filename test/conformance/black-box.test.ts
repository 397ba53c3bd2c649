import { afterEach, describe, expect, test } from 'vitest';
import { type CaseTest, testsOf } from './case.ts';
import { cases } from './data/cases.ts';
import { type Node, startNode } from './node.ts';
import { bundle, exe, type Transport } from './transport.ts';
import { withoutTest } from './without-test.ts';

const tests = cases.flatMap(testsOf);

describe('the bundle', () => {
  define(
    bundle,
    tests.filter(({ windows }) => windows !== 'only'),
  );
});

describe('win-hcn.exe under Wine', () => {
  describe.skipIf(exe.missing !== undefined)('with the same cases', () => {
    define(
      exe,
      tests.filter(({ windows }) => windows !== undefined),
    );
  });
});

/** One test for each row of a case, on a node of its own. */
function define(transport: Transport, tests: readonly CaseTest[]): void {
  let node: Node | undefined;
  afterEach(() => node?.stop());
  const defineOne = (name: string, { run, hns }: CaseTest) =>
    test(name, async () => {
      node = await startNode(transport, hns);
      await run(node);
    });
  for (const [title, group] of Map.groupBy(tests, (one) => one.title)) {
    const [first] = group;
    if (first?.what === undefined) for (const one of group) defineOne(title, one);
    else
      describe(title, () =>
        group.forEach((one) => {
          defineOne(one.what ?? '', one);
        }),
      );
  }
}

test('every black-box case has a test or a reason for having none', () => {
  const numbers = [...new Set(cases.map(({ number }) => number)), ...withoutTest.cases.keys()];
  expect(numbers.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 150 }, (_, index) => index + 1));
});
