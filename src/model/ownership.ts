import { type Attachment, isName } from '../cni/request.ts';
import type { Behavior } from '../config/behavior.ts';
import type {
  HostComputeEndpoint,
  HostComputeNamespace,
  ObservedEndpoint,
  ObservedNetwork,
} from '../hcn/documents.ts';
import type { EndpointId, NetworkId } from '../hcn/guid.ts';
import { familyOf, parseAddress } from '../net/address.ts';
import { formatMac, macFromAddress } from '../net/mac.ts';
import {
  attachmentNamed,
  containerInName,
  endpointId,
  endpointName,
  hasNameOfCloudPlugin,
  hostEndpointId,
  isDerived,
  isNodeEndpoint,
  networkId,
  possibleIds,
  replacedEndpointName,
} from './identity.ts';
import { findById, type Inventory, onceFor } from './inventory.ts';
import { providerAddressOf } from './network-document.ts';
import { attachedTo, containersIn, isAttached } from './readiness.ts';

/**
 * Who created an object. `another plugin`: a plugin that win-hcn can replace, azure-vnet or vpc-bridge, by the form of the name.
 * `node`: what stands for the node itself, whichever program created it: the host endpoint, the source VIP of kube-proxy, and on an
 * Overlay network the remote endpoint that kube-proxy creates for each service.
 */
export type Owner = 'win-hcn' | 'another plugin' | 'node' | 'kube-proxy' | 'unknown';

/** Who created an endpoint, and for which container, as far as its name and id show. */
export interface Ownership {
  readonly owner: Owner;
  readonly container?: string;
  readonly interface?: string;
}

/** Who created an endpoint for a container. */
interface ContainerOwnership extends Ownership {
  readonly nameForm: Behavior['endpointName'];
}

/** The interface that nearly every container has. A name without an interface is read as this one. */
export const usualInterface = 'eth0';

/** https://learn.microsoft.com/virtualization/api/hcn/hns_schema#EndpointFlags */
export const remoteEndpointFlag = 1;

/** The first octets of the MAC addresses that kube-proxy gives its remote endpoints. */
export const remoteMacPrefix = '02-11';

/** The MAC address that kube-proxy gives every IPv6 address. */
const kubeProxyMacForIpv6 = '02-11-22-33-44-55';

/**
 * Returns the ownership of the endpoints of one network that were created for containers; undefined for other endpoints.
 * `networkEndpoints` are the ids of all endpoints of the network. The caller checks whether an endpoint is in the node's namespace.
 */
function containerOwnership(
  network: string,
  networkEndpoints: readonly EndpointId[],
): (endpoint: ObservedEndpoint) => ContainerOwnership | undefined {
  const isPossible = possibleIds(networkEndpoints);
  return (endpoint) => {
    const { ID: id, Name: name } = endpoint;
    if (isRemote(endpoint) || isNodeEndpoint({ id, name }, network)) return undefined;
    const attachment = attachmentNamed(name, id, network);
    if (attachment !== undefined && isPossible(id))
      return { owner: 'win-hcn', ...holderOf(attachment), nameForm: 'with interface' };
    const container = containerInName(name, network);
    if (!isName(container)) return undefined;
    const nameForm = 'without interface';
    if (!isDerived(id)) return { owner: 'another plugin', container, nameForm };
    const usual = { containerId: container, ifname: usualInterface, network };
    const holder = endpointId(usual) === id ? holderOf(usual) : { container };
    return { owner: 'win-hcn', ...holder, nameForm };
  };
}

/**
 * Returns whether a configuration may delete an endpoint of its network: it was created for a container, with a name of win-hcn or, in
 * the dialect of another plugin, of that plugin. `networkEndpoints` are the ids of all endpoints of the network. The caller checks
 * whether an endpoint is in the node's namespace.
 */
export function managedEndpoints(
  network: string,
  { endpointName }: Pick<Behavior, 'endpointName'>,
  networkEndpoints: readonly EndpointId[],
): (endpoint: ObservedEndpoint) => boolean {
  const find = containerOwnership(network, networkEndpoints);
  return (endpoint) => {
    const nameForm = find(endpoint)?.nameForm;
    return nameForm === 'with interface' || nameForm === endpointName;
  };
}

/** Returns the owner and the container of an endpoint: if its name does not show a container, the only one in its namespace. */
export function ownershipIn(inventory: OwnershipFacts, endpoint: ObservedEndpoint): Ownership {
  const ownership = ownershipByIdentity(inventory, endpoint);
  const container = ownership.container ?? onlyContainerOf(endpoint, inventory.namespaces);
  return { ...ownership, ...(container !== undefined && { container }) };
}

type OwnershipFacts = Pick<Inventory, 'networks' | 'endpoints' | 'namespaces'>;

