import { addAndDelete, type Findings, findings } from './aftermath.ts';
import { type Bench, newBench } from './bench.ts';
import { type Cell, runCell } from './cell.ts';
import type { Effect } from './effects.ts';
import { type Place, placesOf } from './places.ts';
import type { Next, Scenario } from './scenario.ts';

/** The findings of one part of the matrix. */
export interface Report extends Findings {
  readonly cells: number;
}

/** Effects on a scenario, and the possible next commands. */
export interface Part {
  readonly effects: readonly Effect[];
  readonly nexts: readonly Next[];
  /** The places. Default: all. */
  readonly at?: (place: Place) => boolean;
}

/** Runs a scenario for each combination of effect, call or run, and next command. */
export async function runMatrix(scenario: Scenario, parts: readonly Part[]): Promise<Report> {
  const places = await placesOf(scenario);
  const cells = parts.flatMap((part) => cellsOf(scenario, places, part));
  const found: Findings[] = [];
  for (const [of, group] of Map.groupBy(cells, ({ effect }) => effect.of)) {
    found.push(...(await runCells(() => newBench(scenario, of), group)));
  }
  return { cells: cells.length, ...findings(...found) };
}

/** Runs cells on one bench, and on a new one after findings. At the end, the bench must still be usable. */
async function runCells(open: () => Promise<Bench>, cells: readonly Cell[]): Promise<readonly Findings[]> {
  const all: Findings[] = [];
  let bench = await open();
  for (const cell of cells) {
    const found = named(cell, await runCell(bench, cell));
    all.push(found);
    if (found.leaks.length + found.surprises.length === 0) continue;
    await bench.node.stop();
    bench = await open();
  }
  all.push({ leaks: [], surprises: await addAndDelete(bench) });
  await bench.node.stop();
  return all;
}

function named({ scenario, effect, place, next }: Cell, { leaks, surprises }: Findings): Findings {
  const name = `${scenario.name}, ${place.ordinal}: ${place.name} ${effect.name}, then ${next}`;
  const prefixed = (line: string): string => `${name}: ${line}`;
  return { leaks: leaks.map(prefixed), surprises: surprises.map(prefixed) };
}

function cellsOf(scenario: Scenario, all: readonly Place[], { effects, nexts, at }: Part): readonly Cell[] {
  return effects.flatMap((effect) => {
    const places = all.filter((place) => canEndSo(place, effect) && (at?.(place) ?? true));
    return places.flatMap((place) => nexts.map((next) => ({ scenario, effect, place, next })));
  });
}

function canEndSo({ of, name, hresult }: Place, { of: which, only }: Effect): boolean {
  if (of !== which) return false;
  if (only === 'calls that return a document') return /Enumerate|Query|HNSCall/.test(name);
  return only === undefined || (hresult === 0 && name !== 'HNSCall');
}
