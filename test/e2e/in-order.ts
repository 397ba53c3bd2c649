import type { Hns } from '../simulator/hns.ts';

/** Returns the same functions, which wait for their turn. */
export type InOrder = <L extends object>(library: L) => L;

/** The functions that win-hcn calls at once. It makes no change at once with anything else, except in a probe. */
const reads = ['enumerate', 'open', 'query', 'hnsCall', 'readAdapters'];

/**
 * Gives the reads of one request an order: each waits until HNS has answered the one before, or until that one hangs or is held. So a
 * test can name the k-th call although win-hcn makes some at once, and those overlap where it matters.
 */
export function inOrder(hns: Hns): InOrder {
  let turn: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(call: () => Promise<T>): Promise<T> => {
    const standing = turn.then(() => hns.nextStanding());
    const made = turn.then(call);
    turn = Promise.race([made.catch(() => undefined), standing]);
    return made;
  };
  return <L extends object>(library: L): L => {
    const known = ([name, call]: [string, (...given: unknown[]) => Promise<unknown>]) =>
      [name, reads.includes(name) ? (...given: unknown[]) => inTurn(() => call(...given)) : call] as const;
    return Object.fromEntries(Object.entries(library).map(known)) as L;
  };
}
