import { setTimeout as sleep } from 'node:timers/promises';
import { baseline, cleanUp, judgePods, settle } from './aftermath.ts';
import { runHere } from './by-hand.ts';
import { ask, runScript, scriptOf } from './pods.ts';
import { newRandom, type Random } from './random.ts';
import type { Transport } from './request.ts';
import { type Climate, climates, type Round, type StormPod } from './round.ts';
import { newTally, type Tally } from './tally.ts';
import { blow } from './weather.ts';
import { startWorld, type World } from './world.ts';

export interface StormOptions {
  readonly seed: number;
  readonly milliseconds: number;
  /** Default: until the time is over. */
  readonly rounds?: number;
  /** Repeats only this round. */
  readonly only?: number;
  /** Default: any. */
  readonly climate?: Climate;
  /** Without processes and with short pauses, for tests of the storm. */
  readonly inProcess?: true;
}

export interface Found {
  readonly round: number;
  readonly climate: string;
  readonly problems: readonly string[];
  readonly history: readonly string[];
}

export interface StormReport {
  readonly seed: number;
  readonly service: string;
  readonly networks: readonly string[];
  readonly rounds: number;
  readonly tally: Tally;
  readonly found: readonly Found[];
}

/** Runs rounds of a seed until the time is over or a round finds a problem. */
export async function runStorm(options: StormOptions): Promise<StormReport> {
  const { seed, milliseconds, rounds = Number.POSITIVE_INFINITY, only } = options;
  const random = newRandom(`seed ${seed}`);
  const world = await startWorld(random.stream('world'));
  const tally = newTally();
  const deadline = performance.now() + milliseconds;
  const found: Found[] = [];
  let done = 0;
  try {
    const networks = await usable(world, tally);
    const ready = { ...world, networks };
    while (found.length === 0 && done < rounds && (done === 0 || performance.now() < deadline)) {
      const number = only ?? done + 1;
      const result = await runRound(ready, random.stream(`round ${number}`), number, tally, options);
      if (result.problems.length > 0) found.push(result);
      done += 1;
    }
    const names = networks.map(({ name }) => name);
    return { seed, service: world.service, networks: names, rounds: done, tally, found };
  } finally {
    await world.stop();
  }
}

/** Returns the networks whose pods this HNS accepts: a variant may refuse a setting that a configuration requires. */
async function usable(world: World, tally: Tally): Promise<World['networks']> {
  const usableNetworks: World['networks'][number][] = [];
  for (const network of world.networks) {
    const pod = newPod(world, network, `probe-${network.name}`, network.config);
    const refused: string[] = [];
    const round = newRound(world, newRandom(''), { name: 'calm' }, [pod], tally, {
      tell: () => undefined,
      find: (line) => refused.push(line),
      pause: sleep,
    });
    for (const command of ['ADD', 'CHECK', 'DEL'] as const) await ask(round, pod, command);
    if (refused.length === 0) usableNetworks.push(network);
    else {
      tally.count('networks refused by this HNS', refused[0]?.slice(0, 200) ?? '');
      await runHere(world, ['network', 'delete', `${network.name}.conf`, '--yes']);
    }
  }
  if (usableNetworks.length === 0) throw new Error(`HNS (${world.service}) accepts no network`);
  return usableNetworks;
}

async function runRound(
  world: World,
  random: Random,
  number: number,
  tally: Tally,
  { inProcess = undefined, climate = random.pick(climates) }: StormOptions,
): Promise<Found> {
  const history: string[] = [];
  const problems: string[] = [];
  const started = performance.now();
  const before = baseline(world);
  const pods = Array.from({ length: random.between(2, 8) }, (_, index) => {
    const network = random.pickIfAny(world.networks);
    if (network === undefined) throw new Error('no network');
    return newPod(world, network, `r${number}p${index}`, configOf(random, network, index));
  });
  const round = newRound(world, random, climate, pods, tally, {
    tell: (line) => history.push(`${Math.round(performance.now() - started)} ms ${line}`),
    find: (line) => {
      problems.push(line);
      history.push(`WRONG: ${line}`);
    },
    pause: (milliseconds) => sleep(inProcess ? milliseconds / 20 : milliseconds),
  });
  let isOver = false;
  const weather = blow(round, () => isOver);
  await Promise.all(
    pods.map(async (pod, index) => {
      const own = random.stream(`pod ${index}`);
      await round.pause(own.below(300));
      await runScript(round, pod, scriptOf(own, climate, inProcess === true));
    }),
  );
  isOver = true;
  await weather;
  await settle(round);
  round.isOver = true;
  await judgePods(round);
  await cleanUp(
    round,
    before,
    (choice): Transport => ({
      kind: inProcess !== true && choice.chance(0.2) ? 'process' : 'in this process',
    }),
  );
  tally.count('rounds', climate.name);
  return { round: number, climate: climate.name, problems, history };
}

function newRound(
  world: World,
  random: Random,
  climate: Climate,
  pods: readonly StormPod[],
  tally: Tally,
  { tell, find, pause }: Pick<Round, 'tell' | 'find' | 'pause'>,
): Round {
  return {
    world,
    random,
    climate,
    pods,
    tally,
    era: 0,
    isOver: false,
    tell,
    find,
    pause,
  };
}

function newPod(
  world: World,
  network: World['networks'][number],
  containerId: string,
  config: Readonly<Record<string, unknown>>,
): StormPod {
  const { netns } = world.node.newPod(containerId);
  return { containerId, netns, network, config, state: 'absent', result: undefined, running: 0, started: 0 };
}

function configOf(
  random: Random,
  { config, hasHostPorts }: World['networks'][number],
  index: number,
): Readonly<Record<string, unknown>> {
  const cniVersion = random.pick(['1.1.0', '1.1.0', '1.0.0', '0.4.0', '0.3.1']);
  const portMappings = [{ hostPort: 8000 + index, containerPort: 80, protocol: 'tcp' }];
  const hasPort = hasHostPorts && random.chance(0.3);
  return { ...config, cniVersion, ...(hasPort && { runtimeConfig: { portMappings } }) };
}
