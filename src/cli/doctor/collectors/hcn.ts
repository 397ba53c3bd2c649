import { limitsOf, newLimit } from '../../../hcn/deadline.ts';
import { aroundIpHelperCalls, ipHelperWithin } from '../../../iphlpapi/around-calls.ts';
import type { HostAdapter } from '../../../net/host-adapter.ts';
import type { System } from '../../../system.ts';
import { isHnsUnavailable } from '../../failure.ts';
import { openHcn, queryInventory } from '../../inventory/read-inventory.ts';
import { type Fact, factOf } from '../fact.ts';
import type { Facts } from '../facts.ts';

/** What calls may take: whoever runs this suspects that they hang. */
const limits = limitsOf(10);

interface HcnFacts extends Pick<Facts, 'version' | 'inventory'> {
  /** Whether the service answered, were it only with a refusal. */
  readonly hnsAnswers: boolean;
}

/** Asks HCN for its version, and for all it has that can be read. */
export async function askHcn(system: System): Promise<HcnFacts> {
  let hnsAnswers = true;
  const noting = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      if (isHnsUnavailable(error)) hnsAnswers = false;
      throw error;
    }
  };
  const version = await factOf(noting(openHcn(system, limits).version()));
  const inventory = await factOf(noting(queryInventory(system, limits)));
  return { version, inventory, hnsAnswers };
}

/** Asks the IP Helper for the node's adapters. */
export function askAdapters({ loadIpHelper, timer, now }: System): Promise<Fact<readonly HostAdapter[]>> {
  const limit = newLimit(limits, timer, now);
  return factOf(aroundIpHelperCalls(loadIpHelper, ipHelperWithin(limit)).readAdapters());
}
