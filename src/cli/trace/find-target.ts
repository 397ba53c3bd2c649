import { addressesIn } from '../../hcn/documents.ts';
import type { Inventory } from '../../model/inventory.ts';
import { isRemote } from '../../model/ownership.ts';
import { formatPort } from '../../net/address.ts';
import type { Search } from '../inventory/resolve-object.ts';
import { findPod } from '../show/find-container.ts';
import { type Destination, parseDestination } from '../traffic/destination.ts';

/** The word for the node itself, as the source or the destination of traffic. A pod of this name needs its namespace. */
export const nodeWord = 'node';

/** The destination of a trace: addresses, with the port and the protocol of the command line. */
export interface Target {
  /** `pod shop/api` or `this node`; absent for an address. */
  readonly name?: string;
  /** At least one. */
  readonly destinations: readonly Destination[];
}

/** Finds what the text names: an address, this node, or a pod of this node. Undefined if its port or protocol is invalid. */
export function findTarget(
  text: string,
  nodeAddresses: readonly string[],
  inventory: Inventory,
): Search<Target> | undefined {
  const destination = parseDestination(text);
  if (destination !== undefined) return { found: { destinations: [destination] } };
  const [, key = text, port, protocol] = /^(.+):(\d+)(\/\w+)?$/.exec(text) ?? [];
  const at = (addresses: readonly string[]) =>
    addresses.map((address) =>
      parseDestination(port === undefined ? address : `${formatPort(address, port)}${protocol ?? ''}`),
    );
  const named = (name: string, addresses: readonly string[], problem: string): Search<Target> | undefined => {
    if (addresses.length === 0) return { problem, fix: useAddress };
    const destinations = at(addresses).filter((one) => one !== undefined);
    return destinations.length === 0 ? undefined : { found: { name, destinations } };
  };
  if (key.toLowerCase() === nodeWord)
    return named('this node', nodeAddresses, "the node's address on the pod's network is unknown");
  const search = findPod(key, inventory);
  if ('problem' in search) return search.isAmbiguous ? search : { ...search, fix: search.fix ?? useAddress };
  const { container, name, endpoints } = search.found;
  const pod = name === undefined ? `container ${container}` : `pod ${name}`;
  const addresses = endpoints.filter((endpoint) => !isRemote(endpoint)).flatMap((one) => addressesIn(one));
  return named(pod, addresses, `${pod} has no address`);
}

const useAddress =
  'Pods of other nodes and services need their address: kubectl get pods,services --all-namespaces -o wide';
