import type { ObservedNetwork } from '../../hcn/documents.ts';
import { findById } from '../../model/inventory.ts';
import { providerAddressOf, settingsOf, subnetsOf } from '../../model/network-document.ts';
import { remoteSubnetsOf } from '../../plan/remote-subnets.ts';
import { prefixTables } from './match.ts';
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
import { findReversed, type Packet, replyTo, type Tunnel } from './packet.ts';
import { type At, type Context, ends, type Hop, leaves, type Move, switchHop } from './path.ts';

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
  switch (network.Type.toLowerCase()) {
    case 'overlay':
      return forwardInOverlay(position, context);
    case 'l2bridge':
    case 'l2tunnel':
    case 'transparent':
      return forwardInBridge(position, context.node);
    case 'nat':
    case 'ics':
      return forwardInNat(position, context.node);
    default:
      return ends(
        'unknown',
        hop('forwards it', packet),
        `win-hcn does not model networks of type ${network.Type}.`,
      );
  }
}

/**
 * A reply to a packet whose source was translated goes back to the port that translated it; if the node itself translated it, to the
 * packet's sender. Undefined for other packets.
 */
export function returnReply(
  packet: Packet,
  hop: (did: string, packet: Packet) => Hop,
  { node, state }: Context,
): Move | undefined {
  const translation = findReversed(
    state.translations,
    packet,
    ({ endpoint, before, after }) => endpoint === undefined || before.source !== after.source,
  );
  if (translation === undefined) return undefined;
  const endpoint = findById(node.inventory.endpoints, translation.endpoint);
  if (endpoint !== undefined)
    return {
      hops: [hop('returns the reply to the port that translated the packet', packet)],
      to: { at: 'port in', endpoint, packet },
    };
  const after = replyTo(translation.before);
  const isOfNode = adapterWith(node, after.destination) !== undefined;
  return {
    hops: [hop(`reverses the translation by ${translation.by}`, after)],
    to: isOfNode ? { at: 'node', packet: after } : { at: 'adapter', packet: after },
  };
}

function toNode(network: ObservedNetwork, packet: Packet, address: string, node: NodeState): Move {
  return {
    hops: [switchHop(network, 'sends it to the node', packet)],
    to: { at: 'node', packet, received: adapterWith(node, address)?.index ?? 'unknown' },
  };
}

/**
 * A packet goes to the endpoint of a network that has its destination: the node's own, or a pod's. Without one, it is lost if its
 * destination is in the network's subnets, which the distributed router of an Overlay network may answer; otherwise undefined.
 */
export function toLocal(network: ObservedNetwork, packet: Packet, node: NodeState): Move | undefined {
  const { destination } = packet;
  const endpoint = localEndpoint(node, destination, [network]);
  if (endpoint !== undefined)
    return isHostEndpoint(endpoint, node)
      ? toNode(network, packet, destination, node)
      : {
          hops: [switchHop(network, 'sends it to a local endpoint', packet)],
          to: { at: 'port in', endpoint, packet },
        };
  if (!hasSubnetWith(network, destination) || isInLan(network, destination, node)) return undefined;
  const isGateway = subnetsOf(network).some(({ Routes = [] }) =>
    Routes.some(({ NextHop }) => NextHop === destination),
  );
  const hop = switchHop(network, 'drops it', packet);
  return isGateway
    ? ends(
        'unknown',
        hop,
        `${destination} is the gateway of the network, and whether HNS answers for it is not documented.`,
      )
    : ends('lost', hop, `No endpoint of network "${network.Name}" has address ${destination}.`);
}

