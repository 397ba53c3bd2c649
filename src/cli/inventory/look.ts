import { aroundHcnCalls } from '../../hcn/around-calls.ts';
import { type HcnClient, hcnClient, type Otherwise } from '../../hcn/client.ts';
import { hcnWithin, type Limits, limitsOf, newLimit } from '../../hcn/deadline.ts';
import { HcnError, HcnInvalidResponse } from '../../hcn/errors.ts';
import type { Inventory, Unreadable } from '../../model/inventory.ts';
import type { System } from '../../system.ts';

/** A person waits, and a busy node is slow. */
const patient = limitsOf(30);
/** For a look that is followed by others. */
export const impatient = limitsOf(5);

/** Asks HCN for all it has. Throws what its client throws, but for one object that cannot be read: the others are there to see. */
export async function look(system: System, limits: Limits = patient): Promise<Inventory> {
  const unreadable: Unreadable[] = [];
  const hcn = limitedHcn(system, limits, (error, kind, id) => {
    if (!isOfOne(error)) throw error;
    unreadable.push({ kind, id, error });
    return undefined;
  });
  const inventory = await takeInventory(hcn);
  return unreadable.length === 0 ? inventory : { ...inventory, unreadable };
}

/** A client that has nothing open yet, with a limit of its own for each call and for all of them. */
export function limitedHcn(
  { loadLibrary, timer, now }: System,
  limits: Limits = patient,
  otherwise?: Otherwise,
): HcnClient {
  const limit = newLimit(limits, timer, now);
  return hcnClient(aroundHcnCalls(loadLibrary, hcnWithin(limit)), otherwise);
}

/** Whether the service works, and the failure is that of one object. */
function isOfOne(error: unknown): error is HcnError | HcnInvalidResponse {
  return error instanceof HcnInvalidResponse || (error instanceof HcnError && !error.unavailable);
}

/** Takes stock. A namespace or a load balancer that comes meanwhile is there for every endpoint that says it is in it. */
async function takeInventory(hcn: HcnClient): Promise<Inventory> {
  const networks = await hcn.findNetworks();
  const endpoints = await hcn.findEndpoints();
  const namespaces = await hcn.findNamespaces();
  return { networks, endpoints, namespaces, loadBalancers: await hcn.findLoadBalancers() };
}
