import type { Fault } from '../../simulator/faults.ts';
import type { Call } from '../node.ts';
import { addAndDelete, cleanUp, type Findings, findings } from './aftermath.ts';
import { type Bench, newBench } from './bench.ts';
import { ofNetwork } from './found.ts';
import type { Report } from './matrix.ts';
import { hangsByItself, isChange, type Place, placesOf } from './places.ts';
import { request } from './request.ts';
import type { Next, Scenario } from './scenario.ts';
import { differences, type Snapshot, snapshot } from './snapshot.ts';

/** When the running call takes effect. "Afterwards": HNS completes the call of a dead client. */
const whens = {
  before: { hang: true },
  after: { hold: 'after' },
  'with effect afterwards': { hold: 'before' },
} as const satisfies Readonly<Record<string, Fault['effect']>>;
type When = keyof typeof whens;

export interface Kill {
  readonly place: Place;
  readonly when: When;
  readonly next: Next;
  /** Earlier calls that a variant makes hang. */
  readonly hangs: readonly Place[];
}

/** Runs a command that ends at a moment, lets HNS or the IPAM plugin finish, and returns what it printed or did wrong. */
type RunKilled = (bench: Bench, kill: Kill, call: Call) => Promise<readonly string[]>;

/** What is killed, and when. */
export interface Plan {
  /** The next commands. After a change, each is tried; after a query, which changes nothing, they alternate. */
  readonly nexts: readonly [Next, ...Next[]];
  /** Default: before each call and IPAM run, after each change, and before a change that HNS completes nevertheless. */
  readonly whensOf?: (place: Place) => readonly When[];
}

/** Runs a scenario that ends at each moment of a plan, until one of them has findings. */
export async function runEach(
  scenario: Scenario,
  { nexts, whensOf = everyWhen }: Plan,
  how: string,
  runKilled: RunKilled,
): Promise<Report> {
  const places = await placesOf(scenario);
  const kills = places.flatMap((place, index) =>
    whensOf(place).flatMap((when) => {
      const goesRound = nexts[index % nexts.length] ?? nexts[0];
      const hangs = places.slice(0, index).filter(hangsByItself);
      return (isChange(place) ? nexts : [goesRound]).map((next): Kill => ({ place, when, next, hangs }));
    }),
  );
  const benches = new Map<Place['of'], Promise<Bench>>();
  const all: Findings[] = [];
  for (const kill of kills) {
    const { of } = kill.place;
    const opened = benches.get(of) ?? newBench(scenario, of);
    benches.set(of, opened);
    const bench = await opened;
    const { leaks, surprises } = await runKill(bench, scenario, kill, runKilled);
    const name = `${scenario.name}, ${how} ${kill.when} ${kill.place.ordinal}: ${kill.place.name}, then ${kill.next}`;
    const prefixed = (line: string): string => `${name}: ${line}`;
    all.push({ leaks: leaks.map(prefixed), surprises: surprises.map(prefixed) });
    if (leaks.length + surprises.length > 0) break;
  }
  const cells = all.length;
  for (const opened of benches.values()) {
    const bench = await opened;
    all.push({ leaks: [], surprises: await addAndDelete(bench) });
    await bench.node.stop();
  }
  return { cells, ...findings(...all) };
}

/** Returns the moments after each change of HNS. */
export function afterChanges(place: Place): readonly When[] {
  return isChange(place) && place.of === 'HCN' ? ['after'] : [];
}

/** After a query means before the next call. An IPAM plugin that outlives win-hcn finishes its work before or after the kill. */
function everyWhen(place: Place): readonly When[] {
  const isOfHns = place.of !== 'IPAM plugin';
  if (!isChange(place)) return ['before'];
  return isOfHns ? ['before', 'after', 'with effect afterwards'] : ['before', 'after'];
}

async function runKill(
  bench: Bench,
  scenario: Scenario,
  kill: Kill,
  runKilled: RunKilled,
): Promise<Findings> {
  const prevResult = (await scenario.attach?.(bench))?.json;
  const before = snapshot(bench.node);
  const surprises = await runKilled(bench, kill, request(bench, scenario.command, prevResult));
  const found = { leaks: othersChanged(bench, scenario, before), surprises };
  return findings(found, await cleanUp(bench, scenario, { next: kill.next }));
}

/** Resolves when the call at the place stands, after those that stand by themselves. */
export async function standingAt(
  { hns }: Bench['node'],
  { place: { name, nth: ordinal }, when, hangs }: Kill,
): Promise<void> {
  let standing = hns.nextStanding();
  hns.inject({ function: name, ordinal, effect: whens[when] });
  for (const _ of hangs) {
    await standing;
    standing = hns.nextStanding();
  }
  await standing;
}

/** Returns the objects that an unfinished command changed and that are not its attachment's. */
function othersChanged({ node, own }: Bench, scenario: Scenario, before: Snapshot): readonly string[] {
  const changed = differences(before, snapshot(node, ofNetwork(scenario)));
  const isReadOnly = scenario.command === 'CHECK' || scenario.command === 'STATUS';
  return changed.filter((line) => isReadOnly || !own.some((key) => line.startsWith(key)));
}
