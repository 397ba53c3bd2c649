import type { Hns } from '../../simulator/hns.ts';
import { type EventClock, eventClock } from '../clock.ts';
import { type Call, type Node, startNode } from '../node.ts';
import { ownNames } from './found.ts';
import { letListsCatchUp } from './listed.ts';
import { addForeignEndpoint, addForeignNetwork } from './other-programs.ts';
import type { Place } from './places.ts';
import type { Scenario } from './scenario.ts';
import { type Snapshot, snapshot } from './snapshot.ts';

/** A node with the objects that a scenario requires and with neighbors. It is restored after each cell. */
export interface Bench {
  readonly scenario: Scenario;
  readonly node: Node;
  readonly clock: EventClock;
  /** The attachment of the scenario. */
  readonly call: Call;
  /** The keys of the attachment's objects in a snapshot. */
  readonly own: readonly string[];
  readonly clean: Snapshot;
}

/** `of` is where a fault can be injected: in the IP Helper only through the stub, which takes longer. */
export async function newBench(scenario: Scenario, of: Place['of'] = 'IP Helper'): Promise<Bench> {
  const { config, hns, prefixes, neighbor } = scenario;
  let clock: EventClock | undefined;
  const clockFor = (service: Hns) => {
    clock = eventClock(service);
    return clock;
  };
  const librariesOf = (service: Hns) => service.withoutDlls();
  const node = await startNode(hns, clockFor, of === 'IP Helper' ? undefined : librariesOf);
  const [prefix, prefix6] = prefixes ?? [];
  node.ipam.prefix = prefix ?? node.ipam.prefix;
  node.ipam.prefix6 = prefix6;
  await addForeignNetwork(node);
  if (neighbor !== undefined) {
    const answer = await node.cni('ADD', { config: neighbor, pod: node.newPod('neighbor') });
    if (answer.exitCode !== 0) throw new Error(`the neighbor's ADD failed: ${answer.stdout}`);
    await addForeignEndpoint(node, String(neighbor['name']));
  }
  await letListsCatchUp(node, scenario);
  node.hns.takeInterruptions();
  const call = { config, pod: node.newPod('pod') };
  if (clock === undefined) throw new Error('the node has no clock');
  return { scenario, node, clock, call, own: ownKeys(call), clean: snapshot(node) };
}

function ownKeys(call: Call): readonly string[] {
  const { containerId, netns } = call.pod;
  const endpoints = ownNames(call).map((name) => `endpoints ${name}, `);
  return [...endpoints, `namespaces ${netns}`, `lease of ${containerId} eth0`];
}
