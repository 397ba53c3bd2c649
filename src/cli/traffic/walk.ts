import type { ObservedNetwork } from '../../hcn/documents.ts';
import { isOverlay, providerAddressOf } from '../../model/network-document.ts';
import { contains } from '../../net/prefix.ts';
import { enterHostPort, leaveAdapter, routeInNode } from './host.ts';
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
import {
  type At,
  type ConnectionState,
  type Context,
  ends,
  type Move,
  nodeHop,
  type Path,
  type Position,
  switchHop,
} from './path.ts';
import { enterPort, leavePod } from './pod.ts';
import { bridgedTypes, forward, returnReply, toLocal, tunnelTo } from './switch.ts';

/** Where a packet starts. An empty source lets the node choose it; a frame's `interfaceIndex` is the receiving interface. */
export type Start = At<'pod'> | At<'node'> | At<'physical network'>;

/** No connection yet. */
export const newConnection: ConnectionState = { translations: [], ports: [] };

/** More places than any packet passes in a node: a packet that passes more is in a loop. */
const mostPlaces = 32;

/**
 * Follows a packet through a node. Returns its path, or each possible one if something chooses, as a load balancer chooses a backend;
 * never none. `state` is what the node remembers of the connection, empty for its first packet.
 */
export function walk(node: NodeState, start: Start, state: ConnectionState = newConnection): readonly Path[] {
  return follow(start, { node, state }, { hops: [], state: newConnection });
}

const outcomes: readonly Path['outcome'][] = ['lost', 'unknown', 'leaves', 'arrives'];

/** The paths that a packet may take, the worst first: lost before unknown before leaves before arrives. */
export function worstFirst<P extends Pick<Path, 'outcome'>>(
  paths: readonly P[],
  outcomeOf: (path: P) => Path['outcome'] = ({ outcome }) => outcome,
): readonly P[] {
  return outcomes.flatMap((outcome) => paths.filter((path) => outcomeOf(path) === outcome));
}

function follow(
  position: Position,
  context: Context,
  passed: Pick<Path, 'hops' | 'state'>,
  places = 1,
): readonly Path[] {
  return moves(position, context).flatMap(({ hops, to, translation, port }): readonly Path[] => {
    const { translations, ports } = passed.state;
    const next = {
      hops: [...passed.hops, ...hops],
      state: {
        translations: translation === undefined ? translations : [...translations, translation],
        ports: port === undefined ? ports : [...ports, port],
      },
    };
    if (to.at !== 'end' && places <= mostPlaces) return follow(to, context, next, places + 1);
    if (to.at !== 'end')
      return [
        { ...next, packet: to.packet, outcome: 'lost', because: 'The packet is in a forwarding loop.' },
      ];
    const { at: _, ...end } = to;
    return [{ ...next, ...end }];
  });
}

function moves(position: Position, context: Context): readonly Move[] {
  switch (position.at) {
    case 'pod':
      return leavePod(position, context);
    case 'virtual switch':
      return [forward(position, context)];
    case 'port in':
      return [enterPort(position, context)];
    case 'node':
      return routeInNode(position, context);
    case 'adapter':
      return [leaveAdapter(position, context)];
    case 'physical network':
      return enterNode(position, context);
  }
}

/** A frame arrives at a physical adapter of the node. */
function enterNode({ frame }: At<'physical network'>, context: Context): readonly Move[] {
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

/** Whether a pod of a network is on the physical network itself. */
function isBridged(network: ObservedNetwork, address: string, node: NodeState): boolean {
  const endpoint = localEndpoint(node, address, [network]);
  const isPod = endpoint !== undefined && !isHostEndpoint(endpoint, node);
  return isPod && bridgedTypes.includes(network.Type.toLowerCase()) && isInLan(network, address, node);
}

/** A packet of another node of an Overlay network goes to the port that translated its connection, otherwise to its destination. */
function decapsulate(packet: Packet, provider: string, context: Context): Move {
  const { node } = context;
  const own = node.inventory.networks.filter((one) => isOverlay(one) && providerAddressOf(one) === provider);
  const network = own.find((one) => localEndpoint(node, packet.destination, [one])) ?? own[0];
  const unknown = `No Overlay network of the node has the provider address ${provider}.`;
  if (network === undefined) return ends('lost', nodeHop('drops it', packet), unknown);
  const hop = (did: string, after: Packet) => switchHop(network, did, after);
  const because = `No endpoint of network "${network.Name}" has address ${packet.destination}.`;
  return (
    returnReply(packet, hop, context) ??
    toLocal(network, packet, node) ??
    ends('lost', hop('drops it', packet), because)
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
