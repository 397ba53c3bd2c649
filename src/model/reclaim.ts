import type { HostComputeEndpoint, ObservedEndpoint, ObservedLoadBalancer } from '../hcn/documents.ts';
import { type LeftoverReason, leftoverReason, loadBalancersUsing } from './leftovers.ts';
import { isRemote } from './ownership.ts';
import { isAttached, useOf } from './readiness.ts';

/** An endpoint that has an address which the IPAM plugin has assigned to a new endpoint. */
export interface AddressHolder {
  readonly endpoint: ObservedEndpoint;
  readonly address: string;
  /** Whether it is of a container, and the configuration's to delete. */
  readonly isManaged: boolean;
  /** Whether the namespace that it names exists. */
  readonly namespaceExists: boolean;
}

/** Why ADD must not delete an address holder. */
export type HoldReason = 'in use' | 'not ours' | 'backend';

/** Returns the first address of an endpoint that a document asks for; undefined if they share none. */
export function sharedAddress(
  document: HostComputeEndpoint,
  endpoint: HostComputeEndpoint,
): string | undefined {
  const wanted = (document.IpConfigurations ?? []).map(({ IpAddress }) => IpAddress);
  return endpoint.IpConfigurations?.find(({ IpAddress }) => wanted.includes(IpAddress))?.IpAddress;
}

/**
 * Decides whether ADD may delete an address holder. The new assignment of the address is evidence too, so that an endpoint of a replaced
 * plugin needs no idle state. No person confirms it, so that the state `Attached` or `AttachedSharing` protects an endpoint. Remote
 * endpoints may be anybody's: kube-proxy leaves those of deleted pods on other nodes.
 */
export function judgeHolder(
  { endpoint, isManaged, namespaceExists }: AddressHolder,
  loadBalancers: readonly ObservedLoadBalancer[],
): { readonly leftover: LeftoverReason } | { readonly hold: HoldReason } {
  const isBackend = loadBalancersUsing(endpoint.ID, loadBalancers).length > 0;
  const leftover = leftoverReason(endpoint, { namespaceExists, isBackend });
  if (isRemote(endpoint)) return leftover === undefined ? { hold: 'backend' } : { leftover };
  const isInUse = useOf(endpoint) === 'in use';
  if (leftover !== undefined && isManaged && !isInUse) return { leftover };
  return { hold: isAttached(endpoint) || isInUse ? 'in use' : 'not ours' };
}

const holdTexts: Readonly<
  Record<HoldReason, (holder: AddressHolder, loadBalancers: readonly ObservedLoadBalancer[]) => string>
> = {
  backend: ({ endpoint: { ID: id }, address }, loadBalancers) =>
    `remote endpoint ${id} has address ${address} and is a backend of load balancers (${loadBalancersUsing(id, loadBalancers).join(', ')}): kube-proxy deletes it when the pod on the other node is gone`,
  'not ours': ({ endpoint: { ID: id, Name: name }, address }) =>
    `endpoint "${name}" (${id}), not created by win-hcn and in no namespace, has address ${address}: if it is unused, delete it with win-hcn endpoint delete ${id} --yes`,
  'in use': ({ endpoint, address }) => {
    const { ID: id, Name: name } = endpoint;
    const user = isAttached(endpoint) ? `in namespace ${endpoint.HostComputeNamespace}` : 'of a container';
    return `endpoint "${name}" (${id}) ${user} has address ${address}: delete its pod first, or repair the records of the IPAM plugin`;
  },
};

/** Returns why ADD must not delete an address holder, in a sentence; undefined for a leftover. */
export function reasonToHold(
  holder: AddressHolder,
  loadBalancers: readonly ObservedLoadBalancer[],
): string | undefined {
  const verdict = judgeHolder(holder, loadBalancers);
  return 'hold' in verdict ? holdTexts[verdict.hold](holder, loadBalancers) : undefined;
}

/** Returns the notice that a leftover was deleted. */
export function removalNotice({ endpoint: { ID, Name }, address }: AddressHolder): string {
  return `deleted leftover endpoint "${Name}" (${ID}) with address ${address}`;
}
