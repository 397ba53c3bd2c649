import type { ObservedNetwork } from '../../hcn/documents.ts';
import { findById } from '../../model/inventory.ts';
import { providerAddressOf, settingsOf } from '../../model/network-document.ts';
import { isInLan } from './bridge.ts';
import { enterHostPort } from './host-port.ts';
import { adapterWith, isHostEndpoint, localEndpoint, type NodeState, receiverOf } from './node-state.ts';
import { gatewayOnly, isGateway, overlayNetworks, routerMacOf, vsidsOf, vxlanPort } from './overlay.ts';
import { changesSource, findReversed, isSamePacket, replyTo, type Tunnel } from './packet.ts';
import type { Hop } from './path.ts';
import { type Context, lost, type Position, type Step, switchHop, unknown } from './step.ts';

type AtCable = Extract<Position, { at: 'cable' }>;

/** A frame arrives at a physical adapter of the node. */
export function enterNode({ frame }: AtCable, context: Context): readonly Step[] {
  const { packet, tunnel, interfaceIndex } = frame;
  const { node } = context;
  if (tunnel !== undefined) return [decapsulate(frame, tunnel, context)];
  const bridged = bridgedEndpoint(node, packet.destination);
  if (bridged !== undefined) {
    const hop = switchHop(bridged.network, {
      did: 'sends it to a local endpoint',
      evidence: 'documented',
      packet,
    });
    return [{ hops: [hop], to: { at: 'port in', endpoint: bridged.endpoint, packet } }];
  }
  const isReply = context.state.translations.some(({ after }) => isSamePacket(replyTo(after), packet));
  const taken = isReply ? undefined : enterHostPort(packet, false, context);
  return taken ?? [{ hops: [], to: { at: 'node', packet, received: interfaceIndex } }];
}

function decapsulate({ packet }: AtCable['frame'], tunnel: Tunnel, { node, state }: Context): Step {
  const adapter = (did: string): Hop => ({
    place: 'adapter',
    name: adapterWith(node, tunnel.destination)?.alias ?? tunnel.destination,
    did,
    evidence: 'source',
    packet,
    tunnel,
  });
  const networks = overlayNetworks(node);
  const provided = networks.filter((network) => providerAddressOf(network) === tunnel.destination);
  if (provided.length === 0)
    return lost(
      adapter('drops it'),
      `No Overlay network of the node has the provider address ${tunnel.destination}.`,
    );
  const network = provided.find((one) => vsidsOf(one).includes(tunnel.vsid));
  if (network === undefined) {
    const known = provided.flatMap(vsidsOf).join(', ');
    return lost(
      adapter('drops it'),
      `The packet has VSID ${tunnel.vsid}, and the Overlay networks of the node have ${known || 'none'}.`,
    );
  }
  return deliver(network, packet, tunnel, { node, state });
}

function deliver(
  network: ObservedNetwork,
  packet: AtCable['frame']['packet'],
  tunnel: Tunnel,
  { node, state }: Context,
): Step {
  const hop = (did: string) => switchHop(network, { did, evidence: 'source', packet });
  const port = Number(settingsOf(network.Policies, 'VxlanPort')?.['Port'] ?? vxlanPort);
  if (port !== tunnel.port)
    return lost(
      hop('drops it'),
      `The packet was sent to UDP port ${tunnel.port}, and network "${network.Name}" receives VXLAN on ${port}.`,
    );
  const router = routerMacOf(network);
  if (tunnel.macAddress === undefined || router === undefined)
    return unknown(
      hop('may drop it'),
      'The MAC address of the inner frame, or that of the distributed router, is not known.',
    );
  if (tunnel.macAddress !== router)
    return lost(
      hop('drops it'),
      `The inner frame is for MAC address ${tunnel.macAddress}, and the distributed router of network "${network.Name}" has ${router}.`,
    );
  const translation = findReversed(state.translations, packet, changesSource);
  if (translation !== undefined && translation.endpoint === undefined) {
    const reversed = replyTo(translation.before);
    return { hops: [hop('decapsulates the reply')], to: { at: 'adapter', packet: reversed } };
  }
  const owner = findById(node.inventory.endpoints, translation?.endpoint);
  const endpoint = owner ?? localEndpoint(node, packet.destination, [network]);
  if (endpoint === undefined && isGateway(network, packet.destination))
    return unknown(hop('may answer it'), gatewayOnly(packet.destination));
  if (endpoint === undefined)
    return lost(
      hop('drops it'),
      `No endpoint of network "${network.Name}" has address ${packet.destination}.`,
    );
  if (isHostEndpoint(endpoint, node))
    return {
      hops: [hop('decapsulates it')],
      to: { at: 'node', packet, received: receiverOf(node, packet.destination) },
    };
  return { hops: [hop('decapsulates it')], to: { at: 'port in', endpoint, packet } };
}

/** The pod with an address that is on the physical network itself: of a Transparent network, or in the subnet of the node. */
function bridgedEndpoint(node: NodeState, address: string) {
  for (const network of node.inventory.networks) {
    const type = network.Type.toLowerCase();
    const isBridged =
      type === 'transparent' ||
      type === 'l2tunnel' ||
      (type === 'l2bridge' && isInLan(network, address, node));
    const endpoint = isBridged ? localEndpoint(node, address, [network]) : undefined;
    if (endpoint !== undefined && !isHostEndpoint(endpoint, node)) return { network, endpoint };
  }
  return undefined;
}
