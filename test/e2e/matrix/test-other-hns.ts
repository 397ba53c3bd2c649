import { cellsOn } from './cells-other-hns.ts';
import { runCuts } from './cut.ts';
import { runMatrix } from './matrix.ts';
import { type OtherHns, on as onAll } from './other-hns.ts';
import type { Next, Scenario } from './scenario.ts';
import { adds, dels, dropInDels } from './scenarios.ts';
import { testMatrix } from './test-matrix.ts';
import { isOnOtherHns, isWhole, partsOf, partsOfAdd } from './whole.ts';

const on = (hns: OtherHns, scenarios: readonly Scenario[]): readonly Scenario[] =>
  onAll(
    hns,
    scenarios.filter(({ name }) => isOnOtherHns(name)),
  );

/** Tests every ADD and DEL with calls of its own on another HNS, with every effect. */
export function testOtherHns(file: string, hns: OtherHns): void {
  const title = 'what can become of every call and every run of the IPAM plugin';
  testMatrix({ file, cells: cellsOn(hns), part: 'others', title }, [
    { scenarios: on(hns, adds), run: (scenario) => runMatrix(scenario, partsOfAdd) },
    { scenarios: on(hns, dels), run: (scenario) => runMatrix(scenario, partsOf('DEL', 'GC')) },
    { scenarios: on(hns, dropInDels), run: (scenario) => runMatrix(scenario, partsOf('DEL')) },
  ]);
}

/** Tests them cut off at every moment. Unless the whole matrix runs, with one next command. */
export function testKillsOnOtherHns(file: string, hns: OtherHns): void {
  const title = 'cut off before every call and run, and after every change';
  const nexts = (...others: readonly Next[]) => ['DEL', ...(isWhole ? others : [])] as const;
  testMatrix({ file, cells: cellsOn(hns), part: 'kills', title }, [
    { scenarios: on(hns, adds), run: (scenario) => runCuts(scenario, { nexts: nexts('ADD', 'GC') }) },
    { scenarios: on(hns, dels), run: (scenario) => runCuts(scenario, { nexts: nexts('GC') }) },
    { scenarios: on(hns, dropInDels), run: (scenario) => runCuts(scenario, { nexts: nexts() }) },
  ]);
}
