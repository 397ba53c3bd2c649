import {
  addressesIn,
  type HostComputeEndpoint,
  type ObservedEndpoint,
  type ObservedLoadBalancer,
} from '../hcn/documents.ts';
import { isSourceVip } from './identity.ts';
import { leftoverReason, loadBalancersUsing } from './leftovers.ts';
import { isRemote } from './ownership.ts';
import { isAttached, isInUse } from './readiness.ts';

/** An endpoint that has an address which the IPAM plugin has assigned to a new endpoint. */
export interface AddressHolder {
  readonly endpoint: ObservedEndpoint;
  readonly address: string;
  /** The name of its network. */
  readonly network: string;
  /** Whether it is of a container, and the configuration's to delete. */
  readonly isManaged: boolean;
  /** Whether the namespace that it names exists. */
  readonly namespaceExists: boolean;
}

/** Why ADD must not delete an address holder. */
type HoldReason = 'in use' | 'not ours' | 'backend' | 'source VIP';

/** Returns the first address of an endpoint that a document requests; undefined if they share none. */
export function sharedAddress(
  document: HostComputeEndpoint,
  endpoint: HostComputeEndpoint,
): string | undefined {
  const wanted = addressesIn(document);
  return addressesIn(endpoint).find((address) => wanted.includes(address));
}

/**
 * Returns why ADD must not delete an address holder; undefined for a leftover. The new assignment of the address is evidence too, so
 * that an endpoint of a replaced plugin needs no idle state. ADD runs unattended, so that the state `Attached` or
 * `AttachedSharing` protects an endpoint. A remote endpoint can have any owner: kube-proxy does not delete all of its own.
 */
function holdReason(
  { endpoint, network, isManaged, namespaceExists }: AddressHolder,
  loadBalancers: readonly ObservedLoadBalancer[],
): HoldReason | undefined {
  const isBackend = loadBalancersUsing(endpoint.ID, loadBalancers).length > 0;
  const isLeftover = leftoverReason(endpoint, { namespaceExists, isBackend }) !== undefined;
  if (isRemote(endpoint)) return isLeftover ? undefined : 'backend';
  if (isInUse(endpoint)) return 'in use';
  if (isLeftover && isManaged) return undefined;
  if (isAttached(endpoint)) return 'in use';
  return isSourceVip({ id: endpoint.ID, name: endpoint.Name }, network) ? 'source VIP' : 'not ours';
}

/** Returns why ADD must not delete an address holder, in a sentence; undefined for a leftover. */
export function reasonToHold(
  holder: AddressHolder,
  loadBalancers: readonly ObservedLoadBalancer[],
): string | undefined {
  const { endpoint, address } = holder;
  const { ID: id, Name: name, HostComputeNamespace: namespace } = endpoint;
  const held = `endpoint "${name}" (${id}) has address ${address}`;
  const deletion = `win-hcn debug endpoint delete ${id} --yes`;
  switch (holdReason(holder, loadBalancers)) {
    case 'backend':
      return `remote ${held} and is a backend of load balancers: kube-proxy deletes it when the pod on the other node is gone`;
    case 'in use':
      return `${held} and is in ${isAttached(endpoint) ? `namespace ${namespace}` : 'use'}: delete its pod first, or repair the records of the IPAM plugin`;
    case 'source VIP':
      return `${held} and is the source VIP of kube-proxy: ${deletion}, then win-hcn network ensure FILE --yes, replace it`;
    case 'not ours':
      return `${held} and was not created by win-hcn. If it is unused, run ${deletion}`;
    default:
      return undefined;
  }
}

/** Returns the notice that a leftover was deleted. */
export function removalNotice({ endpoint: { ID, Name }, address }: AddressHolder): string {
  return `deleted leftover endpoint "${Name}" (${ID}) with address ${address}`;
}
