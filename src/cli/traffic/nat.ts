import type { ObservedEndpoint, ObservedLoadBalancer } from '../../hcn/documents.ts';
import { isPolicyOf } from '../../model/network-document.ts';
import { familyOf, parseAddress } from '../../net/address.ts';
import { formatPrefix, networkOf } from '../../net/prefix.ts';
import { loadBalancerFlags } from '../../plan/load-balancer.ts';
import { fiveTuple } from '../inventory/acl-row.ts';
import { describePort } from '../inventory/object-rows.ts';
import { shortGuid } from '../terminal/short-text.ts';
import { addressesOf } from './destination.ts';
import { matchPacket, prefixContains, type Rule } from './match.ts';
import { adapterWith, type NodeState } from './node-state.ts';
import type { Packet } from './packet.ts';

/** The load balancer that takes a packet. */
export interface Balancer {
  /** `load balancer shop/api` */
  readonly name: string;
  readonly loadBalancer: ObservedLoadBalancer;
  /** The packet as it sends it to each of its existing backends; empty if they do not exist. */
  readonly targets: readonly Target[];
}

/** A backend of a load balancer, and a packet for it. */
export interface Target {
  readonly endpoint: ObservedEndpoint;
  readonly packet: Packet;
}

/** The load balancers compared with a packet. */
export interface Balancing {
  /** Absent if no load balancer certainly takes the packet. */
  readonly by?: Balancer;
  /** A sentence if a load balancer may take it, because the packet lacks a port or protocol. */
  readonly mayTake?: string;
  /** The ports of the load balancers that have the destination. */
  readonly rules: readonly Rule[];
}

/** Finds the load balancer that takes a packet. One without frontends has the node's addresses, as for a node port. */
export function findBalancer(packet: Packet, node: Pick<NodeState, 'inventory' | 'adapters'>): Balancing {
  const { inventory } = node;
  const { destination } = packet;
  const hasAddress = ({ FrontendVIPs = [] }: ObservedLoadBalancer) =>
    FrontendVIPs.length === 0
      ? adapterWith(node, destination) !== undefined
      : FrontendVIPs.some((frontend) => parseAddress(frontend) === destination);
  const candidates = inventory.loadBalancers.filter(hasAddress).flatMap((loadBalancer) =>
    loadBalancer.PortMappings.map((mapping) => {
      const tuple = fiveTuple({ Protocols: mapping.Protocol, RemotePorts: mapping.ExternalPort });
      const label = shortGuid(loadBalancer.ID);
      return { loadBalancer, mapping, label, ...matchPacket(tuple, 'Out', packet) };
    }),
  );
  const first = candidates.find(({ matches }) => matches === 'yes');
  const possible = candidates.find(({ matches }) => first === undefined && matches === 'unknown');
  const rules = candidates.map((one): Rule => {
    const { loadBalancer, mapping, label, matches, because } = one;
    const frontends = loadBalancer.FrontendVIPs?.join(', ') || 'node addresses';
    const decides = one === first ? 'yes' : one === possible ? 'may' : 'no';
    const text = `${label}: ${frontends} ${describePort(mapping)}`;
    return { stage: 'load balancer', text, matches, decides, ...(because !== undefined && { because }) };
  });
  if (first === undefined)
    return possible === undefined
      ? { rules }
      : { rules, mayTake: `Load balancer ${possible.label} may take it: ${possible.because}.` };
  const { loadBalancer, mapping, label } = first;
  const ids = new Set(loadBalancer.HostComputeEndpoints);
  const targets = inventory.endpoints
    .filter(({ ID }) => ids.has(ID))
    .flatMap((endpoint) =>
      addressesOf(endpoint, familyOf(destination)).map((address) => ({
        endpoint,
        packet: { ...packet, destination: address, destinationPort: mapping.InternalPort },
      })),
    );
  return { rules, by: { name: `load balancer ${label}`, loadBalancer, targets } };
}

/** Whether backends see the sender's address and reply to it (direct server return). */
export function isDirect({ loadBalancer: { Flags = 0 } }: Balancer): boolean {
  return (Flags & loadBalancerFlags.EnableDirectServerReturn) !== 0;
}

