import type { ObservedNetwork } from '../../hcn/documents.ts';
import { findById } from '../../model/inventory.ts';
import { providerAddressOf, settingsOf, subnetsOf } from '../../model/network-document.ts';
import { remoteSubnetsOf } from '../../plan/remote-subnets.ts';
import { longestMatch } from './match.ts';
import {
  adapterWith,
  hasSubnetWith,
  isHostEndpoint,
  isInLan,
  localEndpoint,
  type NodeState,
  sourceTo,
  uplinksOf,
} from './node-state.ts';
import { findReversed, type Packet, type Translation, type Tunnel } from './packet.ts';
import {
  type At,
  type Context,
  ends,
  goes,
  type Hop,
  leaves,
  type Move,
  switchHop,
  unknownNodeAddress,
} from './path.ts';
import { podsOfOtherNodes } from './service.ts';

/** The types of networks whose pods may be on the physical network, in lower case. */
export const bridgedTypes: readonly string[] = ['l2bridge', 'l2tunnel', 'transparent'];

/**
 * The virtual switch of a network forwards a packet, by the rules of the network's type.
 * https://learn.microsoft.com/virtualization/windowscontainers/container-networking/network-drivers-topologies
 */
export function forward(position: At<'virtual switch'>, context: Context): Move {
  const { network, packet } = position;
  const hop = (did: string, after: Packet) => switchHop(network, did, after);
  const isOfNode = adapterWith(context.node, packet.destination) !== undefined;
  const reply = isOfNode ? undefined : returnReply(packet, hop, context);
  if (reply !== undefined) return reply;
  const type = network.Type.toLowerCase();
  if (type === 'overlay') return forwardInOverlay(position, context);
  if (bridgedTypes.includes(type)) return forwardInBridge(position, context.node);
  if (['nat', 'ics'].includes(type)) return forwardInNat(position, context.node);
  const because = `On networks of type ${network.Type}, only packets between pods of this node are modeled.`;
  return toLocal(network, packet, context.node) ?? ends('unknown', hop('forwards it', packet), because);
}

/** A reply to a packet whose source was translated goes back to the port that translated it. Undefined for other packets. */
export function returnReply(
  packet: Packet,
  hop: (did: string, packet: Packet) => Hop,
  { node, state }: Context,
): Move | undefined {
  const isWanted = ({ before, after }: Translation) => before.source !== after.source;
  const translation = findReversed(state.translations, packet, isWanted);
  const endpoint = findById(node.inventory.endpoints, translation?.endpoint);
  const did = 'returns the reply to the port that translated the packet';
  return endpoint && goes(hop(did, packet), { at: 'port in', endpoint, packet });
}

function toNode(network: ObservedNetwork, packet: Packet, address: string, node: NodeState): Move {
  const hop = switchHop(network, 'sends it to the node', packet);
  if (packet.source === packet.destination) return ends('unknown', hop, bothOfNode);
  return goes(hop, { at: 'node', packet, received: adapterWith(node, address)?.index ?? 'unknown' });
}

const bothOfNode =
  'Outbound NAT gives it the address of the node as source and destination, and whether the node then replies to the pod is not documented.';

/**
 * A packet goes to the endpoint of a network that has its destination: the node's own, or a pod's. Without one, it is lost if its
 * destination is in the network's subnets, which the distributed router of an Overlay network may answer; otherwise undefined.
 */
export function toLocal(network: ObservedNetwork, packet: Packet, node: NodeState): Move | undefined {
  const { destination } = packet;
  const endpoint = localEndpoint(node, destination, [network]);
  const hop = (did: string) => switchHop(network, did, packet);
  if (endpoint !== undefined && isHostEndpoint(endpoint, node))
    return toNode(network, packet, destination, node);
  if (endpoint !== undefined)
    return goes(hop('sends it to a local endpoint'), { at: 'port in', endpoint, packet });
  if (!hasSubnetWith(network, destination) || isInLan(network, destination, node)) return undefined;
  const routes = subnetsOf(network).flatMap(({ Routes = [] }) => Routes);
  return routes.some(({ NextHop }) => NextHop === destination)
    ? ends('unknown', hop('drops it'), `${destination} ${gatewayOfNetwork}`)
    : ends(
        'lost',
        hop('finds no endpoint'),
        `No endpoint of network "${network.Name}" has address ${destination}.`,
      );
}

const gatewayOfNetwork = 'is the gateway of the network, and whether HNS answers for it is not documented.';

