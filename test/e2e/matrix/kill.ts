import { type IpamProgram, startIpamProgram } from '../ipam-program.ts';
import { startBundle } from '../process.ts';
import { cleanUp, type Findings, findings, ofNetwork } from './aftermath.ts';
import { type Bench, newBench } from './bench.ts';
import type { Report } from './matrix.ts';
import { type Place, placesOf } from './places.ts';
import { request } from './request.ts';
import type { Next, Scenario } from './scenario.ts';
import { differences, snapshot } from './snapshot.ts';

interface Kill {
  readonly place: Place;
  readonly isRun: boolean;
  /** Whether the call or run that win-hcn waits for takes effect first. */
  readonly when: 'before' | 'after';
  readonly next: Next;
}

/**
 * Runs a scenario as a process that is killed just before and just after each of its calls to HCN and each run of the IPAM plugin.
 * What comes next goes round.
 */
export async function runKills(scenario: Scenario, nexts: readonly [Next, ...Next[]]): Promise<Report> {
  const moments = (await placesOf(scenario)).map((place) => ({ place, isRun: place.of === 'IPAM plugin' }));
  const kills = moments
    .flatMap((moment) => (['before', 'after'] as const).map((when) => ({ ...moment, when })))
    .map((kill, index): Kill => ({ ...kill, next: nexts[index % nexts.length] ?? nexts[0] }));
  const bench = await newBench(scenario);
  const program = startIpamProgram(bench.node.ipam);
  const all: Findings[] = [];
  for (const kill of kills) {
    const { leaks, surprises } = await runKill(bench, program, scenario, kill);
    const name = `${scenario.name}, killed ${kill.when} ${kill.place.ordinal}: ${kill.place.name}, then ${kill.next}`;
    const prefixed = (line: string): string => `${name}: ${line}`;
    all.push({ leaks: leaks.map(prefixed), surprises: surprises.map(prefixed) });
    if (leaks.length + surprises.length > 0) break;
  }
  program.stop();
  await bench.node.stop();
  return { cells: all.length, ...findings(...all) };
}

async function runKill(
  bench: Bench,
  program: IpamProgram,
  scenario: Scenario,
  { place, isRun, when, next }: Kill,
): Promise<Findings> {
  const { node, call, own } = bench;
  const prevResult = (await scenario.attach?.(node, call))?.json;
  const before = snapshot(node);
  const { config } = request(call, scenario.command, prevResult);
  const environment = {
    ...node.hns.environment,
    CNI_COMMAND: scenario.command,
    CNI_CONTAINERID: call.pod.containerId,
    CNI_NETNS: call.pod.netns,
    CNI_IFNAME: 'eth0',
    CNI_PATH: program.folder,
  };
  const standing = isRun ? program.holdNext() : node.hns.nextStanding();
  if (!isRun) {
    const effect = when === 'before' ? ({ hang: true } as const) : ({ hold: 'after' } as const);
    node.hns.inject({ ordinal: place.ordinal, effect });
  }
  const running = startBundle(environment, JSON.stringify(config));
  const held = await Promise.race([
    standing,
    running.ended.then((ended) => Promise.reject(new Error(ended.stdout))),
  ]);
  if (held !== undefined && when === 'after') held.work();
  running.kill();
  const ended = await running.ended;
  if (held !== undefined) process.kill(held.processId, 'SIGKILL');
  node.hns.release();
  const mayStay = ofNetwork(scenario);
  const changed = differences(before, snapshot(node, mayStay));
  const isReadOnly = scenario.command === 'CHECK' || scenario.command === 'STATUS';
  const leaks = changed.filter((line) => isReadOnly || !own.some((key) => line.startsWith(key)));
  const surprises = ended.exitCode === null && ended.stdout === '' ? [] : [`printed ${ended.stdout}`];
  return findings({ leaks, surprises }, await cleanUp(bench, scenario, { next, mayStay }));
}
