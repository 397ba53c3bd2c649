import { addressesIn, type ObservedNetwork } from '../../hcn/documents.ts';
import { findById } from '../../model/inventory.ts';
import { isOverlay, isPolicyOf, providerAddressOf, subnetsOf } from '../../model/network-document.ts';
import { isRemote } from '../../model/ownership.ts';
import { familyOf, isLoopback } from '../../net/address.ts';
import { longestMatch } from '../traffic/match-traffic.ts';
import { enterHostPort } from './host-port.ts';
import { uplinksOf } from './management.ts';
import {
  adapterAt,
  adapterWith,
  hasSubnetWith,
  interfaceName,
  isForwarding,
  localEndpoint,
  type NodeState,
} from './node-state.ts';
import { overlayNetworks, remotePrefixes } from './overlay.ts';
import { changesSource, findReversed, type Packet, replyTo, type Translation } from './packet.ts';
import type { Hop } from './path.ts';
import { chooseRoute, sourceThrough } from './routes.ts';
import { type Context, lost, nodeHop, type Position, type Step, unknown } from './step.ts';

type AtNode = Extract<Position, { at: 'node' }>;

/** The IP stack of the node receives, forwards or sends a packet. */
export function routeInNode(position: AtNode, context: Context): readonly Step[] {
  const { packet, received } = position;
  const { node, state } = context;
  if (received === undefined && isLoopback(packet.destination)) return [receive(position, context)];
  const isOfNode = (one: Translation) => one.endpoint === undefined || changesSource(one);
  const translation = findReversed(state.translations, packet, isOfNode);
  if (received !== undefined && translation !== undefined) return [reverse(position, translation, context)];
  if (received === undefined) {
    const taken = enterHostPort(withSource(packet, sourceFor(packet, node)), true, context);
    if (taken !== undefined) return taken;
  }
  if (adapterWith(node, packet.destination) !== undefined) return [receive(position, context)];
  const overlay = overlayWith(node, packet.destination);
  if (overlay !== undefined) return [toOverlay(overlay, position)];
  return [route(position, context)];
}

/** A reply to a translated packet goes back to the port that translated it, or to the sender of a packet that a load balancer took. */
function reverse({ packet }: AtNode, { endpoint: id, by, before }: Translation, { node }: Context): Step {
  const endpoint = findById(node.inventory.endpoints, id);
  const after = endpoint === undefined ? replyTo(before) : packet;
  const did =
    endpoint === undefined
      ? `reverses the translation by ${by}`
      : 'returns the reply to the port that translated the packet';
  const hop = nodeHop({ did, rule: by, evidence: 'source', packet: after });
  if (endpoint !== undefined) return { hops: [hop], to: { at: 'port in', endpoint, packet } };
  return adapterWith(node, after.destination) === undefined
    ? { hops: [hop], to: { at: 'adapter', packet: after } }
    : receive({ at: 'node', packet: after }, { node, state: newState });
}

const newState: Context['state'] = { translations: [], ports: [] };

function receive({ packet, received }: AtNode, { node }: Context): Step {
  const hop = nodeHop({ did: 'receives it', evidence: 'documented', packet });
  if (received !== undefined && adapterWith(node, packet.source) !== undefined)
    return unknown(
      hop,
      `The source ${packet.source} is the node's own address, and what the node does with such a packet is not documented.`,
    );
  return {
    hops: [hop],
    to: { at: 'end', outcome: 'arrives', receiver: { is: 'node' }, because: 'The node receives it.', packet },
  };
}

/** The Overlay network with an address in its own or remote subnets, if no route of the node is as specific. */
function overlayWith(node: NodeState, address: string): ObservedNetwork | undefined {
  const choice = chooseRoute(node, address);
  const routed = choice.is === 'one' ? [{ prefix: choice.route.prefix, network: undefined }] : [];
  const reached = overlayNetworks(node).flatMap((network) =>
    [...subnetsOf(network).map(({ IpAddressPrefix }) => IpAddressPrefix), ...remotePrefixes(network)].map(
      (prefix) => ({ prefix, network }),
    ),
  );
  return longestMatch([...routed, ...reached], ({ prefix }) => prefix, address)?.network;
}

