import type { ObservedNetwork } from '../../hcn/documents.ts';
import { isOverlay, providerAddressOf } from '../../model/network-document.ts';
import { contains } from '../../net/prefix.ts';
import { enterHostPort } from './host.ts';
import {
  adapterWith,
  isHostEndpoint,
  isInLan,
  localEndpoint,
  type NodeState,
  networkOf,
  uplinksOf,
} from './node-state.ts';
import { type Frame, findReversed, type Packet } from './packet.ts';
import { type At, type Context, ends, type Move, switchHop } from './path.ts';
import { returnReply, toLocal, tunnelTo } from './switch.ts';

/** A frame arrives at a physical adapter of the node. */
export function enterNode({ frame }: At<'physical network'>, context: Context): readonly Move[] {
  const { packet, tunnel, interfaceIndex } = frame;
  const { node, state } = context;
  if (tunnel !== undefined) return [decapsulate(packet, tunnel.destination, context)];
  const network = node.inventory.networks.find((one) => isBridged(one, packet.destination, node));
  const bridged = network && toLocal(network, packet, node);
  if (bridged !== undefined) return [bridged];
  const isReply = findReversed(state.translations, packet, () => true) !== undefined;
  const taken = isReply ? undefined : enterHostPort(packet, false, context);
  return taken ?? [{ hops: [], to: { at: 'node', packet, received: interfaceIndex } }];
}

/** Whether a pod of a network is on the physical network itself: of a Transparent network, or in the subnet of the node. */
function isBridged(network: ObservedNetwork, address: string, node: NodeState): boolean {
  const type = network.Type.toLowerCase();
  const endpoint = localEndpoint(node, address, [network]);
  if (endpoint === undefined || isHostEndpoint(endpoint, node)) return false;
  return (
    type === 'transparent' || type === 'l2tunnel' || (type === 'l2bridge' && isInLan(network, address, node))
  );
}

/** A packet of another node of an Overlay network goes to the port that translated its connection, otherwise to its destination. */
function decapsulate(packet: Packet, provider: string, context: Context): Move {
  const { node } = context;
  const own = node.inventory.networks.filter((one) => isOverlay(one) && providerAddressOf(one) === provider);
  const network = own.find((one) => localEndpoint(node, packet.destination, [one])) ?? own[0];
  if (network === undefined) {
    const hop = {
      place: 'adapter',
      name: adapterWith(node, provider)?.alias ?? provider,
      did: 'drops it',
      packet,
    } as const;
    return ends('lost', hop, `No Overlay network of the node has the provider address ${provider}.`);
  }
  const hop = (did: string, after: Packet) => switchHop(network, did, after);
  return (
    returnReply(packet, hop, context) ??
    toLocal(network, packet, node) ??
    ends(
      'lost',
      hop('drops it', packet),
      `No endpoint of network "${network.Name}" has address ${packet.destination}.`,
    )
  );
}

/**
 * The frame in which a packet from elsewhere reaches this node if the sender's side is right: encapsulated, if the source is in a remote
 * subnet of the receiver's Overlay network. Undefined if no adapter of this node receives the packet.
 */
export function arrivingFrame(packet: Packet, node: NodeState): Frame | undefined {
  const endpoint = localEndpoint(node, packet.destination);
  const network = endpoint && networkOf(endpoint, node);
  const outgoing = network && isOverlay(network) ? tunnelTo(network, packet.source) : undefined;
  const tunnel = outgoing && { ...outgoing, source: outgoing.destination, destination: outgoing.source };
  const nextHop = tunnel?.destination ?? packet.destination;
  const adapter = [
    adapterWith(node, nextHop),
    ...(network === undefined ? [] : uplinksOf(node, network)),
    node.adapters.find(({ addresses }) => addresses.some((own) => contains(own, packet.source))),
  ].find((one) => one !== undefined);
  return (
    adapter && { interfaceIndex: adapter.index, nextHop, packet, ...(tunnel !== undefined && { tunnel }) }
  );
}
