import type { Choose } from './scheduler.ts';

/** The bounds of a search: the number of orders, and how often an order leaves a command whose calls could go on. */
export interface Bounds {
  readonly orders: number;
  readonly switches: number;
}

/**
 * Runs `run` with every order within the bounds, the calls' own order first. Returns the number of orders. Throws if there are more than
 * allowed: an incomplete search would not notice what it misses.
 */
export async function inEveryOrder(
  { orders, switches }: Bounds,
  run: (choose: Choose) => Promise<void>,
): Promise<number> {
  let planned: readonly number[] = [];
  for (let count = 1; count <= orders; count += 1) {
    const taken: number[] = [];
    const possible: number[] = [];
    let switchesLeft = switches;
    let last = 0;
    await run((commands) => {
      const indices = [...commands.keys()];
      const own = indices.filter((index) => commands[index] === last);
      const others = indices.filter((index) => commands[index] !== last);
      const allowed = own.length > 0 && switchesLeft === 0 ? own : [...own, ...others];
      const choice = planned[taken.length] ?? 0;
      possible.push(allowed.length);
      taken.push(choice);
      const index = allowed[choice] ?? 0;
      if (own.length > 0 && !own.includes(index)) switchesLeft -= 1;
      last = commands[index] ?? 0;
      return index;
    });
    const varied = taken.findLastIndex((choice, place) => choice + 1 < (possible[place] ?? 0));
    if (varied === -1) return count;
    planned = [...taken.slice(0, varied), (taken[varied] ?? 0) + 1];
  }
  throw new Error(`there are more than ${orders} orders`);
}
