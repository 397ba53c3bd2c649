import type { ObservedEndpoint, ObservedLoadBalancer } from '../../hcn/documents.ts';
import { isPolicyOf } from '../../model/network-document.ts';
import { familyOf, parseAddress } from '../../net/address.ts';
import { formatPrefix, networkOf } from '../../net/prefix.ts';
import { loadBalancerFlags } from '../../plan/load-balancer.ts';
import { fiveTuple } from '../inventory/acl-row.ts';
import { shortGuid } from '../terminal/short-text.ts';
import { addressesOf } from './destination.ts';
import { matchPacket, prefixContains } from './match.ts';
import { adapterWith, type NodeState } from './node-state.ts';
import type { Packet } from './packet.ts';

/** The load balancer that takes a packet. */
export interface Balancer {
  /** `load balancer d4e6032f` */
  readonly name: string;
  /** Whether backends see the sender's address and reply to it (direct server return). */
  readonly isDirect: boolean;
  /** The source without direct server return; empty for the address of the node. */
  readonly sourceVip: string;
  /** The packet as it sends it to each of its existing backends; empty if they do not exist. */
  readonly targets: readonly Target[];
}

/** A backend of a load balancer, and a packet for it. */
export interface Target {
  readonly endpoint: ObservedEndpoint;
  readonly packet: Packet;
}

/** Finds the load balancer that takes a packet; undefined if none does. One without frontends has the node's addresses. */
export function findBalancer(
  packet: Packet,
  node: Pick<NodeState, 'inventory' | 'adapters'>,
): Balancer | undefined {
  const { loadBalancers, endpoints } = node.inventory;
  const { destination } = packet;
  const hasAddress = ({ FrontendVIPs = [] }: ObservedLoadBalancer) =>
    FrontendVIPs.length === 0
      ? adapterWith(node, destination) !== undefined
      : FrontendVIPs.some((frontend) => parseAddress(frontend) === destination);
  for (const loadBalancer of loadBalancers.filter(hasAddress)) {
    const { ID, HostComputeEndpoints, PortMappings, SourceVIP = '', Flags = 0 } = loadBalancer;
    const mapping = PortMappings.find(
      ({ Protocol, ExternalPort }) =>
        matchPacket(fiveTuple({ Protocols: Protocol, RemotePorts: ExternalPort }), 'Out', packet) === true,
    );
    if (mapping === undefined) continue;
    const ids = new Set(HostComputeEndpoints);
    const targets = endpoints
      .filter((endpoint) => ids.has(endpoint.ID))
      .flatMap((endpoint) =>
        addressesOf(endpoint, familyOf(destination)).map((address) => ({
          endpoint,
          packet: { ...packet, destination: address, destinationPort: mapping.InternalPort },
        })),
      );
    return {
      name: `load balancer ${shortGuid(ID)}`,
      isDirect: (Flags & loadBalancerFlags.EnableDirectServerReturn) !== 0,
      sourceVip: SourceVIP,
      targets,
    };
  }
  return undefined;
}

/** What the OutBoundNAT policies of an endpoint do with a packet. */
export interface Nat {
  /** The source that the packet gets; undefined if it is an address of the node, which is not known. */
  readonly source: string | undefined;
  /** The rule that leads to it. */
  readonly rule: string;
  /** Whether its destination is one of OutBoundNAT, as for loopbackDSR. */
  readonly isDestination: boolean;
}

/**
 * Returns the source that a packet for a destination gets: that before a load balancer changes it. Destinations take precedence, which
 * plugins rely on when another policy has the pod prefix as an exception. HNS also excludes the pod subnet, which is in no document. A policy
 * without destinations applies to all others.
 * https://learn.microsoft.com/virtualization/api/hcn/hns_schema#OutboundNatPolicySetting
 */
export function outboundNat(
  endpoint: ObservedEndpoint,
  { source, destination }: Packet,
  nodeAddress: string | undefined,
): Nat {
  const policies = natPolicies(endpoint).filter(
    ({ virtualIp }) => virtualIp === undefined || familyOf(virtualIp) === familyOf(destination),
  );
  const prefixIn = (list: readonly string[]) => list.find((prefix) => prefixContains(prefix, destination));
  const kept = (rule: string): Nat => ({ source, rule, isDestination: false });
  for (const { label, destinations, virtualIp } of policies) {
    const prefix = prefixIn(destinations);
    const rule = `${label}: destination ${prefix}`;
    if (prefix !== undefined) return { source: virtualIp ?? nodeAddress, rule, isDestination: true };
  }
  const general = policies.filter(({ destinations }) => destinations.length === 0);
  const [first] = general;
  if (first === undefined) return kept('no OutBoundNAT policy');
  for (const { label, exceptions } of general) {
    const prefix = prefixIn(exceptions);
    if (prefix !== undefined) return kept(`${label}: exception ${prefix}`);
  }
  const own = prefixIn(subnetsOf(endpoint));
  if (own !== undefined) return kept(`OutBoundNAT HNS default: exception ${own}`);
  const rule = `${first.label}: all other destinations`;
  return { source: first.virtualIp ?? nodeAddress, rule, isDestination: false };
}

/** The OutBoundNAT policies of an endpoint. */
function natPolicies({ Policies = [] }: ObservedEndpoint) {
  return Policies.flatMap((policy, index) => {
    if (!isPolicyOf('OutBoundNAT', policy)) return [];
    const { Destinations, Exceptions, VirtualIP } = policy.Settings ?? {};
    const texts = (list: unknown): readonly string[] => (Array.isArray(list) ? list.map(String) : []);
    return [
      {
        label: `OutBoundNAT policy ${index + 1}`,
        destinations: texts(Destinations),
        exceptions: texts(Exceptions),
        virtualIp: parseAddress(String(VirtualIP)),
      },
    ];
  });
}

function subnetsOf({ IpConfigurations = [] }: ObservedEndpoint): readonly string[] {
  return IpConfigurations.flatMap(({ IpAddress: address, PrefixLength: length }) =>
    length === undefined ? [] : formatPrefix(networkOf({ address, length })),
  );
}
