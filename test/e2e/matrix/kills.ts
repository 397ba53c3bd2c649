import { setImmediate as turn } from 'node:timers/promises';
import { type IpamProgram, startIpamProgram } from '../ipam-program.ts';
import type { Call } from '../node.ts';
import { startBundle } from '../process.ts';
import { addAndDelete, cleanUp } from './aftermath.ts';
import { type Bench, newBench } from './bench.ts';
import { cutAt } from './cut.ts';
import { ofNetwork } from './found.ts';
import type { Report } from './matrix.ts';
import { finishCalls, type Kill, standingAt, whensOf } from './moments.ts';
import { hangsByItself, isChange, type Place, placesOf } from './places.ts';
import { request } from './request.ts';
import { nextsOf, type Scenario } from './scenario.ts';
import { differences, type Snapshot, snapshot } from './snapshot.ts';

/** `cut`: in this process, cut off from HCN, the IP Helper and the IPAM plugin. `process`: a process that is killed. */
export type KillBy = 'cut' | 'process';

/** The moments of a scenario. */
interface Moments {
  /** `all`: before each call and run, and before, after and despite each change, with each next command. `rotated`: one next command for each. */
  readonly cells: 'all' | 'rotated';
  readonly at?: (place: Place) => boolean;
}

/** Runs a scenario that ends at each moment, lets HNS or the IPAM plugin finish, and runs the next command. Ends with the first finding. */
export async function runKills(scenario: Scenario, by: KillBy, moments: Moments): Promise<Report> {
  const kills = killsOf(scenario, await placesOf(scenario), moments);
  const benches = new Map<Place['of'], Bench>();
  const programs = new Map<Bench, IpamProgram>();
  const kill = (bench: Bench, one: Kill, call: Call): Promise<readonly string[]> => {
    if (by === 'cut') return cutAt(bench, one, scenario.command, call);
    const program = programs.get(bench) ?? startIpamProgram(bench.node.ipam);
    programs.set(bench, program);
    return killAt(bench, program, one, scenario.command, call);
  };
  const findings: string[] = [];
  for (const one of kills) {
    const { of, ordinal, name } = one.place;
    const bench = benches.get(of) ?? (await newBench(scenario, of));
    benches.set(of, bench);
    const found = await runKill(bench, scenario, one, kill);
    const moment = `${scenario.name}, ${by} ${one.when} ${ordinal}: ${name}, then ${one.next}`;
    findings.push(...found.map((line) => `${moment}: ${line}`));
    if (findings.length > 0) break;
  }
  for (const bench of benches.values()) {
    findings.push(...(await addAndDelete(bench)));
    await bench.node.stop();
  }
  for (const program of programs.values()) program.stop();
  return { cells: kills.length, findings };
}

/** A query changes nothing, so that one next command stands for all. */
function killsOf(scenario: Scenario, places: readonly Place[], { cells, at }: Moments): readonly Kill[] {
  const nexts = nextsOf(scenario);
  return places.flatMap((place, index) => {
    if (at?.(place) === false) return [];
    const hangs = places.slice(0, index).filter(hangsByItself);
    return whensOf(place).flatMap((when, row) => {
      const turn = (index + row) % nexts.length;
      const tried = cells === 'all' && isChange(place) ? nexts : nexts.slice(turn, turn + 1);
      return tried.map((next): Kill => ({ place, when, next, hangs }));
    });
  });
}

async function runKill(
  bench: Bench,
  scenario: Scenario,
  kill: Kill,
  end: (bench: Bench, kill: Kill, call: Call) => Promise<readonly string[]>,
): Promise<readonly string[]> {
  const prevResult = (await scenario.attach?.(bench))?.json;
  const before = snapshot(bench.node);
  const ended = await end(bench, kill, request(bench, scenario.command, prevResult));
  const changed = othersChanged(bench, scenario, before);
  return [...ended, ...changed, ...(await cleanUp(bench, scenario, { next: kill.next }))];
}

/** Returns the objects that an unfinished command changed and that are not its attachment's. */
function othersChanged({ node, own }: Bench, scenario: Scenario, before: Snapshot): readonly string[] {
  const changed = differences(before, snapshot(node, ofNetwork(scenario)));
  const isReadOnly = scenario.command === 'CHECK' || scenario.command === 'STATUS';
  return changed.filter((line) => isReadOnly || !own.some((key) => line.startsWith(key)));
}

/** Starts the process, kills it at the moment, and lets HNS or the IPAM plugin finish. Returns what it printed. */
async function killAt(
  { node }: Bench,
  program: IpamProgram,
  kill: Kill,
  command: string,
  { config, pod, environment: more }: Call,
): Promise<readonly string[]> {
  const { hns } = node;
  const { place, when } = kill;
  const { clients } = hns.dump();
  const isOfPlugin = place.of === 'IPAM plugin';
  const reached = isOfPlugin ? program.holdRun(place.ordinal) : standingAt(node, kill).then(() => undefined);
  const environment = {
    ...hns.environment,
    CNI_COMMAND: command,
    CNI_CONTAINERID: pod.containerId,
    CNI_NETNS: pod.netns,
    CNI_IFNAME: 'eth0',
    CNI_PATH: program.folder,
    ...more,
  };
  const running = startBundle(environment, JSON.stringify(config));
  const tooSoon = running.ended.then(({ stdout }) => Promise.reject(new Error(`was over before: ${stdout}`)));
  const run = await Promise.race([reached, tooSoon]);
  if (when === 'after') run?.work();
  running.kill();
  const { exitCode, stdout } = await running.ended;
  run?.end();
  while (hns.dump().clients > clients) await turn();
  await finishCalls(node, kill);
  return exitCode === null && stdout === '' ? [] : [`printed ${stdout}`];
}
