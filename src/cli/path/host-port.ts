import type { LoadBalancerPortMapping, ObservedEndpoint, ObservedLoadBalancer } from '../../hcn/documents.ts';
import { isOverlay, isPolicyOf } from '../../model/network-document.ts';
import { isRemote } from '../../model/ownership.ts';
import { familyOf } from '../../net/address.ts';
import { portMappingFlags } from '../../plan/load-balancer-document.ts';
import { loadBalancerLabel } from '../inventory/object-rows.ts';
import { addressesOf, findBackends } from '../traffic/destination.ts';
import { findCandidates, hasFlag, isDirect, translatedSources } from '../traffic/load-balancer-stage.ts';
import { managementAddress } from './management.ts';
import { networkOf } from './node-state.ts';
import type { Packet } from './packet.ts';
import { type Context, lost, nodeHop, type Step, unknown } from './step.ts';

/**
 * The host's port of the virtual switch sends a packet for the node to a pod, as port mappings and load balancers say. Returns undefined
 * if certainly none of them takes it. `isOwn`: the node itself sends the packet.
 */
export function enterHostPort(packet: Packet, isOwn: boolean, context: Context): readonly Step[] | undefined {
  const { node } = context;
  const mapped = node.inventory.endpoints.flatMap((endpoint) => mappingsOf(endpoint, packet, context));
  const [mapping, ...others] = mapped;
  const { candidates } = findCandidates({
    destination: {
      address: packet.destination,
      ...(packet.destinationPort !== undefined && { port: packet.destinationPort }),
      ...(packet.protocol !== undefined && { protocol: packet.protocol }),
    },
    inventory: node.inventory,
    nodeAddresses: ownAddresses(context),
  });
  const matching = candidates.filter(({ matches }) => matches === 'yes');
  const [balancer, ...moreBalancers] = matching;
  const hop = nodeHop({ did: 'may send it to a pod', evidence: 'inferred', packet });
  if (mapping === undefined && balancer === undefined) {
    const mayTake =
      candidates.some(({ matches }) => matches === 'unknown') ||
      node.inventory.endpoints.some(
        (endpoint) => mappingsOf(endpoint, packet, context, 'unknown').length > 0,
      );
    return mayTake ? [unknown(hop, withoutPort)] : undefined;
  }
  if (others.length > 0 || moreBalancers.length > 0 || (mapping !== undefined && balancer !== undefined))
    return [
      unknown(
        hop,
        'Several port mappings or load balancers take it, and which one applies is not documented.',
      ),
    ];
  const isNodePort = (balancer?.loadBalancer.FrontendVIPs ?? []).length === 0;
  if (isOwn && isNodePort) return [unknown(hop, ownNodePort)];
  if (mapping !== undefined) return [map(mapping, packet)];
  return balancer === undefined
    ? undefined
    : balance(balancer.loadBalancer, balancer.mapping, packet, context);
}

const withoutPort =
  'Whether a port mapping or load balancer takes it depends on its protocol and port, which are not given.';

const ownNodePort =
  'Kubernetes documents that a node does not reach its own node ports; with LocalRoutedVIP they were reported to work (kubernetes/kubernetes#74825).';

function ownAddresses({ node }: Context): readonly string[] {
  return node.adapters.flatMap(({ addresses }) => addresses.map(({ address }) => address));
}

interface Mapping {
  readonly endpoint: ObservedEndpoint;
  readonly after: Packet;
}

