import { addressesIn } from '../../hcn/documents.ts';
import type { Inventory } from '../../model/inventory.ts';
import { formatPort, parseAddress } from '../../net/address.ts';
import { findAttachedPod } from '../inventory/pods.ts';
import type { Search } from '../inventory/resolve-object.ts';
import { type Destination, parseDestination } from '../traffic/destination.ts';
import { adapterWith, localEndpoint, type NodeState } from '../traffic/node-state.ts';
import type { Sender } from './predict-path.ts';

/** The word for the node itself as the source of traffic. A pod of this name needs its namespace. */
export const nodeWord = 'node';

/**
 * Finds what sends, at least one: a pod by its key or address, this node by its name or address, otherwise a sender elsewhere by its
 * address. With the container and name of a pod, if they are known.
 */
export function findSenders(
  key: string,
  node: NodeState,
): Search<{ container?: string; pod?: string; senders: readonly Sender[] }> {
  const address = parseAddress(key);
  const own = address === undefined ? undefined : localEndpoint(node, address);
  if (own !== undefined) return { found: { senders: [{ is: 'pod', endpoint: own }] } };
  if (key.toLowerCase() === nodeWord || (address !== undefined && adapterWith(node, address) !== undefined))
    return { found: { senders: [{ is: 'node' }] } };
  if (address !== undefined) return { found: { senders: [{ is: 'elsewhere', address }] } };
  const search = findAttachedPod(key, node.inventory);
  if ('problem' in search) return search;
  const { container, name: pod, endpoints } = search.found;
  const senders = endpoints.map((endpoint) => ({ is: 'pod', endpoint }) as const);
  return { found: { container, ...(pod !== undefined && { pod }), senders } };
}

const useAddress =
  'pods of other nodes and services need their address (kubectl get pods,services --all-namespaces -o wide)';

/**
 * Finds the destinations that a text names, at least one: an address, or a pod of this node. Undefined if its port or protocol is invalid.
 */
export function findTarget(text: string, inventory: Inventory): Search<readonly Destination[]> | undefined {
  const destination = parseDestination(text);
  if (destination !== undefined) return { found: [destination] };
  const [, key = text, port, protocol = ''] = /^(.+):(\d+)(\/\w+)?$/.exec(text) ?? [];
  const [host = ''] = key.replaceAll(/[[\]]/g, '').split('/', 1);
  if (parseAddress(host) !== undefined) return undefined;
  const search = findAttachedPod(key, inventory);
  if ('problem' in search)
    return search.isAmbiguous || search.isFound ? search : { problem: `${search.problem}; ${useAddress}` };
  const addresses = search.found.endpoints.flatMap(addressesIn);
  if (addresses.length === 0) return { problem: `${key} has no address; ${useAddress}` };
  const found = addresses.flatMap(
    (one) => parseDestination(port === undefined ? one : `${formatPort(one, port)}${protocol}`) ?? [],
  );
  return found.length > 0 ? { found } : undefined;
}
