import type { NetworkConfig } from '../config/network-config.ts';
import type { HcnClient } from '../hcn/client.ts';
import type { HcnError } from '../hcn/errors.ts';
import { isAddressTaken } from '../hcn/hresults.ts';
import { type AddressHolder, reasonToStay, removalNotice, sharedAddress } from '../plan/address-holder.ts';
import { isAttached } from '../plan/observed-endpoint.ts';
import { isRemote } from '../plan/remote-endpoint.ts';
import { staleness } from '../plan/stale-endpoints.ts';
import type { Step } from '../plan/steps.ts';
import { toCniError, withDetails } from './failures.ts';
import type { Host } from './host.ts';

/** Whose configuration the endpoints on the network are made by. */
export type Owner = Pick<NetworkConfig, 'name' | 'manner'>;

type CreateStep = Step & { readonly do: 'create endpoint' };

/**
 * Removes the leftovers that hold the addresses an endpoint was refused for, and answers whether there were any. Throws the
 * refusal, with everyone who holds an address rightly in its details, when somebody does: then nothing is removed.
 */
export async function freeAddresses(
  refusal: HcnError,
  step: CreateStep,
  owner: Owner,
  { hcn, notice }: Pick<Host, 'hcn' | 'notice'>,
): Promise<boolean> {
  if (!isAddressTaken(refusal.hresult)) return false;
  const giveUp = (looking: unknown): never => {
    throw withDetails(refusal, toCniError(looking).message);
  };
  const holders = await findHolders(step, owner, hcn).catch(giveUp);
  const hasRemote = holders.some(({ endpoint }) => isRemote(endpoint));
  const loadBalancers = hasRemote ? await hcn.findLoadBalancers().catch(giveUp) : [];
  const reasons = holders.flatMap((holder) => reasonToStay(holder, loadBalancers) ?? []);
  if (reasons.length > 0) throw withDetails(refusal, ...reasons);
  for (const holder of holders) {
    await hcn.deleteEndpoint(holder.endpoint.ID).catch(giveUp);
    notice(removalNotice(holder));
  }
  return holders.length > 0;
}

async function findHolders(
  { id, network, document }: CreateStep,
  { name, manner }: Owner,
  hcn: HcnClient,
): Promise<readonly AddressHolder[]> {
  const { isStale } = staleness(name, [], manner);
  const holders: AddressHolder[] = [];
  for (const other of await hcn.findEndpointsOfNetwork(network)) {
    const endpoint = other === id ? undefined : await hcn.findEndpoint(other);
    const address = endpoint && sharedAddress(document, endpoint);
    if (endpoint === undefined || address === undefined) continue;
    const namespaceExists =
      isAttached(endpoint) && (await hcn.findNamespace(endpoint.HostComputeNamespace)) !== undefined;
    holders.push({ endpoint, address, isOurs: isStale(endpoint), namespaceExists });
  }
  return holders;
}