/** Where the port mappings of an endpoint send a packet, or may send it if its port is not given. */
function mappingsOf(
  endpoint: ObservedEndpoint,
  packet: Packet,
  context: Context,
  wanted: 'yes' | 'unknown' = 'yes',
): readonly Mapping[] {
  const { destination, destinationPort, protocol } = packet;
  const [address] = addressesOf(endpoint, familyOf(destination));
  if (address === undefined || isRemote(endpoint)) return [];
  return (endpoint.Policies ?? []).flatMap((policy) => {
    const { Protocol, ExternalPort, InternalPort, VIP } = policy.Settings ?? {};
    const isAddressed = VIP ? VIP === destination : ownAddresses(context).includes(destination);
    const isPossible =
      (protocol ?? Number(Protocol)) === Number(Protocol) &&
      (destinationPort ?? Number(ExternalPort)) === Number(ExternalPort);
    const isGiven = protocol !== undefined && destinationPort !== undefined;
    const isWanted = isAddressed && isPossible && isGiven === (wanted === 'yes');
    if (!isPolicyOf('PortMapping', policy) || !isWanted) return [];
    return { endpoint, after: { ...packet, destination: address, destinationPort: Number(InternalPort) } };
  });
}

function map({ endpoint, after }: Mapping, packet: Packet): Step {
  const hop = nodeHop({
    did: `sends it to ${after.destination}, port ${after.destinationPort}`,
    rule: 'PortMapping',
    evidence: 'documented',
    packet: after,
  });
  return {
    hops: [hop],
    translation: { endpoint: endpoint.ID, by: 'PortMapping', before: packet, after },
    to: { at: 'port in', endpoint, packet: after, before: packet },
  };
}

function balance(
  loadBalancer: ObservedLoadBalancer,
  mapping: LoadBalancerPortMapping,
  packet: Packet,
  context: Context,
): readonly Step[] {
  const { node } = context;
  const { InternalPort } = mapping;
  const rule = `load balancer ${loadBalancerLabel(loadBalancer.ID, node.inventory)}`;
  const family = familyOf(packet.destination);
  const backends = findBackends(loadBalancer, node.inventory);
  const hop = (did: string, after: Packet) => nodeHop({ did, rule, evidence: 'documented', packet: after });
  const targets = backends.flatMap((endpoint) =>
    addressesOf(endpoint, family).map((address) => ({ endpoint, address })),
  );
  if (targets.length === 0) return [lost(hop('drops it', packet), `The backends of ${rule} do not exist.`)];
  return targets.map(({ endpoint, address }): Step => {
    const network = networkOf(endpoint, node);
    const direct = isDirect(loadBalancer);
    const isOverlayBackend = network !== undefined && isOverlay(network);
    const nodeAddress = network && managementAddress(node, network, family);
    const query = {
      destination: { address: packet.destination },
      ...(nodeAddress !== undefined && { nodeAddress }),
    };
    const sources = direct ? [] : translatedSources(loadBalancer, query);
    const [source = direct ? packet.source : undefined, ...more] = sources.map(
      ({ addresses = [] }) => addresses[0],
    );
    if (hasFlag(mapping, portMappingFlags.EnablePreserveDip))
      return unknown(
        hop('may send it to a pod', packet),
        'How HNS delivers a packet with EnablePreserveDip is not documented.',
      );
    if (source === undefined || more.length > 0)
      return unknown(
        hop('may send it to a pod', packet),
        'Which source HNS gives the packet depends on its version.',
      );
    if (direct && isRemote(endpoint) && (packet.source !== nodeAddress || isOverlayBackend))
      return unknown(
        hop('may send it to another node', packet),
        'Which source HNS gives a packet for a backend on another node with direct server return is not documented.',
      );
    const after = { ...packet, source, destination: address, destinationPort: InternalPort };
    const hops = [hop(`sends it to ${address}, port ${InternalPort}, from ${source}`, after)];
    if (!isRemote(endpoint)) {
      const translation = { ...(direct && { endpoint: endpoint.ID }), by: rule, before: packet, after };
      return { hops, translation, to: { at: 'port in', endpoint, packet: after, before: packet } };
    }
    const translation = { by: rule, before: packet, after };
    if (isOverlayBackend)
      return {
        hops,
        translation,
        to: { at: 'virtual switch', network, isBalanced: true, packet: after, nextHop: address },
      };
    return { hops, translation, to: { at: 'adapter', packet: after } };
  });
}
