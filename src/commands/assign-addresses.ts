import { toCniError, withDetails } from '../cni/error.ts';
import type { Assignment } from '../plan/endpoint-addresses.ts';
import { type EndpointKey, findEndpointByKey } from '../steps/find-endpoints.ts';
import type { CommandContext } from './command-context.ts';
import { refuseAttached } from './create-endpoint.ts';

/**
 * The addresses that the IPAM plugin assigns to an endpoint. If the plugin fails, an earlier ADD may be the reason. If that one's
 * endpoint is attached, it keeps its addresses: throws code 101. If it is a leftover, deletes it, releases its addresses, and runs
 * the plugin again. Otherwise throws the plugin's error; the rollback then releases what the plugin may have assigned (specification,
 * section 4).
 */
export async function assignAddresses(
  plugin: string,
  endpoint: EndpointKey,
  { hcn, changes }: CommandContext,
): Promise<Assignment> {
  const assign = { do: 'assign addresses', plugin } as const;
  try {
    return await changes.apply(assign);
  } catch (error) {
    const failed = (lookup: unknown): never => {
      changes.keep(assign);
      throw withDetails(error, toCniError(lookup).message);
    };
    const leftover = await findEndpointByKey(endpoint, hcn).catch(failed);
    if (leftover === undefined) throw error;
    refuseAttached(leftover, changes);
    const { ID: id, Name: name } = leftover;
    await changes.apply({ do: 'delete leftover endpoint', id, name }).catch(failed);
    await changes.apply({ do: 'release addresses', plugin });
    changes.keep(assign);
    return changes.apply(assign);
  }
}
