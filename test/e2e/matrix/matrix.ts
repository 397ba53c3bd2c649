import { type Findings, findings } from './aftermath.ts';
import { newBench } from './bench.ts';
import { type Cell, type Place, runCell } from './cell.ts';
import type { Effect } from './effects.ts';
import { request } from './request.ts';
import type { Next, Scenario } from './scenario.ts';

/** What a part of the matrix found. */
export interface Report extends Findings {
  readonly cells: number;
}

/** Effects that a scenario meets, and what can come next after each of them. */
export interface Part {
  readonly effects: readonly Effect[];
  readonly nexts: readonly Next[];
}

/** Runs a scenario once for each effect, each of its calls or runs that can meet it, and each thing that can come next. */
export async function runMatrix(scenario: Scenario, parts: readonly Part[]): Promise<Report> {
  const places = await placesOf(scenario);
  const cells = parts.flatMap((part) => cellsOf(scenario, places, part));
  const all: Findings[] = [];
  let bench = await newBench(scenario);
  for (const cell of cells) {
    const found = named(cell, await runCell(bench, cell));
    all.push(found);
    if (found.leaks.length + found.surprises.length === 0) continue;
    await bench.node.stop();
    bench = await newBench(scenario);
  }
  await bench.node.stop();
  return { cells: cells.length, ...findings(...all) };
}

function named({ scenario, effect, place, next }: Cell, { leaks, surprises }: Findings): Findings {
  const name = `${scenario.name}, ${place.ordinal}: ${place.name} ${effect.name}, then ${next}`;
  const prefixed = (line: string): string => `${name}: ${line}`;
  return { leaks: leaks.map(prefixed), surprises: surprises.map(prefixed) };
}

interface Places {
  readonly calls: readonly Place[];
  readonly runs: readonly Place[];
}

function cellsOf(scenario: Scenario, { calls, runs }: Places, { effects, nexts }: Part): readonly Cell[] {
  return effects.flatMap((effect) => {
    const places = (effect.ipam === undefined ? calls : runs).filter((place) => canEndSo(place, effect));
    return places.flatMap((place) => nexts.map((next) => ({ scenario, effect, place, next })));
  });
}

function canEndSo({ name, succeeds }: Place, { only }: Effect): boolean {
  if (only === 'those that answer a document') return /Enumerate|Query|HNSCall/.test(name);
  return only === undefined || (succeeds && name !== 'HNSCall');
}

/** What the command does when nothing goes wrong. */
export async function placesOf(scenario: Scenario): Promise<Places> {
  const { node, call } = await newBench(scenario);
  const prevResult = (await scenario.attach?.(node, call))?.json;
  const before = { runs: node.ipam.runs.length, calls: node.hns.calls.length };
  const answer = await node.cni(scenario.command, request(call, scenario.command, prevResult));
  const calls = node.hns.calls
    .slice(before.calls)
    .map(({ function: name, hresult }, index) => ({ ordinal: index + 1, name, succeeds: hresult === 0 }));
  const runs = node.ipam.runs
    .slice(before.runs)
    .map((run, index) => ({ ordinal: index + 1, name: `IPAM ${run.command}`, succeeds: true }));
  await node.stop();
  const isAsSaid = calls.length === scenario.calls && runs.length === scenario.runs;
  if (answer.exitCode === 0 && isAsSaid) return { calls, runs };
  throw new Error(`${scenario.name} made ${calls.length} calls and ${runs.length} runs: ${answer.stdout}`);
}
