import { limitsOf, newLimit } from '../hcn/deadline.ts';
import { aroundIpHelperCalls, ipHelperWithin } from '../iphlpapi/around-calls.ts';
import type { System } from '../system.ts';

/** What the call may take. */
const seconds = 10;

/** The addresses that this node's network adapters have; undefined where Windows does not tell. */
export async function nodeAddresses({
  loadIpHelper,
  timer,
  now,
}: System): Promise<readonly string[] | undefined> {
  const limit = newLimit(limitsOf(seconds), timer, now);
  const ipHelper = aroundIpHelperCalls(loadIpHelper, ipHelperWithin(limit));
  try {
    const adapters = await ipHelper.readAdapters();
    return adapters.flatMap(({ addresses }) => addresses.map(({ address }) => address));
  } catch {
    return undefined;
  }
}