function ownershipByIdentity(
  { networks, endpoints, namespaces }: OwnershipFacts,
  endpoint: ObservedEndpoint,
): Ownership {
  const { ID: id, Name: name, HostComputeNetwork: networkId } = endpoint;
  const own = findById(networks, networkId);
  if (isRemote(endpoint)) return { owner: ownerOfRemote(endpoint, own) };
  if (isAttached(endpoint) && selectHostNamespace(namespaces)?.ID === endpoint.HostComputeNamespace)
    return { owner: 'node' };
  if (own === undefined) return { owner: 'unknown' };
  const { Name: network } = own;
  // An endpoint in a pod's namespace is not the node's, whatever its name is.
  const mayBeOfNode = id === hostEndpointId(network) || !isAttached(endpoint);
  if (mayBeOfNode && isNodeEndpoint({ id, name }, network)) return { owner: 'node' };
  const found = containerOwnership(network, idsByNetwork(endpoints).get(networkId) ?? [])(endpoint);
  if (found === undefined) return { owner: hasNameOfCloudPlugin(name) ? 'another plugin' : 'unknown' };
  const { nameForm: _, ...ownership } = found;
  return ownership;
}

/** The ids of the endpoints of each network. */
const idsByNetwork = onceFor((endpoints: readonly ObservedEndpoint[]) => {
  const groups = Map.groupBy(endpoints, ({ HostComputeNetwork }) => HostComputeNetwork);
  return new Map([...groups].map(([network, group]) => [network, group.map(({ ID }) => ID)]));
});

/** No other node has this node's provider address. kube-proxy also gives it to backends in no remote subnet, which its MAC addresses show. */
function ownerOfRemote(endpoint: ObservedEndpoint, network: ObservedNetwork | undefined): Owner {
  if (hasMacOfKubeProxy(endpoint)) return 'kube-proxy';
  const provider = providerAddressOf(endpoint);
  const isOfNode = provider !== undefined && network !== undefined && provider === providerAddressOf(network);
  return isOfNode ? 'node' : 'unknown';
}

/** Whether win-hcn created a network. */
export function isOwnNetwork({ ID, Name }: { readonly ID: NetworkId; readonly Name: string }): boolean {
  return ID === networkId(Name);
}

/** Whether an endpoint stands for an address on another node. */
export function isRemote({ Flags = 0 }: HostComputeEndpoint): boolean {
  return (Flags & remoteEndpointFlag) !== 0;
}

/** Finds the node's own namespace: it is in compartment 1, where other namespaces of its type may exist. */
export const selectHostNamespace = onceFor((namespaces: readonly HostComputeNamespace[]) =>
  namespaces.find((namespace) => isHostNamespace(namespace) && namespace.NamespaceId === 1),
);

/** Whether a namespace is the node's and not a pod's. */
export function isHostNamespace({ Type }: HostComputeNamespace): boolean {
  return Type?.toLowerCase() === 'hostdefault';
}

function onlyContainerOf(
  endpoint: ObservedEndpoint,
  namespaces: readonly HostComputeNamespace[],
): string | undefined {
  const [container, ...others] = containersIn(findById(namespaces, attachedTo(endpoint)));
  return others.length === 0 ? container : undefined;
}

/**
 * kube-proxy does not name its endpoints, but derives their MAC addresses from their IPv4 addresses.
 * https://github.com/kubernetes/kubernetes/blob/master/pkg/proxy/winkernel/proxier.go
 */
function hasMacOfKubeProxy({ MacAddress, IpConfigurations = [] }: ObservedEndpoint): boolean {
  const macs = IpConfigurations.flatMap(({ IpAddress }) => {
    const address = parseAddress(IpAddress);
    if (address === undefined) return [];
    return familyOf(address) === 'IPv4' ? macFromAddress(remoteMacPrefix, address) : kubeProxyMacForIpv6;
  });
  return macs.some((mac) => formatMac(mac) === (MacAddress && formatMac(MacAddress)));
}

function holderOf({ containerId, ifname }: Attachment): Pick<Ownership, 'container' | 'interface'> {
  return { container: containerId, interface: ifname };
}

/** Which endpoints of a network CNI's GC deletes. */
export interface Garbage {
  /** The ids that GC must query. */
  readonly candidates: readonly EndpointId[];
  /** Whether an endpoint is of a container, the configuration's to delete, and of no valid attachment. */
  isGarbage(endpoint: ObservedEndpoint): boolean;
  /** For whom an endpoint was created; undefined if that is unknown. */
  attachmentOf(endpoint: ObservedEndpoint): Attachment | undefined;
}

/**
 * Decides which endpoints of a network belong to no valid attachment; `ids` are those of all its endpoints. GC deletes them even if they
 * are attached: the runtime decides which attachments are valid. The caller recognizes the node's endpoints by their namespace.
 */
export function garbageOn(
  network: string,
  valid: readonly Attachment[],
  behavior: Behavior,
  ids: readonly EndpointId[],
): Garbage {
  const isDropIn = behavior.endpointName === 'without interface';
  const isPossible = possibleIds(ids);
  const validIds = new Set(valid.map(endpointId));
  const validNames = new Set([
    ...valid.map(endpointName),
    ...(isDropIn ? valid.map(replacedEndpointName) : []),
  ]);
  const find = containerOwnership(network, ids);
  const isManaged = managedEndpoints(network, behavior, ids);
  return {
    candidates: ids.filter((id) => !validIds.has(id) && (isDropIn || isPossible(id))),
    isGarbage: (endpoint) => {
      const isValid = !isDerived(endpoint.ID) && validNames.has(endpoint.Name);
      return !isValid && isManaged(endpoint);
    },
    attachmentOf: (endpoint) => {
      const { container: containerId, interface: ifname } = find(endpoint) ?? {};
      return containerId === undefined || ifname === undefined ? undefined : { containerId, ifname, network };
    },
  };
}
