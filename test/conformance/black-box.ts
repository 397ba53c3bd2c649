import { afterEach, describe, test } from 'vitest';
import { type Case, type CaseTest, testsOf } from './case.ts';
import { type Node, startNode } from './node.ts';
import type { Transport } from './transport.ts';

/** Defines one test for each row of the cases that `selects` selects, on a node of its own. */
export function testCases(
  cases: readonly Case[],
  transport: Transport,
  selects: (one: CaseTest) => boolean,
): void {
  let node: Node | undefined;
  afterEach(() => node?.stop());
  const define = (name: string, { run, hns }: CaseTest) =>
    test(name, async () => {
      node = await startNode(transport, hns);
      await run(node);
    });
  const tests = cases.flatMap(testsOf).filter(selects);
  for (const [title, group] of Map.groupBy(tests, (one) => one.title)) {
    const [first] = group;
    if (first?.what === undefined) for (const one of group) define(title, one);
    else
      describe(title, () =>
        group.forEach((one) => {
          define(one.what ?? '', one);
        }),
      );
  }
}
