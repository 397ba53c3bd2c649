import { judge } from './judge.ts';
import type { Random } from './random.ts';
import { type Command, type Response, respond, type StormRequest, type Transport } from './request.ts';
import { type Climate, isCalm, type Round, type StormPod } from './round.ts';

type Step =
  | { readonly kind: 'command'; readonly command: Command; readonly transport: Transport }
  | { readonly kind: 'twins'; readonly commands: readonly [Command, Command] };

/** Chooses the steps of a runtime for a pod, independent of their outcomes. The first step is an ADD. */
export function scriptOf(random: Random, climate: Climate, inProcess: boolean): readonly Step[] {
  const length = random.between(1, 7);
  const step = (index: number): Step => {
    const command: Command =
      index === 0 ? 'ADD' : random.pick(['ADD', 'CHECK', 'CHECK', 'DEL', 'DEL', 'GC', 'STATUS']);
    const transport = chooseTransport(random, climate, inProcess);
    if (climate.crowd && random.chance(0.25)) {
      return { kind: 'twins', commands: [random.pick(['ADD', 'DEL']), random.pick(['ADD', 'DEL', 'CHECK'])] };
    }
    return { kind: 'command', command, transport };
  };
  return Array.from({ length }, (_, index) => step(index));
}

function chooseTransport(random: Random, { kills }: Climate, inProcess: boolean): Transport {
  const roll = random.below(100);
  const killed: Transport = {
    kind: 'killed',
    calls: random.between(0, 14),
    milliseconds: random.between(50, 1500),
  };
  if (inProcess) return { kind: 'in this process' };
  if (kills && roll < 40) return killed;
  return { kind: roll < 75 ? 'in this process' : 'process' };
}

/** Runs the script of a pod, one step after the other. */
export async function runScript(round: Round, pod: StormPod, script: readonly Step[]): Promise<void> {
  for (const step of script) {
    switch (step.kind) {
      case 'command':
        await ask(round, pod, step.command, step.transport);
        break;
      case 'twins':
        await Promise.all(step.commands.map((command) => ask(round, pod, command)));
        break;
    }
  }
}

/** The first version of the specification that has the command. */
const sinceVersions: Readonly<Partial<Record<Command, string>>> = {
  CHECK: '0.4.0',
  GC: '1.1.0',
  STATUS: '1.1.0',
};

/** Runs a command for a pod, judges the response, and updates the state of the pod. */
export async function ask(
  round: Round,
  pod: StormPod,
  command: Command,
  transport: Transport = { kind: 'in this process' },
): Promise<Response> {
  const { containerId, netns, network } = pod;
  const config = { ...pod.config, ...addition(round, pod, command) };
  const calm = isCalm(round);
  const seconds = calm ? 12 : 2;
  const request: StormRequest = { command, network, config, containerId, netns, transport, seconds };
  pod.started += 1;
  pod.running += 1;
  const begun = { started: pod.started, era: round.era, isAlone: pod.running === 1, state: pod.state };
  const name = `${command} of ${containerId}, ${transport.kind}`;
  round.tell(`${name} ...`);
  const response = await respond(round.world, request);
  pod.running -= 1;
  const outcome = outcomeOf(response);
  round.tell(`${name}: ${outcome}`);
  round.tally.count(`${command}, ${transport.kind}`, outcome);
  const isTooOld = String(config['cniVersion']) < (sinceVersions[command] ?? '');
  const isExpected = calm && command === 'ADD' && begun.state === 'works' && outcome === 'code 101';
  const isAnotherAttempt = calm && command === 'CHECK' && begun.state !== 'works';
  const isCrowded = command === 'ADD' && round.world.refusesCrowds && !round.isOver;
  const weather = {
    calm: calm && !isTooOld && !isExpected && !isAnotherAttempt && !isCrowded,
    ipam: round.climate.ipam === true,
    isTooOld,
  };
  for (const problem of judge(request, response, weather)) round.find(`${name}: ${problem}`);
  const isSure = begun.isAlone && pod.started === begun.started && round.era === begun.era;
  if (command === 'ADD' && response.exitCode === 1 && begun.state === 'absent' && isSure)
    judgeRollback(round, pod, outcome);
  note(pod, command, response, isSure);
  return response;
}

/** While HNS and the IPAM plugin respond, an ADD that fails leaves nothing. */
function judgeRollback(
  { climate, world, find }: Round,
  { containerId, network }: StormPod,
  outcome: string,
): void {
  const { faults, hangs, restarts, reboot, ipam } = climate;
  if (faults || hangs || restarts || reboot || ipam || outcome === 'code 11') return;
  const lease = world.leases().get(`${containerId} eth0`);
  const names = world.hns.dump().endpoints.map(({ Name }) => String(Name));
  const endpoint = names.find((name) => name.startsWith(`${containerId}_${network.name}`));
  if (lease !== undefined || endpoint !== undefined)
    find(`the ADD of ${containerId} returned ${outcome} and left ${lease ?? ''} ${endpoint ?? ''}`);
}

/** The members that a runtime adds to the configuration. */
function addition({ pods }: Round, pod: StormPod, command: Command): object {
  switch (command) {
    case 'CHECK':
      return { prevResult: pod.result ?? { cniVersion: pod.config['cniVersion'], interfaces: [], ips: [] } };
    case 'GC':
      return {
        'cni.dev/valid-attachments': pods
          .filter(({ network }) => network === pod.network)
          .map(({ containerId }) => ({ containerID: containerId, ifname: 'eth0' })),
      };
    default:
      return {};
  }
}

function outcomeOf({ exitCode, stdout }: Response): string {
  if (exitCode === undefined) return 'too late';
  if (exitCode === null) return 'killed';
  if (exitCode === 0) return 'success';
  const code = /"code":(\d+)/.exec(stdout)?.[1];
  return code === undefined ? `exit code ${exitCode}` : `code ${code}`;
}

function note(pod: StormPod, command: Command, { exitCode, stdout }: Response, isSure: boolean): void {
  if (command === 'CHECK' || command === 'STATUS' || command === 'GC') return;
  if (!isSure || exitCode === null || exitCode === undefined) pod.state = 'unsure';
  else if (command === 'ADD' && exitCode === 0 && stdout !== '') {
    pod.state = 'works';
    pod.result = JSON.parse(stdout);
  } else if (command === 'DEL') pod.state = exitCode === 0 ? 'absent' : 'unsure';
  else if (pod.state === 'absent') pod.state = 'unsure';
}
