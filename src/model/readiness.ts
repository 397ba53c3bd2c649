import type { HostComputeEndpoint, HostComputeNamespace, HostComputeNetwork } from '../hcn/documents.ts';
import type { NamespaceId } from '../hcn/guid.ts';
import { isLinkLocal } from '../net/address.ts';
import { isOverlay, providerAddressOf, settingsOf } from './network-document.ts';

/**
 * Whether HNS has finished a network. The ProviderAddress and DrMacAddress of an Overlay network appear seconds after its creation,
 * and while the adapter waits for DHCP the address is a link-local one that other nodes cannot reach.
 */
export function isReady(network: HostComputeNetwork): boolean {
  if (!isOverlay(network)) return true;
  const hasDrMac = settingsOf(network.Policies, 'DrMacAddress') !== undefined;
  return hasDrMac && isUsableAddress(providerAddressOf(network));
}

/** Whether HNS moves the adapter's address to a network of this type. */
export function hasManagementAddress({ Type }: HostComputeNetwork): boolean {
  return ['l2bridge', 'l2tunnel'].includes(Type?.toLowerCase() ?? '');
}

/** Whether other nodes can reach an address. An adapter that waits for DHCP has none, or a link-local one. */
export function isUsableAddress(address: string | undefined): boolean {
  return address !== undefined && !['', '0.0.0.0', '::'].includes(address) && !isLinkLocal(address);
}

/** Whether an endpoint is in a namespace. HNS writes the zero GUID for none. */
export function isAttached<E extends HostComputeEndpoint>(
  endpoint: E,
): endpoint is E & { readonly HostComputeNamespace: NamespaceId } {
  return /[1-9a-f]/i.test(endpoint.HostComputeNamespace ?? '');
}

/** Returns the namespace that an endpoint is in; undefined if none. */
export function attachedTo(endpoint: HostComputeEndpoint): NamespaceId | undefined {
  return isAttached(endpoint) ? endpoint.HostComputeNamespace : undefined;
}

/** HCN's EndpointState, by number: hcsshim, internal/hns/hnsendpoint.go. */
const stateNames = ['unknown', 'Created', 'Attached', 'AttachedSharing', 'Detached', 'Degraded', 'Destroyed'];

/** Returns HCN's name for an endpoint's state. */
export function stateName({ State = 0 }: Pick<HostComputeEndpoint, 'State'>): string {
  return stateNames[State] ?? `state ${State}`;
}

/** Returns whether a container has an endpoint, whatever namespace it names: in state Attached or AttachedSharing. */
export function isInUse({ State }: HostComputeEndpoint): boolean {
  return State === 2 || State === 3;
}

/** Returns whether an endpoint's state shows that no container has it: in state Created, Detached or Destroyed. */
export function isIdle({ State }: HostComputeEndpoint): boolean {
  return State === 1 || State === 4 || State === 6;
}

/** Returns the ids of the containers that run in a namespace. */
export function containersIn(namespace: HostComputeNamespace | undefined): readonly string[] {
  return (
    namespace?.Resources?.flatMap(({ Type, Data }) =>
      Type.toLowerCase() === 'container' ? (Data.Id ?? []) : [],
    ) ?? []
  );
}
