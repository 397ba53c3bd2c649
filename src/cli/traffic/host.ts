import { addressesIn, type ObservedEndpoint, type ObservedNetwork } from '../../hcn/documents.ts';
import { findById } from '../../model/inventory.ts';
import { isOverlay, isPolicyOf, providerAddressOf, subnetsOf } from '../../model/network-document.ts';
import { isRemote } from '../../model/ownership.ts';
import { familyOf, isLoopback } from '../../net/address.ts';
import { fiveTuple } from '../inventory/acl-row.ts';
import { addressesOf } from './destination.ts';
import { matchPacket } from './match.ts';
import { findBalancer } from './nat.ts';
import {
  adapterAt,
  adapterWith,
  chooseRoute,
  hasSubnetWith,
  interfaceName,
  localEndpoint,
  type NodeState,
  sourceTo,
  uplinksOf,
} from './node-state.ts';
import type { Packet } from './packet.ts';
import { type At, arrives, type Context, ends, goes, leaves, type Move, nodeHop } from './path.ts';
import { missingBackends, withoutBalancer } from './service.ts';
import { remoteSubnetWith, returnReply } from './switch.ts';

/** The IP stack of the node receives, forwards or sends a packet. */
export function routeInNode({ packet, received }: At<'node'>, context: Context): readonly Move[] {
  const { node } = context;
  const { destination } = packet;
  const isOwn = received === undefined;
  const receives = arrives([nodeHop('receives it', packet)], { is: 'node' }, 'The node receives it.', packet);
  if (isOwn && isLoopback(destination)) return [receives];
  const reply = isOwn ? undefined : returnReply(packet, nodeHop, context);
  if (reply !== undefined) return [reply];
  const sent = withSource(packet, sourceTo(node, destination));
  const taken = isOwn ? enterHostPort(sent, true, context) : undefined;
  if (taken !== undefined) return taken;
  if (adapterWith(node, destination) !== undefined) return [receives];
  const policies = node.inventory.endpoints.flatMap(({ Policies = [] }) => Policies);
  const because = isOwn ? withoutBalancer(destination, { Policies: policies }, node) : undefined;
  if (because !== undefined) return [ends('unknown', nodeHop('sends it', sent), because)];
  const overlay = overlayWith(node, destination);
  return [
    overlay === undefined
      ? route(sent, received, node)
      : toOverlay(overlay, withSource(packet, providerAddressOf(overlay)), isOwn),
  ];
}

function withSource(packet: Packet, source = ''): Packet {
  return packet.source === '' ? { ...packet, source } : packet;
}

/** The Overlay network with an address in its own or remote subnets. */
function overlayWith(node: NodeState, address: string): ObservedNetwork | undefined {
  return node.inventory.networks.find(
    (network) =>
      isOverlay(network) &&
      (hasSubnetWith(network, address) || remoteSubnetWith(network, address) !== undefined),
  );
}

/** HNS leads the node's packets to local endpoints if the network has the policy HostRoute (flannel-io/flannel#1096). */
function toOverlay(network: ObservedNetwork, packet: Packet, isOwn: boolean): Move {
  const hop = nodeHop(`sends it to network "${network.Name}"`, packet, 'HostRoute');
  const hasHostRoute = network.Policies?.some((policy) => isPolicyOf('HostRoute', policy)) === true;
  const drop = nodeHop('drops it', packet, 'no HostRoute');
  const unreached = `Network "${network.Name}" has no HostRoute policy: the node does not reach its pods.`;
  if (!hasHostRoute && hasSubnetWith(network, packet.destination)) return ends('lost', drop, unreached);
  if (!isOwn) return ends('unknown', hop, forwardedToOverlay);
  return goes(hop, { at: 'virtual switch', network, packet, nextHop: packet.destination });
}

const forwardedToOverlay =
  'Whether a node forwards packets of others to an Overlay network is not documented.';

function route(packet: Packet, received: number | 'unknown' | undefined, node: NodeState): Move {
  const { destination } = packet;
  const family = familyOf(destination);
  const choice = chooseRoute(node, destination);
  if (choice === undefined)
    return ends('lost', nodeHop('drops it', packet, 'no route'), `The node has no route to ${destination}.`);
  const { nextHop, interfaceIndex, text } = choice;
  for (const index of received === undefined ? [] : [received, interfaceIndex]) {
    const isEnabled = node.forwarding.find((one) => one.index === index && one.family === family)?.isEnabled;
    const alias = index === 'unknown' ? 'the receiving interface' : `"${interfaceName(node, index)}"`;
    const unknown = `Whether ${family} forwarding is enabled on ${alias} is not known.`;
    if (isEnabled === undefined) return ends('unknown', nodeHop('may forward it', packet, text), unknown);
    if (!isEnabled)
      return ends('lost', nodeHop('drops it', packet, text), `${family} forwarding is disabled on ${alias}.`);
  }
  const did = nextHop === destination ? 'sends it on-link' : `sends it to next hop ${nextHop}`;
  const network = networkBehind(node, interfaceIndex, nextHop);
  return goes(
    nodeHop(did, packet, text),
    network === undefined ? { at: 'adapter', packet } : { at: 'virtual switch', network, packet, nextHop },
  );
}