/** The source that HNS gives a packet without direct server return; undefined stands for an unknown node address. */
export function balancedSource(
  { loadBalancer: { SourceVIP } }: Balancer,
  nodeAddress: string | undefined,
): string | undefined {
  return SourceVIP || nodeAddress;
}

/** Why a packet for a load balancer is lost. */
export function missingBackends({ name }: Balancer): string {
  return `The backends of ${name} do not exist.`;
}

/** What the OutBoundNAT policies of an endpoint do with a packet. */
export interface Nat {
  /** The source that the packet gets; undefined if it is an address of the node, which is not known. */
  readonly source: string | undefined;
  /** The rule that leads to it. */
  readonly rule: string;
  /** Whether its destination is one of OutBoundNAT, as for loopbackDSR. */
  readonly isDestination: boolean;
  readonly rules: readonly Rule[];
}

/** Returns the source that a packet for a destination gets: that before a load balancer changes it. */
export function outboundNat(
  endpoint: ObservedEndpoint,
  { source, destination }: Packet,
  nodeAddress: string | undefined,
): Nat {
  const entries = natEntries(endpoint).filter(
    ({ virtualIp }) => virtualIp === undefined || familyOf(virtualIp) === familyOf(destination),
  );
  const isIn = ({ prefix }: NatEntry) => prefix !== undefined && prefixContains(prefix, destination);
  const deciding = entries.find((entry) => entry.prefix === undefined || isIn(entry));
  return {
    source: deciding?.translates ? (deciding.virtualIp ?? nodeAddress) : source,
    rule: deciding === undefined ? 'no OutBoundNAT policy' : `OutBoundNAT ${deciding.text}`,
    isDestination: deciding?.translates === true && deciding.prefix !== undefined,
    rules: entries.map((entry) => ({
      stage: 'OutBoundNAT',
      text: entry.text,
      matches: entry === deciding || isIn(entry) ? 'yes' : 'no',
      decides: entry === deciding ? 'yes' : 'no',
    })),
  };
}

/** A rule by which HNS decides whether to translate the source address. */
interface NatEntry {
  readonly text: string;
  readonly translates: boolean;
  /** Absent if it applies to all destinations. */
  readonly prefix?: string;
  /** The new source if the policy has one. */
  readonly virtualIp?: string;
}

/**
 * The entries in their order: destinations take precedence, which plugins rely on when another policy has the pod prefix as an exception.
 * HNS also excludes the pod subnet, which is in no document. A policy without destinations applies to all others.
 * https://learn.microsoft.com/virtualization/api/hcn/hns_schema#OutboundNatPolicySetting
 */
function natEntries({ Policies = [], IpConfigurations = [] }: ObservedEndpoint): readonly NatEntry[] {
  const policies = Policies.flatMap((policy, index) => {
    if (!isPolicyOf('OutBoundNAT', policy)) return [];
    const { Destinations, Exceptions, VirtualIP } = policy.Settings ?? {};
    const address = parseAddress(String(VirtualIP));
    const virtualIp = address === undefined ? {} : { virtualIp: address };
    const entries = (kind: string, translates: boolean, list: unknown): readonly NatEntry[] =>
      (Array.isArray(list) ? list.map(String) : []).map((prefix) => {
        return { text: `policy ${index + 1}: ${kind} ${prefix}`, translates, prefix, ...virtualIp };
      });
    const destinations = entries('destination', true, Destinations);
    const others = { text: `policy ${index + 1}: all other destinations`, translates: true, ...virtualIp };
    return destinations.length > 0
      ? [{ destinations, exceptions: [], others: [] }]
      : [{ destinations, exceptions: entries('exception', false, Exceptions), others: [others] }];
  });
  const others = policies.flatMap((policy) => policy.others);
  const ofSubnets = IpConfigurations.flatMap(({ IpAddress: address, PrefixLength: length }) => {
    if (length === undefined || others.length === 0) return [];
    const prefix = formatPrefix(networkOf({ address, length }));
    return [{ text: `HNS default: exception ${prefix}`, translates: false, prefix }];
  });
  return [
    ...policies.flatMap(({ destinations }) => destinations),
    ...policies.flatMap(({ exceptions }) => exceptions),
    ...ofSubnets,
    ...others,
  ];
}