/** HNS leads the node's packets to local endpoints if the network has the policy HostRoute (flannel-io/flannel#1096). */
function toOverlay(network: ObservedNetwork, { packet: given, received }: AtNode): Step {
  const packet = withSource(given, providerAddressOf(network) ?? '');
  const isLocal = hasSubnetWith(network, packet.destination);
  const has = network.Policies?.some((policy) => isPolicyOf('HostRoute', policy)) === true;
  const hop = nodeHop({
    did: has || !isLocal ? `${has ? 'sends' : 'may send'} it to network "${network.Name}"` : 'drops it',
    rule: has ? 'HostRoute' : 'no HostRoute',
    evidence: 'reported',
    packet,
  });
  if (!has && isLocal)
    return lost(hop, `Network "${network.Name}" has no HostRoute policy: the node does not reach its pods.`);
  if (received !== undefined)
    return unknown(hop, 'Whether a node forwards packets of others to an Overlay network is not documented.');
  return {
    hops: [hop],
    to: { at: 'virtual switch', network, packet, nextHop: packet.destination },
  };
}

function withSource(packet: Packet, source: string): Packet {
  return packet.source === '' ? { ...packet, source } : packet;
}

/** The address of the interface by which the node sends a packet; empty if there is none. */
function sourceFor({ destination }: Packet, node: NodeState): string {
  const choice = chooseRoute(node, destination);
  return (choice.is === 'one' ? sourceThrough(node, choice.route, destination) : undefined) ?? '';
}

function route({ packet, received }: AtNode, { node }: Context): Step {
  const { destination } = packet;
  const hop = (did: string, rule?: string): Hop =>
    nodeHop({ did, ...(rule !== undefined && { rule }), evidence: 'documented', packet });
  const choice = chooseRoute(node, destination);
  if (choice.is === 'none') return lost(hop('drops it'), `The node has no route to ${destination}.`);
  if (choice.is === 'several')
    return unknown(hop('sends it', choice.text), 'Several routes of the node are equally good.');
  const { route: row, nextHop, text } = choice;
  const family = familyOf(destination);
  const rule = `route ${text}`;
  if (received !== undefined) {
    if (received === 'unknown') return unknown(hop('may forward it', rule), unknownReceiver);
    for (const index of [received, row.interfaceIndex]) {
      const alias = interfaceName(node, index);
      const isOn = isForwarding(node, index, family);
      if (isOn === undefined)
        return unknown(
          hop('may forward it', rule),
          `Whether ${family} forwarding is enabled on "${alias}" is not known.`,
        );
      if (!isOn) return lost(hop('drops it', rule), `${family} forwarding is disabled on "${alias}".`);
    }
  }
  const sent = withSource(packet, sourceFor(packet, node));
  const done: Hop = {
    ...hop(nextHop === destination ? 'sends it on-link' : `sends it to next hop ${nextHop}`, rule),
    packet: sent,
  };
  const network = networkBehind(node, row.interfaceIndex, nextHop);
  if (network !== undefined)
    return { hops: [done], to: { at: 'virtual switch', network, packet: sent, nextHop } };
  return { hops: [done], to: { at: 'adapter', packet: sent } };
}

const unknownReceiver =
  'The interface of the node that receives the packet is unknown, so it is unknown whether that interface forwards.';

/** The network whose pods are behind an interface: the interface of its host endpoint, of a NAT network, or of a shared switch. */
function networkBehind(node: NodeState, index: number, nextHop: string): ObservedNetwork | undefined {
  const adapter = adapterAt(node, index);
  if (adapter === undefined) return undefined;
  const own = adapter.addresses.map(({ address }) => address);
  const { endpoints, networks } = node.inventory;
  const host = endpoints.find(
    (endpoint) => !isRemote(endpoint) && addressesIn(endpoint).some((address) => own.includes(address)),
  );
  const byGateway = networks.find((one) =>
    subnetsOf(one).some(({ Routes = [] }) => Routes.some(({ NextHop }) => own.includes(NextHop))),
  );
  const byEndpoint = findById(networks, host?.HostComputeNetwork);
  const onSwitch = networks.find(
    (one) =>
      !isOverlay(one) &&
      uplinksOf(node, one).includes(adapter) &&
      localEndpoint(node, nextHop, [one]) !== undefined,
  );
  return byEndpoint ?? byGateway ?? onSwitch;
}
