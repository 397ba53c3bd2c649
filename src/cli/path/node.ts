import { addressesIn, type ObservedNetwork } from '../../hcn/documents.ts';
import { isOverlay, isPolicyOf, subnetsOf } from '../../model/network-document.ts';
import { familyOf } from '../../net/address.ts';
import { parsePrefix } from '../../net/prefix.ts';
import { uplinksOf } from './management.ts';
import { adapterWith, isForwarding, localEndpoint, type NodeState, subnetWith } from './node-state.ts';
import { isSamePacket, type Packet, replyTo } from './packet.ts';
import type { Hop } from './path.ts';
import { chooseRoute } from './routes.ts';
import { type Context, lost, nodeHop, type Position, type Step, unknown } from './step.ts';

type AtNode = Extract<Position, { at: 'node' }>;

/** The IP stack of the node receives, forwards or sends a packet. */
export function routeInNode(position: AtNode, context: Context): readonly Step[] {
  const { packet, received } = position;
  const { node, state } = context;
  const translation = state.translations.find(
    ({ before, after }) => before.source !== after.source && isSamePacket(replyTo(after), packet),
  );
  if (received !== undefined && translation?.endpoint !== undefined) {
    const endpoint = node.inventory.endpoints.find(({ ID }) => ID === translation.endpoint);
    if (endpoint !== undefined) {
      const hop = nodeHop({
        did: 'returns the reply to the port that translated the source',
        rule: translation.by,
        evidence: 'source',
        packet,
      });
      return [{ hops: [hop], to: { at: 'port in', endpoint, packet } }];
    }
  }
  if (adapterWith(node, packet.destination) !== undefined) return [receive(position, context)];
  const overlay = overlayWith(node, packet.destination);
  if (overlay !== undefined) return [toOverlay(overlay, position)];
  return [route(position, context)];
}

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

/** The Overlay network with an address in its subnets, if no route of the node is more specific. */
function overlayWith(node: NodeState, address: string): ObservedNetwork | undefined {
  const network = node.inventory.networks.find(
    (one) => isOverlay(one) && subnetWith(one, address) !== undefined,
  );
  const choice = chooseRoute(node, address);
  const length = choice.is === 'one' ? (parsePrefix(choice.route.prefix)?.length ?? 0) : 0;
  const subnets = network === undefined ? [] : subnetsOf(network);
  const isMoreSpecific = subnets.some(
    ({ IpAddressPrefix }) => (parsePrefix(IpAddressPrefix)?.length ?? 0) <= length,
  );
  return isMoreSpecific ? undefined : network;
}

/** HNS leads the node's packets to local endpoints if the network has the policy HostRoute (flannel-io/flannel#1096). */
function toOverlay(network: ObservedNetwork, { packet, received }: AtNode): Step {
  const has = network.Policies?.some((policy) => isPolicyOf('HostRoute', policy)) === true;
  const hop = nodeHop({
    did: has ? `sends it to network "${network.Name}"` : 'drops it',
    rule: has ? 'HostRoute' : 'no HostRoute',
    evidence: 'reported',
    packet,
  });
  if (!has)
    return lost(hop, `Network "${network.Name}" has no HostRoute policy: the node does not reach its pods.`);
  if (received !== undefined)
    return unknown(hop, 'Whether a node forwards packets of others to an Overlay network is not documented.');
  return {
    hops: [hop],
    to: { at: 'virtual switch', network, packet: withSource(packet, ''), nextHop: packet.destination },
  };
}

function withSource(packet: Packet, source: string): Packet {
  return packet.source === '' ? { ...packet, source } : packet;
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
    for (const index of [received, row.interfaceIndex]) {
      const alias = node.adapters.find((one) => one.index === index)?.alias ?? `interface ${index}`;
      const isOn = isForwarding(node, index, family);
      if (isOn === undefined)
        return unknown(
          hop('may forward it', rule),
          `Whether ${family} forwarding is enabled on "${alias}" is not known.`,
        );
      if (!isOn) return lost(hop('drops it', rule), `${family} forwarding is disabled on "${alias}".`);
    }
  }
  const out = node.adapters.find(({ index }) => index === row.interfaceIndex);
  const source = out?.addresses.find(({ address }) => familyOf(address) === family)?.address ?? '';
  const sent = withSource(packet, source);
  const done: Hop = {
    ...hop(nextHop === destination ? 'sends it on-link' : `sends it to next hop ${nextHop}`, rule),
    packet: sent,
  };
  const network = networkBehind(node, row.interfaceIndex, nextHop);
  if (network !== undefined)
    return { hops: [done], to: { at: 'virtual switch', network, packet: sent, nextHop } };
  return { hops: [done], to: { at: 'adapter', packet: sent, nextHop } };
}

/** The network whose pods are behind an interface: the interface of its host endpoint, of a NAT network, or of a shared switch. */
function networkBehind(node: NodeState, index: number, nextHop: string): ObservedNetwork | undefined {
  const adapter = node.adapters.find((one) => one.index === index);
  if (adapter === undefined) return undefined;
  const own = adapter.addresses.map(({ address }) => address);
  const { endpoints, networks } = node.inventory;
  const host = endpoints.find((endpoint) => addressesIn(endpoint).some((address) => own.includes(address)));
  const byGateway = networks.find((one) =>
    subnetsOf(one).some(({ Routes = [] }) => Routes.some(({ NextHop }) => own.includes(NextHop))),
  );
  const byEndpoint = networks.find(({ ID }) => ID === host?.HostComputeNetwork);
  const onSwitch = networks.find(
    (one) =>
      !isOverlay(one) &&
      uplinksOf(node, one).includes(adapter) &&
      localEndpoint(node, nextHop, [one]) !== undefined,
  );
  return byEndpoint ?? byGateway ?? onSwitch;
}
