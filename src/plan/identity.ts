import { v5 } from 'uuid';
import type { Attachment } from '../cni/request.ts';
import type { Guid } from '../hcn/guid.ts';

const endpointNamespace = '5f0a3a0e-6f3d-4c1b-9d57-27a5c0e5b9d1';
const networkNamespace = 'b5a1c7f2-0c9e-4f0b-8f6e-3d2e7a9c4410';
const hostEndpointNamespace = 'c2e0d94b-51f7-4a86-9c3d-7b1f08a6e5d2';
const loadBalancerNamespace = '4b15ea21-cb4b-48e5-9f70-6f0e4840df16';
const remoteEndpointNamespace = 'd20583b7-7358-40d5-915a-a95981ba5d20';

/**
 * The endpoint of an attachment always has the same id: HCN refuses a second one, DEL finds it without a search.
 * A version-5 GUID (RFC 9562, section 5.5).
 */
export function endpointId({ containerId, ifname, network }: Attachment): Guid {
  return v5(lengthPrefixed(containerId, ifname, network), endpointNamespace);
}

/** The id of a network that win-hcn creates. */
export function networkId(name: string): Guid {
  return v5(lengthPrefixed(name), networkNamespace);
}

/** The id of the node's own endpoint on a network. */
export function hostEndpointId(network: string): Guid {
  return v5(lengthPrefixed(network), hostEndpointNamespace);
}

/** The id of the load balancer of a name. */
export function loadBalancerId(name: string): Guid {
  return v5(lengthPrefixed(name), loadBalancerNamespace);
}

/** The id of the endpoint that stands on a network for a backend elsewhere, whichever load balancer it is for. */
export function remoteEndpointId(network: Guid, address: string): Guid {
  return v5(lengthPrefixed(network, address), remoteEndpointNamespace);
}

/** Whether an id is a version-5 GUID, as ours are; HNS itself makes version 4. */
export function isDerived(id: Guid): boolean {
  return id[14] === '5';
}

/** What the endpoint is called in HCN and, as `vEthernet (<name>)`, in the container. */
export function endpointName({ containerId, ifname, network }: Attachment): string {
  return `${containerId}_${ifname}_${network}`;
}

/** What win-bridge, win-overlay and sdnbridge call the endpoint of a container on a network. */
export function inheritedEndpointName({ containerId, network }: Attachment): string {
  return `${containerId}_${network}`;
}

/** The attachment an endpoint is of, by its name and id; undefined for one that win-hcn did not make on this network. */
export function attachmentNamed(name: string, id: Guid, network: string): Attachment | undefined {
  const owner = ownerOnNetwork(name, network);
  const splits = [...owner.matchAll(/_/g)].map(({ index }) => ({
    containerId: owner.slice(0, index),
    ifname: owner.slice(index + 1),
    network,
  }));
  return splits.find((attachment) => endpointId(attachment) === id);
}

/** What stands before the network in an endpoint's name; empty where it ends with another network. */
export function ownerOnNetwork(name: string, network: string): string {
  return name.endsWith(`_${network}`) ? name.slice(0, -network.length - 1) : '';
}

/** Two lists of texts never give the same result. */
function lengthPrefixed(...texts: readonly string[]): string {
  return texts.map((text) => `${text.length}:${text}`).join('');
}
