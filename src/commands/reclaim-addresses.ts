import { afterRefusal, type CniError, withDetails } from '../cni/error.ts';
import type { NetworkConfig } from '../config/network-config.ts';
import type { HostComputeEndpoint, ObservedEndpoint } from '../hcn/documents.ts';
import type { HcnError } from '../hcn/errors.ts';
import type { EndpointId } from '../hcn/guid.ts';
import { isAddressTaken } from '../hcn/hresults.ts';
import { isRemote, managedEndpoints } from '../model/ownership.ts';
import { isAttached } from '../model/readiness.ts';
import { type AddressHolder, reasonToHold, removalNotice, sharedAddress } from '../model/reclaim.ts';
import { findReadableEndpoint } from '../steps/find-endpoints.ts';
import type { CommandContext } from './command-context.ts';

/**
 * Deletes the leftovers that hold the addresses HCN refused an endpoint for, and returns whether there were any. If a holder is not a
 * leftover, deletes nothing and throws the refusal, with every such holder in its details. Checks each holder again right before its
 * deletion: another request may have attached it in the meantime.
 */
export async function reclaimAddresses(
  refusal: HcnError,
  document: HostComputeEndpoint,
  config: Pick<NetworkConfig, 'name' | 'behavior'>,
  context: Pick<CommandContext, 'hcn' | 'changes' | 'notice'>,
): Promise<boolean> {
  const { hcn, changes, notice } = context;
  if (!isAddressTaken(refusal.hresult)) return false;
  const failed = (lookup: unknown): never => {
    throw afterRefusal(refusal, lookup);
  };
  const ids = await hcn.findEndpointsOfNetwork(document.HostComputeNetwork).catch(failed);
  const isManaged = managedEndpoints(config.name, config.behavior, ids);
  const find = (holders: readonly EndpointId[]) =>
    findHolders(holders, document, config.name, isManaged, context).catch(failed);
  const found = await find(ids.filter((id) => id !== document.ID));
  if (found.some(isInUse)) throw refusedFor(refusal, found);
  for (const { holder } of found) {
    const { ID: id, Name: name } = holder.endpoint;
    const [again] = await find([id]);
    if (again === undefined) continue;
    if (isInUse(again)) throw refusedFor(refusal, [again]);
    const deleted = await changes.apply({ do: 'delete leftover endpoint', id, name }).catch(failed);
    if (deleted) notice(removalNotice(holder));
  }
  return found.length > 0;
}

type IsManaged = (endpoint: ObservedEndpoint) => boolean;

interface Found {
  readonly holder: AddressHolder;
  /** Undefined for a leftover. */
  readonly reason: string | undefined;
}

function isInUse({ reason }: Found): boolean {
  return reason !== undefined;
}

function refusedFor(refusal: HcnError, found: readonly Found[]): CniError {
  return withDetails(refusal, ...found.map(({ reason }) => reason));
}

/** The endpoints that have an address of the document, and why each must stay. */
async function findHolders(
  endpoints: readonly EndpointId[],
  document: HostComputeEndpoint,
  network: string,
  isManaged: IsManaged,
  context: Pick<CommandContext, 'hcn' | 'notice'>,
): Promise<readonly Found[]> {
  const { hcn } = context;
  const found: Found[] = [];
  for (const id of endpoints) {
    const endpoint = await findReadableEndpoint(id, context);
    const address = endpoint && sharedAddress(document, endpoint);
    if (endpoint === undefined || address === undefined) continue;
    const namespaceExists =
      isAttached(endpoint) && (await hcn.findNamespace(endpoint.HostComputeNamespace)) !== undefined;
    const holder = { endpoint, address, network, isManaged: isManaged(endpoint), namespaceExists };
    const loadBalancers = isRemote(endpoint) ? await hcn.findLoadBalancers() : [];
    found.push({ holder, reason: reasonToHold(holder, loadBalancers) });
  }
  return found;
}