/** The network whose pods are behind an interface: the interface of its host endpoint, of a NAT network, or of a shared switch. */
function networkBehind(node: NodeState, index: number, nextHop: string): ObservedNetwork | undefined {
  const adapter = adapterAt(node, index);
  if (adapter === undefined) return undefined;
  const own = adapter.addresses.map(({ address }) => address);
  const { endpoints, networks } = node.inventory;
  const host = endpoints.find(
    (endpoint) => !isRemote(endpoint) && addressesIn(endpoint).some((address) => own.includes(address)),
  );
  const hasGateway = (network: ObservedNetwork) =>
    subnetsOf(network).some(({ Routes = [] }) => Routes.some(({ NextHop }) => own.includes(NextHop)));
  const isShared = (network: ObservedNetwork) =>
    !isOverlay(network) &&
    uplinksOf(node, network).includes(adapter) &&
    localEndpoint(node, nextHop, [network]) !== undefined;
  return findById(networks, host?.HostComputeNetwork) ?? networks.find(hasGateway) ?? networks.find(isShared);
}

/** The physical adapter sends a packet to the next hop of the node's routes. */
export function leaveAdapter({ packet, tunnel }: At<'adapter'>, { node }: Context): Move {
  const destination = tunnel?.destination ?? packet.destination;
  const choice = chooseRoute(node, destination);
  const place = { place: 'adapter', packet, ...(tunnel !== undefined && { tunnel }) } as const;
  if (choice === undefined)
    return ends(
      'lost',
      { ...place, name: 'none', did: 'drops it' },
      `The node has no route to ${destination}.`,
    );
  const { nextHop, interfaceIndex, text } = choice;
  const name = interfaceName(node, interfaceIndex);
  const hop = { ...place, name, did: `sends it to next hop ${nextHop}`, rule: text };
  return leaves(hop, { interfaceIndex, nextHop, ...(tunnel !== undefined && { tunnel }) });
}

/**
 * The host's port of the virtual switch sends a packet for a service or a port of the node to pods: to each backend of a load balancer, or
 * as a port mapping says. Undefined if nothing takes it. `isOwn`: the node itself sends the packet.
 */
export function enterHostPort(
  packet: Packet,
  isOwn: boolean,
  { node }: Context,
): readonly Move[] | undefined {
  const by = findBalancer(packet, node);
  const mapped = node.inventory.endpoints.flatMap((endpoint) => mappingsOf(endpoint, packet, node));
  if (by === undefined && mapped.length === 0) return undefined;
  const hop = nodeHop('may send it to a pod', packet, by?.name ?? 'PortMapping');
  if (isOwn && adapterWith(node, packet.destination) !== undefined)
    return [ends('unknown', hop, ownNodePort)];
  if (by === undefined) return mapped.slice(0, 1);
  const moves = by.targets.map(({ endpoint, packet: after }) => {
    if (isRemote(endpoint)) return ends('unknown', hop, `${by.name} takes it: ${toRemoteBackend}`);
    if (!isOwn && !by.isDirect) return ends('unknown', hop, `${by.name} takes it: ${fromOutside}`);
    return toPod(endpoint, packet, after, by.name);
  });
  return [...moves, ...missingBackends(by, nodeHop('finds no backend', packet, by.name))];
}

// Microsoft's test of a node expects these rules at the ports of the host and of the backend: microsoft/SDN, networkhealth.ps1, LB_HOST and NAT.
const toRemoteBackend =
  'which source the node gives to packets for backends on other nodes is not documented. Trace the service from a pod.';

const fromOutside =
  'which source its backends see without direct server return is not documented. Trace its backends.';

/** https://kubernetes.io/docs/concepts/services-networking/windows-networking/#limitations */
const ownNodePort =
  'Kubernetes does not support ports of a node from the node itself, and whether the flag LocalRoutedVIP allows them is not documented. Test them from another machine.';

/** The port of a pod translates the destination, and the source of the reply. */
function toPod(endpoint: ObservedEndpoint, before: Packet, after: Packet, by: string): Move {
  const hop = nodeHop(`sends it to ${after.destination}, port ${after.destinationPort}`, after, by);
  const translation = { endpoint: endpoint.ID, by, before, after };
  return { ...goes(hop, { at: 'port in', endpoint, packet: after, before }), translation };
}

/** What the port mappings of an endpoint do with a packet for them. */
function mappingsOf(endpoint: ObservedEndpoint, before: Packet, node: NodeState): readonly Move[] {
  const { destination } = before;
  const [address] = addressesOf(endpoint, familyOf(destination));
  if (address === undefined || isRemote(endpoint)) return [];
  return (endpoint.Policies ?? []).flatMap((policy) => {
    const { Protocol, ExternalPort, InternalPort, VIP } = policy.Settings ?? {};
    const tuple = fiveTuple({ Protocols: Protocol, RemotePorts: ExternalPort });
    const isAddressed = VIP ? VIP === destination : adapterWith(node, destination) !== undefined;
    if (!isPolicyOf('PortMapping', policy) || !isAddressed || matchPacket(tuple, 'Out', before) !== true)
      return [];
    const after = { ...before, destination: address, destinationPort: Number(InternalPort) };
    return [toPod(endpoint, before, after, 'PortMapping')];
  });
}
