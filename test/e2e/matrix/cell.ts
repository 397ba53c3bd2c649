import { setImmediate as turn } from 'node:timers/promises';
import { isNotFound } from '../../../src/hcn/hresults.ts';
import type { Answer } from '../node.ts';
import { cleanUp, type Findings, findings } from './aftermath.ts';
import type { Bench } from './bench.ts';
import type { Effect } from './effects.ts';
import { choosesIds, mayAnswer } from './expected-code.ts';
import { type Named, ofNetwork, ownEndpoints } from './found.ts';
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
  const prevResult = (await scenario.attach?.(bench))?.json;
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
    // A call that hangs by itself can be held besides.
    for (const _ of [1, 2]) {
      node.hns.release();
      await turn();
    }
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
  const { node, clock } = bench;
  inject(bench, effect, place);
  const started = clock.now();
  const answer = await node.cni(scenario.command, request(bench, scenario.command, prevResult));
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
  const isExpected = mayAnswer(scenario, place, effect).includes(codeOf(answer));
  return [
    ...(isDocument && isExpected ? [] : [`answered ${answer.stdout || 'success'}`]),
    ...(answer.exitCode === 0 ? brokenPromises(bench, scenario.command, answer, lieOf(cell)) : []),
    ...(milliseconds <= longest * 1000 ? [] : [`took ${milliseconds / 1000} s`]),
  ];
}

/** That an endpoint is gone, or its network, which are there; or, by the IPAM plugin, that it has done what it has not. */
function lieOf({ effect: { says, ipam }, place: { name, hresult } }: Cell): Lie | undefined {
  if (says === 'there is no such object' && !isNotFound(hresult) && /Network|Endpoint/.test(name))
    return 'endpoint';
  return says === 'nonsense, by the plugin' && ipam?.when === 'before' ? 'lease' : undefined;
}

/**
 * What may stay of an ADD that failed (docs/decisions/attachments.md): the node's own endpoint on a network that was there, and the
 * network itself when HNS creates it too late, or can delete nothing either, or when what failed comes after it, or when HNS chose an
 * id for it that win-hcn has not seen.
 */
function leftovers({ scenario, effect, place }: Cell): readonly Named[] {
  const isUnseen = choosesIds(scenario) && (place.name === 'HcnCreateNetwork' || place.isOfCreated);
  const isTakenBack =
    effect.late === undefined && effect.again === undefined && place.of !== 'IP Helper' && !isUnseen;
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
      return (
        (isOwn && couldNotTakeBack(bench, cell, answer)) ||
        (isLease(line, bench) && cannotKnow(bench, cell, answer))
      );
  }
}

/** Another of its calls failed by which an ADD looks at its endpoint, detaches it or deletes it. */
function couldNotTakeBack(bench: Bench, cell: Cell, answer: Answer): boolean {
  const those = /^Hcn(Enumerate|Open|Query|Delete)Endpoint|^HcnModifyNamespace/;
  return alsoFailed(bench, cell, answer).some((name) => those.test(name));
}

/** An endpoint may still appear after an ADD, which then keeps its address. */
function cannotKnow(bench: Bench, cell: Cell, answer: Answer): boolean {
  const { effect, place } = cell;
  const isItsCreation = place.name === 'HcnCreateEndpoint' && place.about === 'its endpoint';
  const isUnknown = ['nothing', 'nothing in time', 'that its time is up', 'nonsense'].includes(effect.says);
  return (isItsCreation && isUnknown) || alsoFailed(bench, cell, answer).includes('HcnCreateEndpoint');
}

/** What an effect on more than one call has met besides the first. */
function alsoFailed({ node }: Bench, { effect, place }: Cell, { calls }: Answer): readonly string[] {
  const { fault = {}, again } = effect;
  if (again === undefined) return [];
  if ('hang' in again.effect || 'hold' in again.effect)
    return node.hns.standing.slice('hang' in fault ? 1 : 0);
  return calls.slice(place.ordinal - 1 + again.from, place.ordinal + again.to);
}

function isLease(line: string, { call }: Bench): boolean {
  return line.startsWith(`lease of ${call.pod.containerId} `);
}

/** An address is given back only once its endpoint is known to be gone; GC has the IPAM plugin collect its own in any case. */
function takenAway({ node, call }: Bench, cell: Cell): readonly string[] {
  const { scenario } = cell;
  if (scenario.config['ipam'] === undefined || scenario.command === 'GC' || lieOf(cell) === 'endpoint')
    return [];
  const [endpoint] = ownEndpoints(node, call);
  const isLeased = node.ipam.leases.has(`${call.pod.containerId} eth0`);
  return endpoint === undefined || isLeased ? [] : [`the address of ${endpoint['Name']} was given back`];
}
