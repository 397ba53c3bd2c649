import { aroundHcnCalls } from '../../hcn/around-calls.ts';
import { type HcnClient, hcnClient } from '../../hcn/client.ts';
import { hcnWithin, limitsOf, newLimit } from '../../hcn/deadline.ts';
import type { System } from '../../system.ts';
import { type Inventory, takeInventory } from './inventory.ts';

/** What a call may take; all of them together twice as long. A person waits, and a busy node is slow. */
const secondsPerCall = 30;

/** Asks HCN for all it has. Throws what its client throws. */
export function look(system: System): Promise<Inventory> {
  return takeInventory(limitedHcn(system));
}

/** A client that has nothing open yet, with a limit of its own for each call and for all of them. */
export function limitedHcn({ loadLibrary, timer, now }: System): HcnClient {
  const limit = newLimit(limitsOf(secondsPerCall), timer, now);
  return hcnClient(aroundHcnCalls(loadLibrary, hcnWithin(limit)));
}
