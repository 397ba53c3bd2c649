import { setImmediate as turn } from 'node:timers/promises';
import { isNotFound } from '../../../src/hcn/hresults.ts';
import type { Answer } from '../node.ts';
import { cleanUp } from './aftermath.ts';
import type { Bench } from './bench.ts';
import type { Effect } from './effects.ts';
import { expectedCodes } from './expected-code.ts';
import { ofNetwork, ownEndpoints } from './found.ts';
import { type FalseReport, missingResults } from './missing-results.ts';
import type { Place } from './places.ts';
import { codeOf, request } from './request.ts';
import type { Next, Scenario } from './scenario.ts';
import { differences, snapshot } from './snapshot.ts';

export interface Cell {
  readonly scenario: Scenario;
  readonly effect: Effect;
  readonly place: Place;
  readonly next: Next;
}

/** An answer with its duration. */
interface Outcome {
  readonly answer: Answer;
  readonly milliseconds: number;
}

/** Runs a command with an effect, then what the runtime does next, and checks what is left. Restores the bench. */
export async function runCell(bench: Bench, cell: Cell): Promise<readonly string[]> {
  const { scenario, effect, next } = cell;
  const { node, clock } = bench;
  const prevResult = (await scenario.attach?.(bench))?.json;
  const before = snapshot(node);
  const outcome = await runWithEffect(bench, cell, prevResult);
  const changed = differences(before, snapshot(node, ofNetwork(scenario)));
  const found = [
    ...changed.filter((line) => !mayChange(line, bench, cell, outcome.answer)),
    ...releasedTooEarly(bench, cell),
    ...wrongAnswers(bench, cell, outcome),
  ];

  const finish = async (): Promise<void> => {
    // A call that a variant makes hang can be held as well.
    for (const _ of [1, 2]) {
      node.hns.release();
      await turn();
    }
    await clock.idle();
  };
  const isLateEffect = effect.late === 'after the next command';
  if (!isLateEffect) await finish();
  const after = await cleanUp(bench, scenario, {
    next,
    ...(isLateEffect && { lateEffect: finish }),
  });
  return [...found, ...after];
}

/** Runs the command with its effect, which ends with the command. */
async function runWithEffect(
  bench: Bench,
  { scenario, effect, place }: Cell,
  prevResult: unknown,
): Promise<Outcome> {
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
 * In seconds: twice hcnTimeoutSeconds for all calls, then the grace period, then the polls for a ready network, a new interface and
 * another request's network, and the pause after creating a Transparent network.
 */
const longest = 2 * 90 + 5 + 20 + 10 + 3 + 2;

/** Checks that a failure has one error document, that a success kept its promises, and that either was in time. */
function wrongAnswers(bench: Bench, cell: Cell, { answer, milliseconds }: Outcome): readonly string[] {
  const { scenario, effect, place } = cell;
  const isDocument =
    answer.exitCode === 0 || (typeof answer.json?.msg === 'string' && answer.json.cniVersion === '1.1.0');
  const isExpected = expectedCodes(scenario, place, effect).includes(codeOf(answer));
  return [
    ...(isDocument && isExpected ? [] : [`answered ${answer.stdout || 'success'}`]),
    ...(answer.exitCode === 0 ? missingResults(bench, scenario.command, answer, falseReportOf(cell)) : []),
    ...(milliseconds <= longest * 1000 ? [] : [`took ${milliseconds / 1000} s`]),
  ];
}

/** Whether HCN or the IPAM plugin reported a false state: an existing object as missing, or a failed run as done. */
function falseReportOf({
  effect: { reported, ipam },
  place: { name, hresult },
}: Cell): FalseReport | undefined {
  if (reported === 'object not found' && !isNotFound(hresult) && /Network|Endpoint/.test(name))
    return 'endpoint';
  return reported === 'invalid response of the plugin' && ipam?.when === 'before' ? 'lease' : undefined;
}

/** Whether a change may be visible right after the command: DEL and GC change the attachment's objects. */
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
      if (answer.exitCode === 0) return isOwn || cell.scenario.neighbor === undefined;
      return (
        (isOwn && isRollbackIncomplete(bench, cell, answer)) ||
        (isLease(line, bench) && mayAppearLater(bench, cell, answer))
      );
  }
}

/** Whether another call failed with which an ADD queries, detaches or deletes its endpoint. */
function isRollbackIncomplete(bench: Bench, cell: Cell, answer: Answer): boolean {
  const those = /^Hcn(Enumerate|Open|Query|Delete)Endpoint|^HcnModifyNamespace/;
  return alsoFailed(bench, cell, answer).some((name) => those.test(name));
}

/** Whether an endpoint may still appear after an ADD, which then does not release its address. */
function mayAppearLater(bench: Bench, cell: Cell, answer: Answer): boolean {
  const { effect, place } = cell;
  const isItsCreation = place.name === 'HcnCreateEndpoint' && place.about === 'its endpoint';
  const isUnknown = ['no response', 'late', 'timed out', 'invalid response'].includes(effect.reported);
  return (isItsCreation && isUnknown) || alsoFailed(bench, cell, answer).includes('HcnCreateEndpoint');
}

/** Returns the calls that an effect on several calls affected besides the first. */
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

/** An address is released only after its endpoint was deleted. GC always runs the IPAM plugin. */
function releasedTooEarly({ node, call }: Bench, cell: Cell): readonly string[] {
  const { scenario } = cell;
  if (
    scenario.config['ipam'] === undefined ||
    scenario.command === 'GC' ||
    falseReportOf(cell) === 'endpoint'
  )
    return [];
  const [endpoint] = ownEndpoints(node, call);
  const isLeased = node.ipam.leases.has(`${call.pod.containerId} eth0`);
  return endpoint === undefined || isLeased ? [] : [`the address of ${endpoint['Name']} was given back`];
}
