import { aroundHcnCalls } from '../../hcn/around-calls.ts';
import { hcnClient } from '../../hcn/client.ts';
import { hcnWithin, limitsOf, newLimit } from '../../hcn/deadline.ts';
import type { System } from '../../system.ts';
import { type Inventory, takeInventory } from './inventory.ts';

/** A person waits, and a busy node is slow. */
export const listingLimits = limitsOf(30);

/** Asks HCN for all it has. Throws what its client throws. */
export function look({ loadLibrary, timer, now }: System): Promise<Inventory> {
  const limit = newLimit(listingLimits, timer, now);
  return takeInventory(hcnClient(aroundHcnCalls(loadLibrary, hcnWithin(limit))));
}
