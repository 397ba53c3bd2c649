import { limitsPerCall, newLimit } from '../../hcn/deadline.ts';
import { interceptIpHelperCalls, limitIpHelperCalls } from '../../iphlpapi/ip-helper.ts';
import type { HostAdapter } from '../../net/host-adapter.ts';
import type { System } from '../../system.ts';
import { isHnsUnavailable } from '../failure.ts';
import { openHcn, queryInventory } from '../inventory/read-inventory.ts';
import type { Session } from '../session.ts';
import { type Fact, type Facts, factFrom, type HcnFacts } from './facts.ts';
import type { ConfFile } from './runtime/conf-files.ts';
import { readRuntime } from './runtime/read-runtime.ts';

/** Short: users run doctor because calls may hang. */
const limits = limitsPerCall(10);

interface Gathered {
  readonly facts: Facts;
  /** False if the Host Network Service does not respond, not even with an error. */
  readonly isHnsAvailable: boolean;
}

/**
 * Reads the facts that checks share, each independently of the others. Changes nothing. `given` replaces the runtime's
 * configuration.
 */
export async function gather(session: Session, given: ConfFile | undefined): Promise<Gathered> {
  const { system } = session;
  const [{ isHnsAvailable, ...hcn }, adapters, runtime] = await Promise.all([
    readHcn(system),
    readAdapters(system),
    readRuntime(session, given),
  ]);
  const { executable, clock } = system;
  return { facts: { time: clock(), executable, adapters, ...hcn, ...runtime }, isHnsAvailable };
}

async function readHcn(system: System): Promise<HcnFacts & { readonly isHnsAvailable: boolean }> {
  let isHnsAvailable = true;
  const watched = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      if (isHnsUnavailable(error)) isHnsAvailable = false;
      throw error;
    }
  };
  const version = await factFrom(watched(openHcn(system, limits).version()));
  const inventory = await factFrom(watched(queryInventory(system, limits)));
  return { version, inventory, isHnsAvailable };
}

function readAdapters({ loadIpHelper, timer, now }: System): Promise<Fact<readonly HostAdapter[]>> {
  const limit = newLimit(limits, timer, now);
  return factFrom(interceptIpHelperCalls(loadIpHelper, limitIpHelperCalls(limit)).readAdapters());
}
