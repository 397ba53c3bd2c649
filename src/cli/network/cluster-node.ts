import { shortMessage } from '../../cni/error.ts';
import type { JsonObject } from '../../json/members.ts';
import { type Family, families, familyOf, isHostAddress, parseAddress } from '../../net/address.ts';
import { whyNoPodSubnet } from '../../net/overlaps.ts';
import { formatPrefix, networkOf, parsePrefix } from '../../net/prefix.ts';
import { membersOf, readKubectlList } from '../terminal/kubectl-list.ts';

const prefix = 'flannel.alpha.coreos.com';

/**
 * The annotations with which flannel's nodes tell each other how to reach their pods.
 * https://github.com/flannel-io/flannel/blob/master/pkg/subnet/kube/annotations.go
 */
export const flannelAnnotations = {
  /** `true` on every node that flannel manages. */
  managed: `${prefix}/kube-subnet-manager`,
  /** `vxlan` or `host-gw`, among others. */
  backendType: `${prefix}/backend-type`,
  /** JSON: with `vxlan`, the VNI and the MAC address of the node's tunnel; null with `host-gw`. */
  backendData: { IPv4: `${prefix}/backend-data`, IPv6: `${prefix}/backend-v6-data` },
  /** The node's address on the physical network. */
  publicAddress: { IPv4: `${prefix}/public-ip`, IPv6: `${prefix}/public-ipv6` },
  /** Set by an administrator, for flannel to publish instead of the address that it finds. */
  publicAddressOverwrite: { IPv4: `${prefix}/public-ip-overwrite`, IPv6: `${prefix}/public-ipv6-overwrite` },
} as const satisfies Readonly<Record<string, string | Readonly<Record<Family, string>>>>;

/** A node of the cluster, as far as the traffic of its pods concerns other nodes. Addresses and prefixes are canonical. */
export type ClusterNode = NonNullable<ReturnType<typeof readClusterNode>>;

/** Whether a node of Kubernetes can have a name. https://kubernetes.io/docs/concepts/overview/working-with-objects/names/#dns-subdomain-names */
export function isNodeName(text: string): boolean {
  return text.length <= 253 && /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/.test(text);
}

/** Reads a Node object of Kubernetes; undefined if it has no valid name. */
export function readClusterNode(value: unknown) {
  const node = membersOf(value);
  const { name, annotations: given } = membersOf(node['metadata']);
  if (typeof name !== 'string' || !isNodeName(name)) return undefined;
  const annotations = membersOf(given);
  const annotation = (key: string): string | undefined => {
    const text = annotations[key];
    return typeof text === 'string' && text !== '' ? text : undefined;
  };
  const { backendType, backendData, publicAddress, publicAddressOverwrite } = flannelAnnotations;
  const podSubnets = readPodSubnets(membersOf(node['spec']));
  return {
    name,
    podSubnets: typeof podSubnets === 'string' ? [] : podSubnets,
    ...(typeof podSubnets === 'string' && { problem: podSubnets }),
    internalAddresses: readInternalAddresses(membersOf(node['status'])),
    // What flannel publishes; no backend type if it does not manage the node.
    flannel: {
      backendType: annotation(backendType),
      publicAddress: ofEachFamily((family) =>
        hostAddress(annotation(publicAddressOverwrite[family]) ?? annotation(publicAddress[family]), family),
      ),
      backendData: ofEachFamily((family) => annotation(backendData[family])),
    },
  };
}

/** Every address of the node that a packet from another node can be sent to. */
export function addressesOf({ internalAddresses, flannel }: ClusterNode): readonly string[] {
  const published = families.flatMap((family) => flannel.publicAddress[family] ?? []);
  return [...new Set([...internalAddresses, ...published])];
}

/**
 * The pod subnets in the `spec` of a node, or what is wrong with them: then any subnet may be the node's. `podCIDR` is the first of
 * `podCIDRs`; older clusters only have the former. Kubernetes allows one of each address family.
 */
export function readPodSubnets({ podCIDR, podCIDRs }: JsonObject): readonly string[] | string {
  const given: unknown = podCIDRs ?? (podCIDR ? [podCIDR] : []);
  if (!Array.isArray(given)) return 'has podCIDRs that are not a list';
  if (given.length > families.length)
    return `has ${given.length} PodCIDRs, expected one of each address family`;
  const subnets: string[] = [];
  for (const text of given) {
    const prefix = typeof text === 'string' ? parsePrefix(text) : undefined;
    if (prefix === undefined) return `has the invalid PodCIDR ${shortMessage(JSON.stringify(text), 100)}`;
    const subnet = formatPrefix(networkOf(prefix));
    const reason = whyNoPodSubnet(subnet);
    if (reason !== undefined) return `has PodCIDR ${subnet}, which ${reason}`;
    subnets.push(subnet);
  }
  return subnets;
}

function readInternalAddresses({ addresses }: JsonObject): readonly string[] {
  if (!Array.isArray(addresses)) return [];
  return addresses.flatMap((entry: unknown) => {
    const { type, address } = membersOf(entry);
    return type === 'InternalIP' && typeof address === 'string' ? (hostAddress(address) ?? []) : [];
  });
}

/** The canonical address, undefined unless a host can have it. */
function hostAddress(text: string | undefined, family?: Family): string | undefined {
  const address = text === undefined ? undefined : parseAddress(text);
  if (address === undefined || !isHostAddress(address)) return undefined;
  return family === undefined || familyOf(address) === family ? address : undefined;
}

function ofEachFamily<T>(read: (family: Family) => T): Readonly<Record<Family, T>> {
  return { IPv4: read('IPv4'), IPv6: read('IPv6') };
}

/** Reads what `kubectl get nodes -o json` prints. Throws CniError as `readKubectlList` does, and if an item is not a node. */
export function readNodeList(bytes: Uint8Array, source: string): readonly ClusterNode[] {
  const { items, refuse } = readKubectlList(bytes, source, 'nodes');
  return items.map((item, index) => {
    // The API's own NodeList has no `kind` in its items.
    const isNode = (membersOf(item)['kind'] ?? 'Node') === 'Node';
    const node = isNode ? readClusterNode(item) : undefined;
    if (node === undefined) throw refuse(`is not a list of nodes: items[${index}] is not a node with a name`);
    return node;
  });
}
