import type { Answer } from '../node.ts';
import { cleanUp, type Findings, findings, ofNetwork } from './aftermath.ts';
import type { Bench } from './bench.ts';
import type { Effect } from './effects.ts';
import { mayAnswer } from './expected-code.ts';
import type { Place } from './places.ts';
import { brokenPromises, type Lie } from './promises.ts';
import { codeOf, request } from './request.ts';
import type { Next, Scenario } from './scenario.ts';
import { differences, snapshot } from './snapshot.ts';

export interface Cell {
  readonly scenario: Scenario;
  readonly effect: Effect;
  readonly place: Place;
  readonly next: Next;
}

/** What was answered, and how long it took. */
interface Outcome {
  readonly answer: Answer;
  readonly milliseconds: number;
}

/** Lets a command meet an effect, has the runtime do what it does next, and looks at what is left. Leaves the bench as it was. */
export async function runCell(bench: Bench, cell: Cell): Promise<Findings> {
  const { scenario, effect, next } = cell;
  const { node, clock } = bench;
  const prevResult = (await scenario.attach?.(node, bench.call))?.json;
  const before = snapshot(node);
  const outcome = await meet(bench, cell, prevResult);
  const mayStay = leftovers(cell);
  const changed = differences(before, snapshot(node, mayStay));
  const leaks = [
    ...changed.filter((line) => !mayChange(line, bench, cell, outcome.answer)),
    ...takenAway(bench, cell),
  ];
  const surprises = wrongAnswers(bench, cell, outcome);

  const finish = async (): Promise<void> => {
    node.hns.release();
    await clock.idle();
  };
  const created = outcome.answer.exitCode === 0 ? ofNetwork(scenario) : [];
  const isAfterthought = effect.late === 'after what comes next';
  if (!isAfterthought) await finish();
  const after = await cleanUp(bench, scenario, {
    next,
    mayStay: [...mayStay, ...created],
    ...(isAfterthought && { afterthought: finish }),
  });
  return findings({ leaks, surprises }, after);
}

/** Runs the command with its effect, which is over with it. */
async function meet(bench: Bench, { scenario, effect, place }: Cell, prevResult: unknown): Promise<Outcome> {
  const { node, clock, call } = bench;
  inject(bench, effect, place);
  const started = clock.now();
  const answer = await node.cni(scenario.command, request(call, scenario.command, prevResult));
  node.hns.clearFaults();
  node.ipam.clearFaults();
  return { answer, milliseconds: clock.now() - started };
}

function inject({ node }: Bench, { fault, again, ipam }: Effect, { of, name, ordinal }: Place): void {
  if (fault !== undefined)
    node.hns.inject({ ...(of === 'IP Helper' && { function: name }), ordinal, effect: fault });
  for (let more = again?.from ?? 1; more <= (again?.to ?? 0); more += 1) {
    if (again !== undefined) node.hns.inject({ ordinal: ordinal + more, effect: again.effect });
  }
  if (ipam !== undefined) node.ipam.inject({ ordinal, ...ipam });
}

/**
 * Seconds: all calls together twice hcnTimeoutSeconds, then those of grace, then the polls for a network to be ready, an interface to
 * appear and another request's network, and the pause after a Transparent one.
 */
const longest = 2 * 30 + 5 + 20 + 10 + 3 + 2;

/** One document that says what is wrong, or none and a success that is one; and either in time. */
function wrongAnswers(bench: Bench, cell: Cell, { answer, milliseconds }: Outcome): readonly string[] {
  const { scenario, effect, place } = cell;
  const isDocument =
    answer.exitCode === 0 || (typeof answer.json?.msg === 'string' && answer.json.cniVersion === '1.1.0');
  const isExpected = mayAnswer(scenario.command, place, effect.says).includes(codeOf(answer));
  return [
    ...(isDocument && isExpected ? [] : [`answered ${answer.stdout || 'success'}`]),
    ...(answer.exitCode === 0 ? brokenPromises(bench, scenario.command, answer, lieOf(cell)) : []),
    ...(milliseconds <= longest * 1000 ? [] : [`took ${milliseconds / 1000} s`]),
  ];
}

/** That an endpoint is gone, or its network, which are there; or, by the IPAM plugin, that it has done what it has not. */
function lieOf({ effect: { says, ipam }, place: { name, succeeds } }: Cell): Lie | undefined {
  if (says === 'there is no such object' && succeeds && /Network|Endpoint/.test(name)) return 'endpoint';
  return says === 'nonsense, by the plugin' && ipam?.when === 'before' ? 'lease' : undefined;
}

/**
 * What may stay of an ADD that failed (docs/decisions/attachments.md): the node's own endpoint on a network that was there, and the
 * network itself when HNS creates it too late, or can delete nothing either, or when what failed comes after it.
 */
function leftovers({ scenario, effect, place }: Cell): readonly string[] {
  const isTakenBack = effect.late === undefined && effect.again === undefined && place.of !== 'IP Helper';
  return scenario.neighbour === undefined && isTakenBack ? [] : ofNetwork(scenario);
}

/** Whether a change may be seen right after the command: a DEL and a GC change what is the attachment's. */
function mayChange(line: string, bench: Bench, cell: Cell, answer: Answer): boolean {
  const isOwn = bench.own.some((key) => line.startsWith(key));
  switch (cell.scenario.command) {
    case 'CHECK':
    case 'STATUS':
      return false;
    case 'DEL':
    case 'GC':
      return isOwn;
    case 'ADD':
      if (answer.exitCode === 0) return isOwn || cell.scenario.neighbour === undefined;
      return (isOwn && couldNotTakeBack(bench, cell, answer)) || (isLease(line, bench) && cannotKnow(cell));
  }
}

/** Another of its calls failed by which an ADD looks at its endpoint or deletes it. */
function couldNotTakeBack({ node }: Bench, { effect: { again }, place }: Cell, { calls }: Answer): boolean {
  if (again === undefined) return false;
  const isHeld = 'hold' in again.effect;
  const others = isHeld
    ? node.hns.standing
    : calls.slice(place.ordinal - 1 + again.from, place.ordinal + again.to);
  return others.some((name) => /^Hcn(Open|Query|Delete)Endpoint/.test(name));
}

/** An endpoint may still appear after an ADD, which then keeps its address. */
function cannotKnow({ effect: { says }, place: { name, about } }: Cell): boolean {
  const isItsCreation = name === 'HcnCreateEndpoint' && about === 'its endpoint';
  return isItsCreation && (says === 'nothing' || says === 'nonsense');
}

function isLease(line: string, { call }: Bench): boolean {
  return line.startsWith(`lease of ${call.pod.containerId} `);
}

/** An address is given back only once its endpoint is known to be gone; GC has the IPAM plugin collect its own in any case. */
function takenAway({ node, call, own }: Bench, { scenario, effect, place }: Cell): readonly string[] {
  const isTold = effect.says === 'there is no such object' && place.name === 'HcnDeleteEndpoint';
  if (scenario.config['ipam'] === undefined || scenario.command === 'GC' || isTold) return [];
  const endpoint = node.hns.dump().endpoints.find(({ ID }) => own.includes(`endpoints ${ID}`));
  const isLeased = node.ipam.leases.has(`${call.pod.containerId} eth0`);
  return endpoint === undefined || isLeased ? [] : [`the address of ${endpoint['Name']} was given back`];
}
