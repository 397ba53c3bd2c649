import { aroundHcnCalls } from '../../../hcn/around-calls.ts';
import { hcnClient } from '../../../hcn/client.ts';
import { hcnWithin, type Limit, limitsOf, newLimit } from '../../../hcn/deadline.ts';
import { aroundIpHelperCalls, ipHelperWithin } from '../../../iphlpapi/around-calls.ts';
import type { HostAdapter } from '../../../net/host-adapter.ts';
import type { System } from '../../../system.ts';
import { takeInventory } from '../../inventory/inventory.ts';
import { isHnsUnavailable } from '../../unavailable.ts';
import { type Fact, factOf } from '../fact.ts';
import type { Facts } from '../facts.ts';

/** What one call may take: whoever runs this suspects that they hang. */
const secondsPerCall = 10;

interface HcnFacts extends Pick<Facts, 'version' | 'inventory'> {
  /** Whether the service answered, were it only with a refusal. */
  readonly hnsAnswers: boolean;
}

/** Asks HCN for its version and for all it has. */
export async function askHcn(system: System): Promise<HcnFacts> {
  const hcn = hcnClient(aroundHcnCalls(system.loadLibrary, hcnWithin(limitFor(system))));
  let hnsAnswers = true;
  const noting = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      if (isHnsUnavailable(error)) hnsAnswers = false;
      throw error;
    }
  };
  const version = await factOf(noting(hcn.version()));
  const inventory = await factOf(noting(takeInventory(hcn)));
  return { version, inventory, hnsAnswers };
}

/** Asks the IP Helper for the node's adapters. */
export function askAdapters(system: System): Promise<Fact<readonly HostAdapter[]>> {
  const ipHelper = aroundIpHelperCalls(system.loadIpHelper, ipHelperWithin(limitFor(system)));
  return factOf(ipHelper.readAdapters());
}

function limitFor({ timer, now }: System): Limit {
  return newLimit(limitsOf(secondsPerCall), timer, now);
}
