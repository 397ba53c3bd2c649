import { addressesIn } from '../../hcn/documents.ts';
import type { Inventory } from '../../model/inventory.ts';
import { isRemote } from '../../model/ownership.ts';
import { families, formatPort, parseAddress } from '../../net/address.ts';
import { endpointRow } from '../inventory/endpoint-row.ts';
import { findAttachedPod } from '../inventory/pods.ts';
import type { Search } from '../inventory/resolve-object.ts';
import { type Destination, parseDestination } from '../traffic/destination.ts';
import { adapterWith, localEndpoint, managementAddress, type NodeState } from '../traffic/node-state.ts';
import type { Sender } from './predict-path.ts';

/** The word for the node itself, as the source or the destination of traffic. A pod of this name needs its namespace. */
export const nodeWord = 'node';

/** What sends, and the pod that it is. */
export interface Senders {
  /** Absent if the sender is no pod, or not known. */
  readonly container?: string;
  /** The name of the pod; absent if unknown. */
  readonly pod?: string;
  /** At least one. */
  readonly senders: readonly Sender[];
}

/** Finds a pod by its key or address, this node by its name or address, otherwise a sender elsewhere by its address. */
export function findSenders(key: string, node: NodeState): Search<Senders> {
  const address = parseAddress(key);
  const own = address === undefined ? undefined : localEndpoint(node, address);
  const isNode =
    key.toLowerCase() === nodeWord || (address !== undefined && adapterWith(node, address) !== undefined);
  if (isNode && own === undefined) return { found: { senders: [{ is: 'node' }] } };
  if (address !== undefined && own === undefined)
    return { found: { senders: [{ is: 'elsewhere', address }] } };
  const container = own && endpointRow(own, node.inventory).container;
  if (own !== undefined && container === undefined)
    return { found: { senders: [{ is: 'pod', endpoint: own }] } };
  const search = findAttachedPod(container ?? key, node.inventory);
  if ('problem' in search) return search;
  const { container: id, name: pod, endpoints } = search.found;
  const senders = (own === undefined ? endpoints : [own]).map(
    (endpoint) => ({ is: 'pod', endpoint }) as const,
  );
  return { found: { container: id, ...(pod !== undefined && { pod }), senders } };
}

/** The addresses of the node on the networks of the sending pod; on all networks for other senders. */
export function nodeAddresses(senders: readonly Sender[], node: NodeState): readonly string[] {
  const ids = senders.flatMap((sender) => (sender.is === 'pod' ? sender.endpoint.HostComputeNetwork : []));
  const networks = node.inventory.networks.filter(({ ID }) => ids.length === 0 || ids.includes(ID));
  const found = networks.flatMap((network) =>
    families.flatMap((family) => managementAddress(node, network, family) ?? []),
  );
  return [...new Set(found)];
}

const useAddress =
  'pods of other nodes and services need their address (kubectl get pods,services --all-namespaces -o wide)';

/**
 * Finds the destinations that a text names, at least one: an address, this node, or a pod of this node. Undefined if its port or protocol is
 * invalid.
 */
export function findTarget(
  text: string,
  ofNode: readonly string[],
  inventory: Inventory,
): Search<readonly Destination[]> | undefined {
  const destination = parseDestination(text);
  if (destination !== undefined) return { found: [destination] };
  const [, key = text, port, protocol = ''] = /^(.+):(\d+)(\/\w+)?$/.exec(text) ?? [];
  const at = (addresses: readonly string[], problem: string): Search<readonly Destination[]> | undefined => {
    const found = addresses.flatMap(
      (one) => parseDestination(port === undefined ? one : `${formatPort(one, port)}${protocol}`) ?? [],
    );
    if (found.length > 0) return { found };
    return addresses.length === 0 ? { problem: `${problem}; ${useAddress}` } : undefined;
  };
  if (key.toLowerCase() === nodeWord) return at(ofNode, "the node's address on the pod's network is unknown");
  const search = findAttachedPod(key, inventory);
  if ('problem' in search)
    return search.isAmbiguous ? search : { problem: `${search.problem}; ${useAddress}` };
  const { container, name, endpoints } = search.found;
  const pod = name === undefined ? `container ${container}` : `pod ${name}`;
  return at(endpoints.filter((one) => !isRemote(one)).flatMap(addressesIn), `${pod} has no address`);
}
