import type { ObservedEndpoint, ObservedLoadBalancer } from '../../hcn/documents.ts';
import { findById } from '../../model/inventory.ts';
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
export type Balancer = NonNullable<ReturnType<typeof findBalancer>>;

/** A backend of a load balancer, and the packet that it gets. */
export type Target = Balancer['targets'][number];

/** The addresses of a load balancer in canonical text; none if it has those of the node. */
export function frontendAddresses({ FrontendVIPs = [] }: ObservedLoadBalancer): readonly string[] {
  return FrontendVIPs.flatMap((text) => parseAddress(text) ?? []);
}

/** Finds the load balancer that takes a packet; undefined if none does. One without frontends has the node's addresses. */
export function findBalancer(packet: Packet, node: Pick<NodeState, 'inventory' | 'adapters'>) {
  const { loadBalancers, endpoints } = node.inventory;
  const { destination } = packet;
  const hasAddress = (one: ObservedLoadBalancer) =>
    one.FrontendVIPs === undefined || one.FrontendVIPs.length === 0
      ? adapterWith(node, destination) !== undefined
      : frontendAddresses(one).includes(destination);
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
      // Backends see the sender's address, and reply to it (direct server return).
      isDirect: (Flags & loadBalancerFlags.EnableDirectServerReturn) !== 0,
      // The source without direct server return; empty for the address of the node.
      sourceVip: SourceVIP,
      targets,
      isComplete: node.inventory.unreadable === undefined,
      // Backends that do not exist, or could not be read.
      missing: [...ids].filter((id) => findById(endpoints, id) === undefined).map(shortGuid),
    };
  }
  return undefined;
}

/**
 * Returns the source that a packet for a destination gets by OutBoundNAT, before a load balancer changes the destination; undefined for an
 * address of the node that is not known. A destination of a policy takes precedence (`isDestination`, as for loopbackDSR), which
 * plugins rely on when another policy has the pod prefix as an exception. HNS also excludes the pod subnet, which is in no document. A policy
 * without destinations applies to all others.
 * https://learn.microsoft.com/virtualization/api/hcn/hns_schema#OutboundNatPolicySetting
 */
export function outboundNat(
  endpoint: ObservedEndpoint,
  { source, destination }: Packet,
  nodeAddress: string | undefined,
) {
  const policies = natPolicies(endpoint).filter(
    ({ virtualIp }) => virtualIp === undefined || familyOf(virtualIp) === familyOf(destination),
  );
  const prefixIn = (list: readonly string[]) => list.find((prefix) => prefixContains(prefix, destination));
  const kept = (rule: string) => ({ source, rule, isDestination: false });
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
