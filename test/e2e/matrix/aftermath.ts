import { hostEndpointId, networkId } from '../../../src/plan/identity.ts';
import type { Bench } from './bench.ts';
import type { Next, Scenario } from './scenario.ts';
import { settle, succeed } from './settle.ts';
import { differences, snapshot } from './snapshot.ts';

/** What a cell found wrong: what was left or lost, and what was answered otherwise than it should. */
export interface Findings {
  readonly leaks: readonly string[];
  readonly surprises: readonly string[];
}

export interface Aftermath {
  readonly next: Next;
  /** Ids of what may be there at the end and may be not. */
  readonly mayStay: readonly string[];
  /** What HNS does behind the runtime's back, which only GC can find. */
  readonly afterthought?: () => Promise<void>;
}

/** The runtime goes on; then nothing may be left but `mayStay`, a new ADD and DEL succeed, and the bench is as it was. */
export async function cleanUp(
  bench: Bench,
  scenario: Scenario,
  { next, mayStay, afterthought }: Aftermath,
): Promise<Findings> {
  const { node, clean } = bench;
  const surprises = [...(await settle(bench, next))];
  if (afterthought !== undefined) {
    await afterthought();
    surprises.push(...(await succeed(bench, 'GC')));
  }
  const created = next === 'ADD' ? ofNetwork(scenario) : [];
  const left = [...differences(clean, snapshot(node, [...mayStay, ...created])), ...twice(bench)];
  for (const command of ['ADD', 'DEL'] as const) surprises.push(...(await succeed(bench, command)));
  await restore(bench, scenario);
  return { leaks: left.length > 0 ? left : differences(clean, snapshot(node)), surprises };
}

/** The network and the node's own endpoint there, where the scenario creates them. */
export function ofNetwork({ config, neighbour }: Scenario): readonly string[] {
  const name = String(config['name']);
  const hostEndpoint = neighbour?.['hostEndpoint'] === undefined ? [hostEndpointId(name)] : [];
  return neighbour === undefined ? [networkId(name), ...hostEndpoint] : hostEndpoint;
}

export function findings(...all: readonly Findings[]): Findings {
  return {
    leaks: all.flatMap(({ leaks }) => leaks),
    surprises: all.flatMap(({ surprises }) => surprises),
  };
}

function twice({ node }: Bench): readonly string[] {
  const names = node.hns.dump().networks.map(({ Name }) => String(Name));
  return names
    .filter((name, index) => names.indexOf(name) < index)
    .map((name) => `there are two networks ${name}`);
}

async function restore({ node }: Bench, { config, neighbour }: Scenario): Promise<void> {
  const name = String(config['name']);
  if (neighbour === undefined) await node.hcn.deleteNetwork(networkId(name));
  else if (neighbour['hostEndpoint'] === undefined) {
    await node.hcn.deleteEndpoint(hostEndpointId(name));
    node.hns.disableForwarding();
  }
}
