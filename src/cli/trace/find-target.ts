import { addressesIn } from '../../hcn/documents.ts';
import type { Inventory } from '../../model/inventory.ts';
import { isRemote } from '../../model/ownership.ts';
import { formatPort } from '../../net/address.ts';
import type { Search } from '../inventory/resolve-object.ts';
import { findPod } from '../show/find-container.ts';
import { type Destination, parseDestination } from '../traffic/destination.ts';

/** The word for the node itself, as the source or the destination of traffic. A pod of this name needs its namespace. */
export const nodeWord = 'node';

/**
 * Finds the destinations that a text names, at least one: an address, this node, or a pod of this node. Undefined if its port or protocol is
 * invalid.
 */
export function findTarget(
  text: string,
  nodeAddresses: readonly string[],
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
    return addresses.length === 0 ? { problem, fix: useAddress } : undefined;
  };
  if (key.toLowerCase() === nodeWord)
    return at(nodeAddresses, "the node's address on the pod's network is unknown");
  const search = findPod(key, inventory);
  if ('problem' in search) return search.isAmbiguous ? search : { ...search, fix: search.fix ?? useAddress };
  const { container, name, endpoints } = search.found;
  const pod = name === undefined ? `container ${container}` : `pod ${name}`;
  return at(endpoints.filter((one) => !isRemote(one)).flatMap(addressesIn), `${pod} has no address`);
}

const useAddress =
  'Pods of other nodes and services need their address: kubectl get pods,services --all-namespaces -o wide';