/** On a bridged network the next hop decides. L2Tunnel sends all packets of pods to the virtualization host. */
function forwardInBridge({ network, packet, nextHop }: At<'virtual switch'>, node: NodeState): Move {
  const { destination } = packet;
  const type = network.Type.toLowerCase();
  const owner = localEndpoint(node, nextHop, [network]);
  if (adapterWith(node, nextHop) !== undefined || (owner !== undefined && isHostEndpoint(owner, node)))
    return toNode(network, packet, nextHop, node);
  const isInside = type !== 'l2tunnel';
  const local = isInside && nextHop === destination ? toLocal(network, packet, node) : undefined;
  if (local !== undefined) return local;
  const drop = switchHop(network, 'drops it', packet);
  const noGateway = `Nothing on this node has the pods' gateway ${nextHop}: create a host endpoint (hostEndpoint).`;
  if (isInside && owner !== undefined)
    return ends('lost', drop, `The next hop ${nextHop} is a pod, which does not forward.`);
  if (type !== 'transparent' && hasSubnetWith(network, nextHop) && !isInLan(network, nextHop, node))
    return ends('lost', drop, noGateway);
  const hop = switchHop(network, 'sends it to the physical network', packet);
  const [uplink] = uplinksOf(node, network);
  return uplink === undefined
    ? ends('unknown', hop, `The adapter of network "${network.Name}" is not known.`)
    : leaves(hop, { interfaceIndex: uplink.index, nextHop });
}

/** On a NAT or ICS network: to a local endpoint, to the node, or outside with the NAT of Windows. */
function forwardInNat({ network, endpoint, packet }: At<'virtual switch'>, node: NodeState): Move {
  const { destination } = packet;
  const local = toLocal(network, packet, node);
  if (adapterWith(node, destination) !== undefined) return toNode(network, packet, destination, node);
  if (local !== undefined) return local;
  const source = sourceTo(node, destination);
  if (source === undefined)
    return ends('unknown', switchHop(network, 'translates the source', packet), unknownNodeAddress);
  const after = { ...packet, source };
  const rule = `NAT of network type ${network.Type}`;
  const hop = switchHop(network, `translates the source to ${source}`, after, { rule });
  const translation = endpoint && { endpoint: endpoint.ID, by: 'NAT', before: packet, after };
  return { ...goes(hop, { at: 'adapter', packet: after }), ...(translation && { translation }) };
}

/** On an Overlay network: to a local endpoint, by VXLAN to the node of a remote subnet, or outside. */
function forwardInOverlay(
  { network, endpoint, packet }: At<'virtual switch'>,
  { node, state }: Context,
): Move {
  const { destination } = packet;
  const hop = (did: string, reason?: Pick<Hop, 'rule' | 'tunnel'>) => switchHop(network, did, packet, reason);
  const remote = remoteSubnetWith(network, destination);
  if (remote !== undefined && localEndpoint(node, destination, [network]) === undefined) {
    const rule = `RemoteSubnetRoute ${remote.subnet}`;
    const tunnel = tunnelTo(network, destination);
    const stops = (because: string) => ends('unknown', hop('may encapsulate it', { rule }), because);
    if (tunnel === undefined)
      return stops(`Network "${network.Name}" or its ${rule} has no ProviderAddress.`);
    if (endpoint === undefined) return stops(hostToRemote);
    const { destination: to, vsid, macAddress = 'unknown' } = tunnel;
    const did = `encapsulates it for node ${to}, VSID ${vsid}, MAC address ${macAddress}`;
    return goes(hop(did, { rule, tunnel }), { at: 'adapter', packet, tunnel });
  }
  const inside = toLocal(network, packet, node);
  if (inside !== undefined) return inside;
  if (adapterWith(node, destination) !== undefined)
    // Kubernetes documents that nodes reach pods, so the replies of pods reach the node.
    return endpoint !== undefined && state.ports.includes(endpoint.ID)
      ? toNode(network, packet, destination, node)
      : ends('unknown', hop('may send it to the node'), podToNode);
  const rule = 'no RemoteSubnetRoute';
  const because = `${destination} is in the range of pods, but in no RemoteSubnetRoute of network "${network.Name}": is flanneld, or the agent that adds them, running?`;
  if (podsOfOtherNodes([network], node)(destination))
    return ends('unknown', hop('may drop it', { rule }), because);
  return goes(hop('sends it to the physical network', { rule }), { at: 'adapter', packet });
}

const hostToRemote =
  'Reports conflict on whether the node itself reaches remote subnets of an Overlay network (flannel-io/flannel#1096, projectcalico/calico#8569).';

const podToNode =
  'Kubernetes documents that pods reach nodes, but pods of Overlay networks were observed not to reach their own node (flannel-io/flannel#1369).';

/** The remote subnet of a network with the longest prefix that contains an address. */
export function remoteSubnetWith(network: ObservedNetwork, address: string) {
  return longestMatch(remoteSubnetsOf(network), ({ subnet }) => subnet, address);
}

/** The outer headers of packets of an Overlay network to or, for the other direction, from an address in a remote subnet. */
export function tunnelTo(network: ObservedNetwork, address: string): Tunnel | undefined {
  const remote = remoteSubnetWith(network, address);
  const source = providerAddressOf(network);
  if (source === undefined || remote?.providerAddress === undefined) return undefined;
  const { providerAddress: destination, vsid = 0, macAddress } = remote;
  const port = Number(settingsOf(network.Policies, 'VxlanPort')?.['Port'] ?? 4789);
  return { source, destination, vsid, port, ...(macAddress !== undefined && { macAddress }) };
}