/** On an L2Bridge, L2Tunnel or Transparent network the next hop decides. L2Tunnel sends all packets of pods to the physical network. */
function forwardInBridge(
  { network, endpoint, packet, nextHop }: At<'virtual switch'>,
  node: NodeState,
): Move {
  const { destination } = packet;
  if (network.Type.toLowerCase() !== 'l2tunnel' || endpoint === undefined) {
    const owner = localEndpoint(node, nextHop, [network]);
    if (adapterWith(node, nextHop) !== undefined || (owner !== undefined && isHostEndpoint(owner, node)))
      return toNode(network, packet, nextHop, node);
    const local = nextHop === destination ? toLocal(network, packet, node) : undefined;
    if (local !== undefined) return local;
    const drop = switchHop(network, 'drops it', packet);
    if (owner !== undefined)
      return ends('lost', drop, `The next hop ${nextHop} is a pod, which does not forward.`);
    if (hasSubnetWith(network, nextHop) && !isInLan(network, nextHop, node))
      return ends(
        'lost',
        drop,
        `Nothing on this node has the pods' gateway ${nextHop}: create a host endpoint (hostEndpoint).`,
      );
  }
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
    return ends(
      'unknown',
      switchHop(network, 'translates the source', packet),
      `The address of the node towards ${destination} is not known.`,
    );
  const after = { ...packet, source };
  const translation = { ...(endpoint && { endpoint: endpoint.ID }), by: 'NAT', before: packet, after };
  const rule = `NAT of network type ${network.Type}`;
  return {
    hops: [switchHop(network, `translates the source to ${source}`, after, { rule })],
    translation,
    to: { at: 'adapter', packet: after },
  };
}

/** On an Overlay network: to a local endpoint, by VXLAN to the node of a remote subnet, or outside. */
function forwardInOverlay(
  { network, endpoint, isBalanced, packet }: At<'virtual switch'>,
  { node, state }: Context,
): Move {
  const { destination } = packet;
  const local = localEndpoint(node, destination, [network]);
  const [remote] = remoteSubnetTable(network)(destination);
  if (local === undefined && remote !== undefined) {
    const rule = `RemoteSubnetRoute ${remote.subnet}`;
    const tunnel = tunnelTo(network, destination);
    const stops = (because: string) =>
      ends('unknown', switchHop(network, 'may encapsulate it', packet, { rule }), because);
    if (tunnel === undefined)
      return stops(`Network "${network.Name}" or its ${rule} has no ProviderAddress.`);
    if (endpoint === undefined && isBalanced !== true) return stops(hostToRemote);
    return {
      hops: [switchHop(network, `encapsulates it for node ${tunnel.destination}`, packet, { rule, tunnel })],
      to: { at: 'adapter', packet, tunnel },
    };
  }
  const inside = toLocal(network, packet, node);
  if (inside !== undefined) return inside;
  if (adapterWith(node, destination) !== undefined)
    // Kubernetes documents that nodes reach pods, so the replies of pods reach the node.
    return endpoint !== undefined && state.ports.includes(endpoint.ID)
      ? toNode(network, packet, destination, node)
      : ends('unknown', switchHop(network, 'may send it to the node', packet), podToNode);
  const rule = 'no RemoteSubnetRoute';
  return {
    hops: [switchHop(network, 'sends it to the physical network', packet, { rule })],
    to: { at: 'adapter', packet },
  };
}

const hostToRemote =
  'Reports conflict on whether the node itself reaches remote subnets of an Overlay network (flannel-io/flannel#1096, projectcalico/calico#8569).';

const podToNode =
  'Kubernetes documents that pods reach nodes, but pods of Overlay networks were observed not to reach their own node (flannel-io/flannel#1369).';

const remoteSubnetTable = prefixTables(remoteSubnetsOf, ({ subnet }) => subnet);

/** The outer headers of packets of an Overlay network to or, for the other direction, from an address in a remote subnet. */
export function tunnelTo(network: ObservedNetwork, address: string): Tunnel | undefined {
  const [remote] = remoteSubnetTable(network)(address);
  const source = providerAddressOf(network);
  if (source === undefined || remote?.providerAddress === undefined) return undefined;
  const { providerAddress: destination, vsid = 0, macAddress } = remote;
  const port = Number(settingsOf(network.Policies, 'VxlanPort')?.['Port'] ?? 4789);
  return { source, destination, vsid, port, ...(macAddress !== undefined && { macAddress }) };
}
