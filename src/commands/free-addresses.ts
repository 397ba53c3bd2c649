import { afterRefusal, CniError, withDetails } from '../cni/error.ts';
import type { NetworkConfig } from '../config/network-config.ts';
import type { HcnClient } from '../hcn/client.ts';
import type { ObservedEndpoint } from '../hcn/documents.ts';
import type { HcnError } from '../hcn/errors.ts';
import type { Guid } from '../hcn/guid.ts';
import { isAddressTaken } from '../hcn/hresults.ts';
import { isManagedBy, isRemote, ownersOn } from '../model/ownership.ts';
import { isAttached } from '../model/readiness.ts';
import { type AddressHolder, reasonToHold, removalNotice, sharedAddress } from '../model/reclaim.ts';
import type { CreateEndpointStep } from '../plan/steps.ts';
import type { CommandContext } from './command-context.ts';

/** Whose configuration the endpoints on the network are made by. */
export type Owner = Pick<NetworkConfig, 'name' | 'behavior'>;

/**
 * Removes the leftovers that hold the addresses an endpoint was refused for, and answers whether there were any. Throws the
 * refusal, with everyone who holds an address rightly in its details, when somebody does: then nothing is removed. Each is looked
 * at once more right before it goes: another request may have attached it meanwhile.
 */
export async function freeAddresses(
  refusal: HcnError,
  step: CreateEndpointStep,
  owner: Owner,
  { hcn, notice }: Pick<CommandContext, 'hcn' | 'notice'>,
): Promise<boolean> {
  if (!isAddressTaken(refusal.hresult)) return false;
  try {
    const ids = await hcn.findEndpointsOfNetwork(step.network);
    const findOwner = ownersOn(owner.name, ids);
    const isManaged: IsManaged = (endpoint) => isManagedBy(owner.behavior, findOwner(endpoint));
    const holders = ids.filter((id) => id !== step.id);
    const found = await findReasons(holders, step, isManaged, hcn);
    if (found.some(({ reason }) => reason !== undefined)) throw refusedFor(refusal, found);
    for (const { holder } of found) {
      const again = await findReasons([holder.endpoint.ID], step, isManaged, hcn);
      if (again.some(({ reason }) => reason !== undefined)) throw refusedFor(refusal, again);
      const { ID } = holder.endpoint;
      const removed = again.length > 0 && (await hcn.deleteEndpoint(ID));
      if (removed) notice(removalNotice(holder));
    }
    return found.length > 0;
  } catch (error) {
    throw error instanceof CniError && error.cause === refusal ? error : afterRefusal(refusal, error);
  }
}

type IsManaged = (endpoint: ObservedEndpoint) => boolean;

interface Found {
  readonly holder: AddressHolder;
  /** Undefined for a leftover. */
  readonly reason: string | undefined;
}

function refusedFor(refusal: HcnError, found: readonly Found[]): CniError {
  return withDetails(refusal, ...found.map(({ reason }) => reason));
}

/** Those of the endpoints that have an address of the new one, and why they must stay. */
async function findReasons(
  endpoints: readonly Guid[],
  { document }: CreateEndpointStep,
  isManaged: IsManaged,
  hcn: HcnClient,
): Promise<readonly Found[]> {
  const found: Found[] = [];
  for (const id of endpoints) {
    const endpoint = await hcn.findEndpoint(id);
    const address = endpoint && sharedAddress(document, endpoint);
    if (endpoint === undefined || address === undefined) continue;
    const namespaceExists =
      isAttached(endpoint) && (await hcn.findNamespace(endpoint.HostComputeNamespace)) !== undefined;
    const holder = { endpoint, address, isManaged: isManaged(endpoint), namespaceExists };
    const loadBalancers = isRemote(endpoint) ? await hcn.findLoadBalancers() : [];
    found.push({ holder, reason: reasonToHold(holder, loadBalancers) });
  }
  return found;
}
