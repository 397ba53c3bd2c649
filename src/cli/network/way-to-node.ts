import type { RemoteSubnet } from '../../config/network-config.ts';
import { isObject } from '../../json/members.ts';
import { type Family, familyOf } from '../../net/address.ts';
import { parseUnicastMac } from '../../net/mac.ts';
import { contains, isHostIn, type Prefix, parsePrefix } from '../../net/prefix.ts';
import { type ClusterNode, flannelAnnotations } from './cluster-node.ts';

/** What decides how a network of this node reaches another node's pods. */
export type Underlay =
  /** `vsid`: that of the network's own subnet. */
  | { readonly type: 'Overlay'; readonly vsid: number | undefined }
  /** `onLink`: the prefixes of the network's interface. */
  | { readonly type: 'L2Bridge'; readonly onLink: readonly Prefix[] };

/** The remote subnet for a pod subnet of a node, or why there is none: a clause about the node. */
export type Way = { readonly remote: RemoteSubnet } | { readonly reason: string };

/** Returns the way to a node's pod subnet, as flannel would go. */
export function wayTo(subnet: string, node: ClusterNode, underlay: Underlay): Way {
  return underlay.type === 'Overlay'
    ? tunnelTo(subnet, node, underlay.vsid)
    : routeTo(subnet, node, underlay.onLink);
}

/** Windows refuses smaller VNIs. https://github.com/flannel-io/flannel/blob/master/Documentation/backends.md */
const leastVni = 4096;
const greatestVni = 16_777_214;

function tunnelTo(subnet: string, { flannel }: ClusterNode, vsid: number | undefined): Way {
  const family = familyOf(subnet);
  const { backendType, publicAddress } = flannel;
  if (backendType === undefined) return { reason: `has no annotation ${flannelAnnotations.backendType}` };
  if (backendType !== 'vxlan') return { reason: otherBackend(backendType, 'vxlan for an Overlay network') };
  const tunnel = readBackendData(flannel.backendData[family], family);
  if ('reason' in tunnel) return tunnel;
  const { vni, mac: macAddress } = tunnel;
  if (vni < leastVni)
    return { reason: `has VNI ${vni}: Windows requires ${leastVni} or greater on all nodes` };
  if (vsid !== undefined && vni !== vsid)
    return { reason: `has VNI ${vni}, but this node's network has ${vsid}` };
  const providerAddress = publicAddress[family];
  if (providerAddress === undefined)
    return { reason: `has no address in annotation ${flannelAnnotations.publicAddress[family]}` };
  if (isInside(subnet, providerAddress))
    return {
      reason: `has ${providerAddress}, an address of its own pod subnet ${subnet}, as public address`,
    };
  return { remote: { subnet, providerAddress, macAddress, ...(vni !== vsid && { vsid: vni }) } };
}

function readBackendData(
  text: string | undefined,
  family: Family,
): { readonly vni: number; readonly mac: string } | { readonly reason: string } {
  const key = flannelAnnotations.backendData[family];
  if (text === undefined) return { reason: `has no annotation ${key}` };
  const data = parseJson(text);
  if (!isObject(data)) return { reason: `has no VTEP in annotation ${key}: ${shortened(text)}` };
  const { VNI: vni, VtepMAC: given } = data;
  // flanneld publishes the annotation before HNS has chosen the address.
  if (given === undefined || given === null || given === '')
    return { reason: `has no VtepMAC in annotation ${key} yet` };
  const mac = typeof given === 'string' ? parseUnicastMac(given) : undefined;
  if (mac === undefined)
    return { reason: `has an invalid VtepMAC in annotation ${key}: ${shortened(JSON.stringify(given))}` };
  if (typeof vni !== 'number' || !Number.isInteger(vni) || vni < 0 || vni > greatestVni)
    return { reason: `has an invalid VNI in annotation ${key}: ${shortened(JSON.stringify(vni ?? null))}` };
  return { vni, mac };
}

function routeTo(subnet: string, node: ClusterNode, onLink: readonly Prefix[]): Way {
  const family = familyOf(subnet);
  const { backendType, publicAddress } = node.flannel;
  if (backendType !== undefined && backendType !== 'host-gw')
    return { reason: otherBackend(backendType, 'host-gw for an L2Bridge network') };
  const published = backendType === undefined ? undefined : publicAddress[family];
  const nextHop = published ?? node.internalAddresses.find((address) => familyOf(address) === family);
  if (nextHop === undefined) return { reason: `has no ${family} address of type InternalIP` };
  if (isInside(subnet, nextHop))
    return { reason: `has ${nextHop}, an address of its own pod subnet ${subnet}, as InternalIP` };
  if (!onLink.some((prefix) => isHostIn(prefix, nextHop)))
    return {
      reason: `has ${nextHop}, which is no host address in a subnet of the network's interface, so no route can lead there`,
    };
  return { remote: { subnet, nextHop } };
}

function otherBackend(backend: string, expected: string): string {
  return `uses flannel's backend ${shortened(backend)}, expected ${expected}`;
}

function isInside(subnet: string, address: string): boolean {
  const prefix = parsePrefix(subnet);
  return prefix !== undefined && contains(prefix, address);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function shortened(text: string): string {
  return text.length <= 60 ? text : `${text.slice(0, 57)}...`;
}
