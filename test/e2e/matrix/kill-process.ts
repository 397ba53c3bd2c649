import { setImmediate as turn } from 'node:timers/promises';
import { type IpamProgram, startIpamProgram } from '../ipam-program.ts';
import type { Call } from '../node.ts';
import { type Ended, startBundle } from '../process.ts';
import type { Bench } from './bench.ts';
import { cutAt } from './cut.ts';
import { type Kill, type Plan, runEach, standingAt } from './kill.ts';
import type { Report } from './matrix.ts';
import { isChange } from './places.ts';
import type { Scenario } from './scenario.ts';

/**
 * Runs a scenario as a process that is killed at each moment of a plan. After a change, only the first next command follows a process. The
 * others follow a cut, which leaves the same.
 */
export async function runKills(scenario: Scenario, plan: Plan): Promise<Report> {
  const [first] = plan.nexts;
  const programs = new Map<Bench, IpamProgram>();
  const report = await runEach(scenario, plan, 'killed', async (bench, kill, call) => {
    if (isChange(kill.place) && kill.next !== first) return cutAt(bench, kill, scenario.command, call);
    const program = programs.get(bench) ?? startIpamProgram(bench.node.ipam);
    programs.set(bench, program);
    const { exitCode, stdout } = await killAt(bench, program, kill, scenario.command, call);
    return exitCode === null && stdout === '' ? [] : [`printed ${stdout}`];
  });
  for (const program of programs.values()) program.stop();
  return report;
}

/** Starts the process, kills it at the moment, and lets HNS or the IPAM plugin finish. */
async function killAt(
  { node }: Bench,
  program: IpamProgram,
  kill: Kill,
  command: string,
  { config, pod, environment: more }: Call,
): Promise<Ended> {
  const { hns } = node;
  const { place, when, hangs } = kill;
  const { clients } = hns.dump();
  const reached =
    place.of === 'IPAM plugin'
      ? program.holdRun(place.ordinal)
      : standingAt(node, kill).then(() => undefined);
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
  const ended = await running.ended;
  run?.end();
  while (hns.dump().clients > clients) await turn();
  hns.clearFaults();
  // A call that a variant makes hang can be held as well.
  for (let round = 0; round < hangs.length + 2; round += 1) {
    hns.release();
    await turn();
  }
  return ended;
}
