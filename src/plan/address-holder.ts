import type { HostComputeEndpoint, ObservedEndpoint, ObservedLoadBalancer } from '../hcn/documents.ts';
import { loadBalancersUsing } from './load-balancer.ts';
import { isAttached } from './observed-endpoint.ts';
import { isRemote } from './remote-endpoint.ts';

/** An endpoint with an address that another one is to have, and what else HCN says of it. */
export interface AddressHolder {
  readonly endpoint: ObservedEndpoint;
  readonly address: string;
  /** Whether win-hcn made it for a container, or the plugin whose configuration it has. */
  readonly isOurs: boolean;
  /** Whether the namespace that it says it is in exists. */
  readonly namespaceExists: boolean;
}

/** The address that an endpoint has of those a document asks for. */
export function sharedAddress(
  document: HostComputeEndpoint,
  endpoint: HostComputeEndpoint,
): string | undefined {
  const wanted = (document.IpConfigurations ?? []).map(({ IpAddress }) => IpAddress);
  return endpoint.IpConfigurations?.find(({ IpAddress }) => wanted.includes(IpAddress))?.IpAddress;
}

/**
 * Why an address holder must stay, in a sentence; undefined for a leftover. That is one we made for a container and that is in no
 * namespace, or in one that is gone, or a remote endpoint that no load balancer refers to: kube-proxy forgets those of pods that were
 * on other nodes. A namespace without containers proves nothing: a pod that is starting has one, and a hypervisor-isolated one always.
 */
export function reasonToStay(
  { endpoint, address, isOurs, namespaceExists }: AddressHolder,
  loadBalancers: readonly ObservedLoadBalancer[],
): string | undefined {
  const { ID: id, Name, HostComputeNamespace } = endpoint;
  if (isRemote(endpoint)) {
    const users = loadBalancersUsing(id, loadBalancers);
    return users.length === 0
      ? undefined
      : `${address} is the address of remote endpoint ${id}, which load balancers refer to (${users.join(', ')}): kube-proxy takes it for a pod on another node, and removes it when it knows better`;
  }
  if (!isAttached(endpoint) && !isInUse(endpoint)) {
    return isOurs
      ? undefined
      : `endpoint "${Name}" (${id}), which win-hcn did not make, has address ${address} and is in no namespace: if nobody needs it, win-hcn endpoint delete ${id} --yes deletes it`;
  }
  if (isOurs && !isInUse(endpoint) && !namespaceExists) return undefined;
  return `endpoint "${Name}" (${id}) in namespace ${HostComputeNamespace} has address ${address}: its pod must go first, or the IPAM plugin has lost its records`;
}

/** Attached, or attached and shared, as HNS's older interface counts the states: a container has it, whatever namespace it says. */
function isInUse({ State }: HostComputeEndpoint): boolean {
  return State === 2 || State === 3;
}

/** What was removed, for the log. */
export function removalNotice({ endpoint: { ID, Name }, address }: AddressHolder): string {
  return `removed endpoint "${Name}" (${ID}), a leftover with address ${address}`;
}
