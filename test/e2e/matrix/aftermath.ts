import type { Bench } from './bench.ts';
import { ofNetwork } from './found.ts';
import { runNextCommands, succeed } from './next-commands.ts';
import { restore } from './restore.ts';
import type { Next, Scenario } from './scenario.ts';
import { differences, snapshot } from './snapshot.ts';

export interface Aftermath {
  readonly next: Next;
  /** Late effects in HNS that only GC can find. */
  readonly lateEffect?: () => Promise<void>;
}

/**
 * Continues as the runtime does. Then only the network and its host endpoint may be left (docs/decisions/networks.md), a new ADD and DEL
 * succeed, and the bench is unchanged. They are run if anything is left: that they succeed otherwise is tested once per bench. Returns the
 * objects left over or lost, and wrong answers, one line each.
 */
export async function cleanUp(
  bench: Bench,
  scenario: Scenario,
  { next, lateEffect }: Aftermath,
): Promise<readonly string[]> {
  const { node, clean } = bench;
  const found = [...(await runNextCommands(bench, next))];
  if (lateEffect !== undefined) {
    await lateEffect();
    found.push(...(await succeed(bench, 'GC')));
  }
  const left = [...differences(clean, snapshot(node, ofNetwork(scenario))), ...twice(bench)];
  if (differences(clean, snapshot(node)).length > 0) found.push(...(await addAndDelete(bench)));
  found.push(...interruptions(bench));
  await restore(bench, scenario);
  node.hns.takeInterruptions();
  return [...found, ...(left.length > 0 ? left : differences(clean, snapshot(node)))];
}

/** A command and its retries interrupt the adapter at most once: they create one network on it, and delete none. */
function interruptions({ node }: Bench): readonly string[] {
  const { creations, deletions } = node.hns.takeInterruptions();
  return creations > 1 || deletions > 0
    ? [`created ${creations} networks on an adapter and deleted ${deletions}`]
    : [];
}

/** Returns what a new ADD and DEL failed to do. */
export async function addAndDelete(bench: Bench): Promise<readonly string[]> {
  return [...(await succeed(bench, 'ADD')), ...(await succeed(bench, 'DEL'))];
}

/** No two objects have the same name. HNS would accept two endpoints of one name. */
function twice({ node }: Bench): readonly string[] {
  const { networks, endpoints } = node.hns.dump();
  return Object.entries({ networks, endpoints }).flatMap(([kind, documents]) => {
    const names = documents.map(({ Name }) => String(Name));
    return names
      .filter((name, index) => names.indexOf(name) < index)
      .map((name) => `there are two ${kind} ${name}`);
  });
}
