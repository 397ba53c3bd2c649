import { isObject, type JsonObject } from '../../json/members.ts';
import { type Family, families, familyOf, isHostAddress, parseAddress } from '../../net/address.ts';
import { formatPrefix, networkOf, parsePrefix } from '../../net/prefix.ts';
import { flannelAnnotations } from './flannel-annotations.ts';

/** A node of the cluster, as far as the traffic of its pods concerns other nodes. Addresses and prefixes are canonical. */
export interface ClusterNode {
  readonly name: string;
  /** `spec.podCIDRs`; undefined if they cannot be read, so that any subnet may be the node's. */
  readonly podSubnets: readonly string[] | undefined;
  /** Its addresses of type InternalIP. */
  readonly internalAddresses: readonly string[];
  /** What flannel publishes of the node. */
  readonly flannel: {
    /** Undefined if flannel does not manage the node. */
    readonly backendType: string | undefined;
    readonly publicAddress: Readonly<Record<Family, string | undefined>>;
    /** The JSON as published; undefined if absent. */
    readonly backendData: Readonly<Record<Family, string | undefined>>;
  };
}

/** Whether a node of Kubernetes can have a name. https://kubernetes.io/docs/concepts/overview/working-with-objects/names/#dns-subdomain-names */
export function isNodeName(text: string): boolean {
  return text.length <= 253 && /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/.test(text);
}

/** Reads a Node object of Kubernetes; undefined if it has no valid name. */
export function readClusterNode(value: unknown): ClusterNode | undefined {
  const node = members(value);
  const { name, annotations: given } = members(node['metadata']);
  if (typeof name !== 'string' || !isNodeName(name)) return undefined;
  const annotations = members(given);
  const annotation = (key: string): string | undefined => {
    const text = annotations[key];
    return typeof text === 'string' && text !== '' ? text : undefined;
  };
  const { backendType, backendData, publicAddress, publicAddressOverwrite } = flannelAnnotations;
  return {
    name,
    podSubnets: readPodSubnets(members(node['spec'])),
    internalAddresses: readInternalAddresses(members(node['status'])),
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

/** `podCIDR` is the first of `podCIDRs`; older clusters only have the former. */
function readPodSubnets({ podCIDR, podCIDRs }: JsonObject): readonly string[] | undefined {
  const given = podCIDRs ?? (podCIDR === undefined || podCIDR === '' ? [] : [podCIDR]);
  if (!Array.isArray(given)) return undefined;
  const prefixes = given.map((text: unknown) => (typeof text === 'string' ? parsePrefix(text) : undefined));
  // A default route is no pod subnet: it would take all traffic of the node.
  const isReadable = (prefix: (typeof prefixes)[number]) => prefix !== undefined && prefix.length > 0;
  if (!prefixes.every(isReadable)) return undefined;
  return prefixes.flatMap((prefix) => (prefix === undefined ? [] : formatPrefix(networkOf(prefix))));
}

function readInternalAddresses({ addresses }: JsonObject): readonly string[] {
  if (!Array.isArray(addresses)) return [];
  return addresses.flatMap((entry: unknown) => {
    const { type, address } = members(entry);
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

function members(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}
