import { toCniError, withDetails } from '../cni/error.ts';
import { type Delegate, delegateAdd, delegateCommand } from '../ipam/delegate.ts';
import type { Assignment } from '../plan/endpoint-addresses.ts';
import type { CommandContext } from './command-context.ts';
import { AlreadyAttached, removeUnfinished } from './create-endpoint.ts';
import type { EndpointKey } from './own-endpoints.ts';
import type { Undo } from './undo.ts';

/**
 * The addresses of an endpoint from the IPAM plugin; undefined without one. When the plugin refuses, an earlier ADD may be the
 * reason. One that works keeps its address: AlreadyAttached is thrown, and nothing released. One that was interrupted is
 * removed with its address, and the plugin asked anew. Otherwise the plugin is asked to give back what it may have taken
 * (specification, section 4).
 */
export async function assign(
  ipam: Delegate | undefined,
  endpoint: EndpointKey,
  { hcn }: CommandContext,
  undo: Undo,
): Promise<Assignment> {
  if (ipam === undefined) return undefined;
  const giveBack = () => delegateCommand(ipam, 'DEL');
  try {
    const assignment = await delegateAdd(ipam);
    undo.push('addresses', giveBack);
    return assignment;
  } catch (error) {
    const removed = await removeUnfinished(endpoint, hcn).catch((looking: unknown) => {
      throw looking instanceof AlreadyAttached ? looking : withDetails(error, toCniError(looking).message);
    });
    undo.push('addresses', giveBack);
    if (!removed) throw error;
    await giveBack();
    return delegateAdd(ipam);
  }
}
