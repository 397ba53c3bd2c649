import { setImmediate as turn } from 'node:timers/promises';
import type { Fault } from '../../simulator/faults.ts';
import { hresultOf } from '../../simulator/hresults.ts';
import { type IpamProgram, startIpamProgram } from '../ipam-program.ts';
import type { Call } from '../node.ts';
import { type Ended, startBundle } from '../process.ts';
import { cleanUp, type Findings, findings } from './aftermath.ts';
import { type Bench, newBench } from './bench.ts';
import { ofNetwork } from './found.ts';
import type { Report } from './matrix.ts';
import { type Place, placesOf } from './places.ts';
import { request } from './request.ts';
import type { Next, Scenario } from './scenario.ts';
import { differences, type Snapshot, snapshot } from './snapshot.ts';

/** When the running call takes effect. "Afterwards": HNS completes the call of a dead client. */
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
  /** Earlier calls that a variant makes hang. */
  readonly hangs: readonly Place[];
}

/**
 * Runs a scenario as a process that is killed before each of its calls and IPAM runs, after each change, and before a change that
 * HNS completes nevertheless. After a change, every next command is tried; after a query, which changes nothing, they alternate.
 */
export async function runKills(
  scenario: Scenario,
  nexts: readonly [Next, ...Next[]],
  whensOf: (place: Place) => readonly When[] = everyWhen,
): Promise<Report> {
  const places = await placesOf(scenario);
  const kills = places.flatMap((place, index) =>
    whensOf(place).flatMap((when) => {
      const goesRound = nexts[index % nexts.length] ?? nexts[0];
      const hangs = places.slice(0, index).filter(hangsByItself);
      return (isChange(place) ? nexts : [goesRound]).map((next): Kill => ({ place, when, next, hangs }));
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

/** Returns the moments after each change of HNS. */
export function afterChanges(place: Place): readonly When[] {
  return isChange(place) && place.of === 'HCN' ? ['after'] : [];
}

export function isChange({ of, name }: Place): boolean {
  return of === 'IPAM plugin' || /Create|Modify|Delete|Set/.test(name);
}

/** After a query means before the next call. An IPAM plugin that outlives win-hcn finishes its work before or after the kill. */
function everyWhen(place: Place): readonly When[] {
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
  const prevResult = (await scenario.attach?.(bench))?.json;
  const before = snapshot(bench.node);
  const asked = request(bench, scenario.command, prevResult);
  const ended = await killAt(bench, program, kill, scenario.command, asked);
  const surprises = ended.exitCode === null && ended.stdout === '' ? [] : [`printed ${ended.stdout}`];
  const found = { leaks: othersChanged(bench, scenario, before), surprises };
  const mayStay = ofNetwork(scenario);
  return findings(found, await cleanUp(bench, scenario, { next: kill.next, mayStay }));
}

/** Starts the process, kills it at the moment, and lets HNS or the IPAM plugin finish. */
async function killAt(
  { node }: Bench,
  program: IpamProgram,
  { place, when, hangs }: Kill,
  command: string,
  { config, pod, environment: more }: Call,
): Promise<Ended> {
  const { hns } = node;
  const { clients } = hns.dump();
  const reached =
    place.of === 'IPAM plugin'
      ? program.holdRun(place.ordinal)
      : standingAt(hns, place, whens[when], hangs.length);
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

async function standingAt(
  hns: Bench['node']['hns'],
  { name, nth: ordinal }: Place,
  effect: Fault['effect'],
  hangs: number,
): Promise<undefined> {
  let standing = hns.nextStanding();
  hns.inject({ function: name, ordinal, effect });
  for (let hang = 0; hang < hangs; hang += 1) {
    await standing;
    standing = hns.nextStanding();
  }
  await standing;
}

function hangsByItself({ hresult }: Place): boolean {
  return hresult === hresultOf('RPC_S_CALL_FAILED');
}

/** Returns the objects that an unfinished command changed and that are not its attachment's. */
export function othersChanged({ node, own }: Bench, scenario: Scenario, before: Snapshot): readonly string[] {
  const changed = differences(before, snapshot(node, ofNetwork(scenario)));
  const isReadOnly = scenario.command === 'CHECK' || scenario.command === 'STATUS';
  return changed.filter((line) => isReadOnly || !own.some((key) => line.startsWith(key)));
}
