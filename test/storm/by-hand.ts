import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { runCli } from '../e2e/cli/run-cli.ts';
import { startBundle } from '../e2e/process.ts';
import { type CommandLine, chooseCommandLine, deleteBalancer } from './command-lines.ts';
import { textProblems } from './judge.ts';
import type { Random } from './random.ts';
import { inTime, type Response } from './request.ts';
import { isCalm, type Round } from './round.ts';
import type { World } from './world.ts';

const wrongUsage = 2;
const hnsUnavailable = 3;

/** Runs commands of an operator until the round is over. */
export async function operate(round: Round, isOver: () => boolean, inProcess: boolean): Promise<void> {
  const random = round.random.stream('operator');
  const most = random.below(6);
  for (let count = 0; count < most; count += 1) {
    await round.pause(random.below(400));
    if (isOver()) return;
    await operateOnce(round, random, inProcess);
  }
}

async function operateOnce(round: Round, random: Random, inProcess: boolean): Promise<void> {
  const isProcess = !inProcess && random.chance(0.3);
  const isKilled = round.climate.kills === true && random.chance(0.3);
  const isInterrupted = random.chance(0.5);
  const line = chooseCommandLine(round, random);
  const killAfter = random.between(50, 800);
  const release = endanger(round, line);
  const name = `win-hcn ${line.words.join(' ')}`;
  round.tell(`${name} ...`);
  const asProcess = isProcess && line.inThisProcess === undefined;
  const response = asProcess
    ? await runProcess(round.world, line, isKilled ? { isInterrupted, killAfter } : undefined)
    : await runHere(round.world, line);
  release();
  const { exitCode } = response;
  const outcome = exitCode === null ? 'killed' : `exit code ${exitCode}`;
  round.tell(`${name}: ${outcome}`);
  round.tally.count(`win-hcn ${commandOf(line)}`, outcome);
  for (const problem of judgeByHand(line, response, isCalm(round), asProcess && isKilled))
    round.find(`${name}: ${problem}`);
}

function commandOf({ words: [first = '', second = ''] }: CommandLine): string {
  return ['network', 'debug', 'conf'].includes(first) ? `${first} ${second}` : first;
}

/** Marks the pods that a command may affect. Returns a function to call when the command has ended. */
function endanger(round: Round, { endangers, takesFrom }: CommandLine): () => void {
  for (const pod of round.pods) {
    if (pod.containerId === takesFrom || (pod.network.name === endangers && pod.running > 0)) {
      pod.started += 1;
      pod.state = 'unsure';
    }
  }
  if (endangers === undefined) return () => undefined;
  round.endangered.add(endangers);
  return () => {
    round.endangered.delete(endangers);
    for (const pod of round.pods) if (pod.network.name === endangers && pod.running > 0) pod.started += 1;
  };
}

/** Writes the configurations and other files for processes. */
export function writeFiles(world: World): void {
  for (const [name, text] of configs(world)) writeFileSync(join(world.folder, name), text);
}

const configs = ({ networks }: World): readonly (readonly [string, string])[] =>
  networks.map(({ name, config }) => [`${name}.conf`, JSON.stringify(config)]);

/** Runs a command line in this process. */
export async function runHere(world: World, { words, files }: CommandLine): Promise<Response> {
  return runCli(words, {
    files: withLeases(world, { ...files, ...Object.fromEntries(configs(world)) }),
    system: world.outside,
    environment: { CNI_PATH: '/opt/cni/bin' },
  });
}

/** The files, and the current leases of the IPAM plugin in memory in the form of host-local's files. */
function withLeases(world: World, files: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const all = (): Readonly<Record<string, string>> => ({
    ...files,
    ...Object.fromEntries(
      world.networks.flatMap(({ name }) =>
        world.ipam
          .leasesOf(name)
          .map(([address, holder]) => [
            `C:\\var\\lib\\cni\\networks\\${name}\\${address.replaceAll(':', '_')}`,
            holder.split(' ').join('\r\n'),
          ]),
      ),
    ),
  });
  return new Proxy(files, {
    get: (_, path: string) => all()[path],
    has: (_, path: string) => path in all(),
    ownKeys: () => Object.keys(all()),
    getOwnPropertyDescriptor: (_, path: string) => {
      const value = all()[path];
      return value === undefined ? undefined : { value, enumerable: true, configurable: true };
    },
  });
}

async function runProcess(
  world: World,
  { words, files }: CommandLine,
  kill: { readonly isInterrupted: boolean; readonly killAfter: number } | undefined,
): Promise<Response> {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(world.folder, name), text);
  const paths = words.map((word) => (/\.(conf|json)$/.test(word) ? join(world.folder, word) : word));
  const environment = { ...world.hns.environment, TMPDIR: world.temporary };
  const running = startBundle(environment, '', paths);
  if (kill !== undefined) {
    void sleep(kill.killAfter).then(() => (kill.isInterrupted ? running.interrupt() : running.kill()));
  }
  return inTime(running);
}

/** Returns the problems of a command's exit code and output. */
function judgeByHand(
  { words, wrongUsage: isWrong }: CommandLine,
  { exitCode, stdout, stderr }: Response,
  calm: boolean,
  isKilled: boolean,
): readonly string[] {
  if (exitCode === undefined) return ['did not end in time'];
  if (isKilled && (exitCode === null || exitCode === 130)) return [];
  const expected = [0, 1, ...(isWrong ? [wrongUsage] : []), ...(calm ? [] : [hnsUnavailable])];
  const isJson = words.includes('json') && exitCode === 0;
  return [
    ...(expected.some((code) => code === exitCode) ? [] : [`ended with ${exitCode}: ${stderr}`]),
    ...textProblems(`${stdout}\n${stderr}`),
    ...(isJson && !isParsable(stdout) ? [`printed ${JSON.stringify(stdout.slice(0, 200))}, not JSON`] : []),
  ];
}

function isParsable(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Deletes the load balancer that operators created. */
export async function deleteByHand(round: Round): Promise<void> {
  const { exitCode, stderr } = await runHere(round.world, { words: deleteBalancer, files: {} });
  const exists = round.world.hns
    .dump()
    .loadBalancers.some(({ FrontendVIPs }) => String(FrontendVIPs) === '10.96.0.11');
  if (exists) round.find(`loadbalancer delete ended with ${exitCode} and left the load balancer: ${stderr}`);
}
