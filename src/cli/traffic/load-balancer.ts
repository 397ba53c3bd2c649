import type { LoadBalancerPortMapping, ObservedEndpoint, ObservedLoadBalancer } from '../../hcn/documents.ts';
import { familyOf, parseAddress } from '../../net/address.ts';
import { loadBalancerFlags } from '../../plan/load-balancer.ts';
import { fiveTuple } from '../inventory/acl-row.ts';
import { describePort, loadBalancerLabel } from '../inventory/object-rows.ts';
import { addressesOf } from './destination.ts';
import { matchPacket, type Rule } from './match.ts';
import { adapterWith, type NodeState } from './node-state.ts';
import type { Packet } from './packet.ts';
import type { Move } from './path.ts';

/** The load balancer that takes a packet. */
export interface Balancer {
  /** `load balancer shop/api` */
  readonly name: string;
  readonly mapping: LoadBalancerPortMapping;
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
      const label = loadBalancerLabel(loadBalancer.ID, inventory);
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
  return { rules, by: { name: `load balancer ${label}`, mapping, loadBalancer, targets } };
}

/** Whether backends see the sender's address and reply to it (direct server return). */
export function isDirect({ loadBalancer: { Flags = 0 } }: Balancer): boolean {
  return (Flags & loadBalancerFlags.EnableDirectServerReturn) !== 0;
}

/** The source that HNS gives a packet without direct server return; undefined stands for an unknown node address. */
export function balancedSource(
  { loadBalancer: { SourceVIP, FrontendVIPs = [] } }: Balancer,
  nodeAddress: string | undefined,
): Pick<Move, 'caveat'> & { readonly source: string | undefined } {
  const isCertain = SourceVIP || FrontendVIPs.length === 0;
  return { source: SourceVIP || nodeAddress, ...(!isCertain && { caveat: sourceCaveat }) };
}

const sourceCaveat =
  'Without direct server return and source VIP, the source is a node address, but on some versions of HNS the address of the load ' +
  'balancer (kubernetes/kubernetes#137455).';
