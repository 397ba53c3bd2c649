import type { Answer } from '../node.ts';
import { cleanUp, type Findings, findings, ofNetwork } from './aftermath.ts';
import type { Bench } from './bench.ts';
import type { Effect } from './effects.ts';
import { mayAnswer } from './expected-code.ts';
import { codeOf, request } from './request.ts';
import type { Next, Scenario } from './scenario.ts';
import { differences, snapshot } from './snapshot.ts';

/** One place where something goes wrong: which call or run, counted from one, what it is, and whether all was well without us. */
export interface Place {
  readonly ordinal: number;
  readonly name: string;
  readonly succeeds: boolean;
}

export interface Cell {
  readonly scenario: Scenario;
  readonly effect: Effect;
  readonly place: Place;
  readonly next: Next;
}

/** Lets a command meet an effect, has the runtime do what it does next, and looks at what is left. Leaves the bench as it was. */
export async function runCell(bench: Bench, cell: Cell): Promise<Findings> {
  const { scenario, effect, place, next } = cell;
  const { node, clock } = bench;
  const prevResult = (await scenario.attach?.(node, bench.call))?.json;
  const before = snapshot(node);
  inject(bench, effect, place.ordinal);
  const answer = await node.cni(scenario.command, request(bench.call, scenario.command, prevResult));
  node.hns.clearFaults();
  node.ipam.clearFaults();
  const surprises = wrongAnswer(answer, mayAnswer(scenario.command, place.name, effect.says));
  const mayStay = leftovers(cell);
  const changed = differences(before, snapshot(node, mayStay));
  const leaks = [
    ...changed.filter((line) => !mayChange(line, bench, cell, answer)),
    ...takenAway(bench, cell),
  ];

  const finish = async (): Promise<void> => {
    node.hns.release();
    await clock.idle();
  };
  const created = answer.exitCode === 0 ? ofNetwork(scenario) : [];
  const isAfterthought = effect.late === 'after what comes next';
  if (!isAfterthought) await finish();
  const after = await cleanUp(bench, scenario, {
    next,
    mayStay: [...mayStay, ...created],
    ...(isAfterthought && { afterthought: finish }),
  });
  return findings({ leaks, surprises }, after);
}

function inject({ node }: Bench, { hcn, again, ipam }: Effect, ordinal: number): void {
  if (hcn !== undefined) node.hns.inject({ ordinal, effect: hcn });
  for (let more = again?.from ?? 1; more <= (again?.to ?? 0); more += 1) {
    if (again !== undefined) node.hns.inject({ ordinal: ordinal + more, effect: again.effect });
  }
  if (ipam !== undefined) node.ipam.inject({ ordinal, ...ipam });
}

/** One document that says what is wrong, or none and success. */
function wrongAnswer(answer: Answer, codes: readonly number[]): readonly string[] {
  const isDocument =
    answer.exitCode === 0 || (typeof answer.json?.msg === 'string' && answer.json.cniVersion === '1.1.0');
  return isDocument && codes.includes(codeOf(answer)) ? [] : [`answered ${answer.stdout || 'success'}`];
}

/**
 * What may stay of an ADD that failed (docs/decisions/attachments.md): the node's own endpoint on a network that was there, and the
 * network itself when HNS creates it too late, or can delete nothing either.
 */
function leftovers({ scenario, effect }: Cell): readonly string[] {
  const isTakenBack = effect.late === undefined && effect.again === undefined;
  return scenario.neighbour === undefined && isTakenBack ? [] : ofNetwork(scenario);
}

/**
 * Whether a change may be seen right after the command. An ADD that failed has taken everything back but the address of an endpoint of
 * which it cannot know; one that could take nothing back, a DEL and a GC change what is the attachment's.
 */
function mayChange(line: string, { call, own }: Bench, { scenario, effect }: Cell, answer: Answer): boolean {
  const isOwn = own.some((key) => line.startsWith(key));
  switch (scenario.command) {
    case 'CHECK':
    case 'STATUS':
      return false;
    case 'DEL':
    case 'GC':
      return isOwn;
    case 'ADD': {
      if (answer.exitCode === 0) return isOwn || scenario.neighbour === undefined;
      if (effect.again !== undefined) return isOwn;
      return (
        line.startsWith(`lease of ${call.pod.containerId} `) && ['nothing', 'nonsense'].includes(effect.says)
      );
    }
  }
}

/** An address is given back only once its endpoint is known to be gone; GC has the IPAM plugin collect its own in any case. */
function takenAway({ node, call, own }: Bench, { scenario, effect, place }: Cell): readonly string[] {
  const isTold = effect.says === 'there is no such object' && place.name === 'HcnDeleteEndpoint';
  if (scenario.config['ipam'] === undefined || scenario.command === 'GC' || isTold) return [];
  const endpoint = node.hns.dump().endpoints.find(({ ID }) => own.includes(`endpoints ${ID}`));
  const isLeased = node.ipam.leases.has(`${call.pod.containerId} eth0`);
  return endpoint === undefined || isLeased ? [] : [`the address of ${endpoint['Name']} was given back`];
}
