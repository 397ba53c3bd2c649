import { addAndDelete } from './aftermath.ts';
import { type Bench, newBench } from './bench.ts';
import { type Cell, runCell } from './cell.ts';
import type { Effect } from './effects.ts';
import { type Place, placesOf } from './places.ts';
import { nextsOf, type Scenario } from './scenario.ts';

/** What a part of the matrix found: one line for each object left over or lost, and for each wrong response. */
export interface Report {
  readonly cells: number;
  readonly findings: readonly string[];
}

/** Which effects apply to which calls and runs. */
export interface Part {
  /** win-hcn treats the effects of a group alike. */
  readonly groups: readonly (readonly Effect[])[];
  /**
   * `all`: each effect on each call, before each next command. `rotated`: each call meets one effect of each group, before one next
   * command, in turn.
   */
  readonly cells: 'all' | 'rotated';
  /** Default: all calls and runs. */
  readonly at?: (place: Place) => boolean;
}

/** Runs a scenario with the effects of a part, on one node for each kind of call, and on a new one after findings. */
export async function runMatrix(scenario: Scenario, part: Part): Promise<Report> {
  const cells = cellsOf(scenario, await placesOf(scenario), part);
  const findings: string[] = [];
  for (const [of, group] of Map.groupBy(cells, ({ effect }) => effect.of)) {
    const open = () => newBench(scenario, of);
    findings.push(...(await runCells(open, group)));
  }
  return { cells: cells.length, findings };
}

/** At the end, the node must still be usable. */
async function runCells(open: () => Promise<Bench>, cells: readonly Cell[]): Promise<readonly string[]> {
  const all: string[] = [];
  let bench = await open();
  for (const cell of cells) {
    const { scenario, effect, place, next } = cell;
    const name = `${scenario.name}, ${place.ordinal}: ${place.name} ${effect.name}, then ${next}`;
    const found = await runCell(bench, cell);
    all.push(...found.map((line) => `${name}: ${line}`));
    if (found.length === 0) continue;
    await bench.node.stop();
    bench = await open();
  }
  all.push(...(await addAndDelete(bench)));
  await bench.node.stop();
  return all;
}

function cellsOf(scenario: Scenario, all: readonly Place[], { groups, cells, at }: Part): readonly Cell[] {
  const nexts = nextsOf(scenario);
  const places = all.filter((place) => at?.(place) ?? true);
  return groups.flatMap((group, row) =>
    places.flatMap((place, column): readonly Cell[] => {
      const effects = group.filter((effect) => canApply(effect, place));
      const every = effects.flatMap((effect) =>
        nexts.map((next): Cell => ({ scenario, effect, place, next })),
      );
      if (cells === 'all' || every.length === 0) return every;
      return every.slice((row + column) % every.length).slice(0, 1);
    }),
  );
}

function canApply({ of: which, only }: Effect, { of, name, hresult }: Place): boolean {
  if (of !== which) return false;
  if (only === 'calls that return a document') return /Enumerate|Query|HNSCall/.test(name);
  return only === undefined || (hresult === 0 && name !== 'HNSCall');
}
