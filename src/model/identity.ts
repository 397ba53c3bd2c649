import { v5 } from 'uuid';
import { type Attachment, isInterfaceName, isName } from '../cni/request.ts';
import { sourceVipHolders } from '../config/essential-keys.ts';
import type { EndpointId, Guid, NetworkId } from '../hcn/guid.ts';
import { onceFor } from './inventory.ts';

const endpointNamespace = namespaceBytes('5f0a3a0e-6f3d-4c1b-9d57-27a5c0e5b9d1');
const networkNamespace = namespaceBytes('b5a1c7f2-0c9e-4f0b-8f6e-3d2e7a9c4410');
const hostEndpointNamespace = namespaceBytes('c2e0d94b-51f7-4a86-9c3d-7b1f08a6e5d2');
const sourceVipNamespace = namespaceBytes('8f0d2a53-5b0c-4c8e-9a54-6d1f5e3b7c28');

/** A GUID as bytes: of a text, uuid would check the format first, with a long regular expression. */
function namespaceBytes(guid: string): Uint8Array {
  return Buffer.from(guid.replaceAll('-', ''), 'hex');
}

/**
 * Returns the id of an attachment's endpoint. It is always the same, so HCN refuses a second endpoint and DEL needs no search.
 * A version-5 GUID (RFC 9562, section 5.5), as all of these ids.
 */
export function endpointId({ containerId, ifname, network }: Attachment): EndpointId {
  return v5(lengthPrefixed(containerId, ifname, network), endpointNamespace);
}

/** Returns the id of a network that win-hcn creates. */
export function networkId(name: string): NetworkId {
  return v5(lengthPrefixed(name), networkNamespace);
}

/** Returns the id of the node's endpoint on a network. */
export function hostEndpointId(network: string): EndpointId {
  return v5(lengthPrefixed(network), hostEndpointNamespace);
}

/** Returns the id of a network's source VIP: the endpoint whose address kube-proxy sends from on an Overlay network. */
export function sourceVipId(network: string): EndpointId {
  return v5(lengthPrefixed(network), sourceVipNamespace);
}

/** Whether an id is a version-5 GUID, as ours are. HNS generates version 4. */
export function isDerived(id: Guid): boolean {
  return id[14] === '5';
}

/**
 * Returns whether an endpoint of win-hcn can have an id, on a network with endpoints of these ids. HNS either honors requested ids, so
 * that only derived ids are ours, or generates every id. One derived id on the network shows that HNS honors them.
 */
export function possibleIds(networkEndpoints: readonly EndpointId[]): (id: EndpointId) => boolean {
  return (id) => isDerived(id) || !hasDerived(networkEndpoints);
}

const hasDerived = onceFor((ids: readonly EndpointId[]) => ids.some(isDerived));

/**
 * Returns the name of an attachment's endpoint in HCN and, as `vEthernet (<name>)`, in the container. It ends with the interface,
 * because hcsshim attaches the endpoint whose name ends with `eth0` first (microsoft/hcsshim, internal/uvm/network.go, sortEndpoints).
 */
export function endpointName({ containerId, ifname, network }: Attachment): string {
  return `${containerId}_${network}_${ifname}`;
}

/** Returns the name that win-bridge, win-overlay and sdnbridge give the endpoint of a container on a network. */
export function replacedEndpointName({ containerId, network }: Attachment): string {
  return `${containerId}_${network}`;
}

/**
 * Whether an endpoint has a name of azure-vnet (the start of the container's id, and the interface: Azure/azure-container-networking
 * network/manager.go) or of AWS's vpc-bridge (`cid-<namespace>`: aws/amazon-vpc-cni-plugins plugins/vpc-bridge).
 */
export function hasNameOfCloudPlugin(name: string): boolean {
  return /^(?:[0-9a-f]{8}-eth\d{1,3}|cid-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i.test(name);
}

/** Returns the name of the node's endpoint on a network, the same as flannel's and Calico's. */
export function hostEndpointName(network: string): string {
  return `${network}_ep`;
}

/** Returns the name of a network's source VIP. */
export function sourceVipName(network: string): string {
  return `${network}_source_vip`;
}

/**
 * Returns the attachment that an endpoint belongs to; undefined if win-hcn did not create it on this network. A derived id must match
 * the name. If HNS generated the id, only the name decides: it must be `<container>_<network>_<interface>`.
 */
export function attachmentNamed(name: string, id: EndpointId, network: string): Attachment | undefined {
  const named = attachmentsNamed(name, network);
  if (!isDerived(id)) return named.at(-1);
  return named.find((split) => endpointId(split) === id);
}

/** Returns every attachment whose endpoint has this name: several if a container or an interface has the network in its own name. */
export function attachmentsNamed(name: string, network: string): readonly Attachment[] {
  return splitsOf(name, `_${network}_`).flatMap(([containerId, ifname]) =>
    isName(containerId) && isInterfaceName(ifname) ? [{ containerId, ifname, network }] : [],
  );
}

/** Returns the text before and after each occurrence of a separator. */
function splitsOf(text: string, separator: string): readonly (readonly [string, string])[] {
  const positions = [...Array(text.length).keys()].filter((index) => text.startsWith(separator, index));
  return positions.map((index) => [text.slice(0, index), text.slice(index + separator.length)]);
}

/** Returns the container in a name `<container>_<network>`; empty if the name ends with another network. */
export function containerInName(name: string, network: string): string {
  return name.endsWith(`_${network}`) ? name.slice(0, -network.length - 1) : '';
}

/** Joins texts so that two different lists never give the same result, except for lone surrogates, which have no UTF-8. */
function lengthPrefixed(...texts: readonly string[]): string {
  return texts.map((text) => `${text.length}:${text.toWellFormed()}`).join('');
}

interface Identity {
  readonly id: EndpointId;
  readonly name: string | undefined;
}

/** Whether an endpoint is the node's on a network, by its derived id, or by its name if HNS generated the id or another program created it. */
export function isHostEndpoint({ id, name }: Identity, network: string): boolean {
  return id === hostEndpointId(network) || name === hostEndpointName(network);
}

/** Whether an endpoint is the source VIP of a network, in the same way. */
export function isSourceVip({ id, name }: Identity, network: string): boolean {
  return id === sourceVipId(network) || name === sourceVipName(network);
}

/** Whether an endpoint belongs to the node and not to a container. */
export function isNodeEndpoint(endpoint: Identity, network: string): boolean {
  return isHostEndpoint(endpoint, network) || isSourceVip(endpoint, network);
}

/** Whether an IPAM plugin's reservation is of a source VIP: by win-hcn or rke2, or by the scripts of sig-windows-tools. */
export function isSourceVipReservation({
  container,
  interface: ifname,
}: {
  readonly container?: string;
  readonly interface?: string;
}): boolean {
  return sourceVipHolders.some((holder) => container === holder.containerID && ifname === holder.ifname);
}
