import { v5 } from 'uuid';
import { isInterfaceName, isName } from '../cni/name.ts';
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

/** Whether one of the endpoints on a network has an id of ours: then HNS takes the ids of callers, and no other is ours. */
export function takesCallerIds(endpoints: readonly Guid[]): boolean {
  return endpoints.some(isDerived);
}

/**
 * The endpoint's name in HCN and, as `vEthernet (<name>)`, in the container. It ends with the interface, because hcsshim attaches an
 * endpoint whose name ends with `eth0` first (microsoft/hcsshim, internal/uvm/network.go, sortEndpoints).
 */
export function endpointName({ containerId, ifname, network }: Attachment): string {
  return `${containerId}_${network}_${ifname}`;
}

/** What win-bridge, win-overlay and sdnbridge call the endpoint of a container on a network. */
export function inheritedEndpointName({ containerId, network }: Attachment): string {
  return `${containerId}_${network}`;
}

/**
 * The attachment that an endpoint belongs to; undefined if win-hcn did not create it on this network. Its id must be derived from its
 * name. If HNS chose the id, the name alone decides: it must be `<container>_<network>_<interface>`.
 */
export function attachmentNamed(name: string, id: Guid, network: string): Attachment | undefined {
  const named = attachmentsNamed(name, network);
  const derived = [...named, ...formerSplits(name, network)].find((split) => endpointId(split) === id);
  return derived !== undefined || isDerived(id) ? derived : named.at(-1);
}

/** The attachments on a network that give an endpoint this name: several where a container or interface has the network in its own. */
export function attachmentsNamed(name: string, network: string): readonly Attachment[] {
  return splitsOf(name, `_${network}_`).flatMap(([containerId, ifname]) =>
    isName(containerId) && isInterfaceName(ifname) ? [{ containerId, ifname, network }] : [],
  );
}

/** Earlier builds put the network last: `<container>_<interface>_<network>`. */
function formerSplits(name: string, network: string): readonly Attachment[] {
  return splitsOf(ownerOnNetwork(name, network), '_').map(([containerId, ifname]) => ({
    containerId,
    ifname,
    network,
  }));
}

/** The text before and after each occurrence of a separator. */
function splitsOf(text: string, separator: string): readonly (readonly [string, string])[] {
  const places = [...Array(text.length).keys()].filter((index) => text.startsWith(separator, index));
  return places.map((index) => [text.slice(0, index), text.slice(index + separator.length)]);
}

/** What stands before the network in an endpoint's name; empty where it ends with another network. */
export function ownerOnNetwork(name: string, network: string): string {
  return name.endsWith(`_${network}`) ? name.slice(0, -network.length - 1) : '';
}

/** Two lists of texts never give the same result. */
function lengthPrefixed(...texts: readonly string[]): string {
  return texts.map((text) => `${text.length}:${text}`).join('');
}
