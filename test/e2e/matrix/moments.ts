import { setImmediate as turn } from 'node:timers/promises';
import type { Fault } from '../../simulator/faults.ts';
import type { Node } from '../node.ts';
import { isChange, type Place } from './places.ts';
import type { Next } from './scenario.ts';

/** When the running call takes effect. "Afterwards": HNS completes the call of a dead client. */
const whens = {
  before: { hang: true },
  after: { hold: 'after' },
  'with effect afterwards': { hold: 'before' },
} as const satisfies Readonly<Record<string, Fault['effect']>>;
export type When = keyof typeof whens;

/** A moment at which a command ends. */
export interface Kill {
  readonly place: Place;
  readonly when: When;
  readonly next: Next;
  /** Earlier calls that a variant makes hang. */
  readonly hangs: readonly Place[];
}

/** After a query means before the next call. An IPAM plugin that outlives win-hcn finishes its work before or after the kill. */
export function whensOf(place: Place): readonly When[] {
  if (!isChange(place)) return ['before'];
  return place.of === 'IPAM plugin' ? ['before', 'after'] : ['before', 'after', 'with effect afterwards'];
}

/** Resolves when the call at the place stands, after those that stand by themselves. */
export async function standingAt(
  { hns }: Node,
  { place: { name, nth: ordinal }, when, hangs }: Kill,
): Promise<void> {
  let standing = hns.nextStanding();
  hns.inject({ function: name, ordinal, effect: whens[when] });
  for (const _ of hangs) {
    await standing;
    standing = hns.nextStanding();
  }
  await standing;
}

/** Lets HNS finish the calls of a command that has ended. A call that a variant makes hang can be held as well. */
export async function finishCalls({ hns }: Node, { hangs }: Kill): Promise<void> {
  hns.clearFaults();
  for (let round = 0; round < hangs.length + 2; round += 1) {
    hns.release();
    await turn();
  }
}
