import { setImmediate as turn } from 'node:timers/promises';
import type { Fault } from '../../hns/faults.ts';
import { type IpamProgram, startIpamProgram } from '../ipam-program.ts';
import { type Ended, startBundle } from '../process.ts';
import { cleanUp, type Findings, findings, ofNetwork } from './aftermath.ts';
import { type Bench, newBench } from './bench.ts';
import type { Report } from './matrix.ts';
import { type Place, placesOf } from './places.ts';
import { request } from './request.ts';
import type { Next, Scenario } from './scenario.ts';
import { differences, type Snapshot, snapshot } from './snapshot.ts';

/** When the call that win-hcn waits for takes effect; afterwards is what HNS does with the call of a client that is gone. */
const whens = {
  before: { hang: true },
  after: { hold: 'after' },
  'with effect afterwards': { hold: 'before' },
} as const;
type When = keyof typeof whens;

interface Kill {
  readonly place: Place;
  readonly when: When;
  readonly next: Next;
}

/**
 * Runs a scenario as a process that is killed just before each of its calls and each run of the IPAM plugin, just after each that changes
 * something, and before a change that HNS makes all the same. Everything comes next after a change; after a look, which leaves things as
 * they were, it goes round.
 */
export async function runKills(scenario: Scenario, nexts: readonly [Next, ...Next[]]): Promise<Report> {
  const places = await placesOf(scenario);
  const kills = places.flatMap((place, index) =>
    whensOf(place).flatMap((when) => {
      const goesRound = nexts[index % nexts.length] ?? nexts[0];
      return (isChange(place) ? nexts : [goesRound]).map((next): Kill => ({ place, when, next }));
    }),
  );
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

function isChange({ of, name }: Place): boolean {
  return of === 'IPAM plugin' || /Create|Modify|Delete|Set/.test(name);
}

/** After a look is before the next call. An IPAM plugin that outlives win-hcn has done the same, before the kill or afterwards. */
function whensOf(place: Place): readonly When[] {
  const isOfHns = place.of !== 'IPAM plugin';
  if (!isChange(place)) return ['before'];
  return isOfHns ? ['before', 'after', 'with effect afterwards'] : ['before', 'after'];
}

async function runKill(
  bench: Bench,
  program: IpamProgram,
  scenario: Scenario,
  kill: Kill,
): Promise<Findings> {
  const prevResult = (await scenario.attach?.(bench.node, bench.call))?.json;
  const before = snapshot(bench.node);
  const { config } = request(bench.call, scenario.command, prevResult);
  const ended = await killAt(bench, program, kill, scenario.command, JSON.stringify(config));
  const found = judge(bench, scenario, before, ended);
  const mayStay = ofNetwork(scenario);
  return findings(found, await cleanUp(bench, scenario, { next: kill.next, mayStay }));
}

/** Starts the process, kills it where it is to be, and lets HNS or the IPAM plugin end what they were asked for. */
async function killAt(
  { node, call }: Bench,
  program: IpamProgram,
  { place, when }: Kill,
  command: string,
  stdin: string,
): Promise<Ended> {
  const { hns } = node;
  const { clients } = hns.dump();
  const reached =
    place.of === 'IPAM plugin' ? program.holdRun(place.ordinal) : standingAt(hns, place, whens[when]);
  const environment = {
    ...hns.environment,
    CNI_COMMAND: command,
    CNI_CONTAINERID: call.pod.containerId,
    CNI_NETNS: call.pod.netns,
    CNI_IFNAME: 'eth0',
    CNI_PATH: program.folder,
  };
  const running = startBundle(environment, stdin);
  const tooSoon = running.ended.then(({ stdout }) => Promise.reject(new Error(`was over before: ${stdout}`)));
  const run = await Promise.race([reached, tooSoon]);
  if (when === 'after') run?.work();
  running.kill();
  const ended = await running.ended;
  run?.end();
  while (hns.dump().clients > clients) await turn();
  hns.release();
  await turn();
  return ended;
}

async function standingAt(
  hns: Bench['node']['hns'],
  { of, name, ordinal }: Place,
  effect: Fault['effect'],
): Promise<undefined> {
  const standing = hns.nextStanding();
  hns.inject({ ...(of === 'IP Helper' && { function: name }), ordinal, effect });
  await standing;
}

/** Nothing was printed, and nothing but the attachment's own has changed. */
function judge({ node, own }: Bench, scenario: Scenario, before: Snapshot, ended: Ended): Findings {
  const changed = differences(before, snapshot(node, ofNetwork(scenario)));
  const isReadOnly = scenario.command === 'CHECK' || scenario.command === 'STATUS';
  return {
    leaks: changed.filter((line) => isReadOnly || !own.some((key) => line.startsWith(key))),
    surprises: ended.exitCode === null && ended.stdout === '' ? [] : [`printed ${ended.stdout}`],
  };
}
