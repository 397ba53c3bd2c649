import type { ObservedEndpoint } from '../../hcn/documents.ts';
import type { Inventory } from '../../model/inventory.ts';
import { isPolicyOf } from '../../model/network-document.ts';
import { isAttached } from '../../model/readiness.ts';
import { familyOf } from '../../net/address.ts';
import { type AclDecision, decideAcls } from './acls.ts';
import { describeLocalDelivery } from './destination.ts';
import { type Balancing, balancedSource, findBalancer, isDirect, type Target } from './load-balancer.ts';
import { longestMatches } from './match.ts';
import { adapterWith, managementAddress, type NodeState, networkOf } from './node-state.ts';
import { outboundNat } from './outbound-nat.ts';
import { findReversed, isSamePacket, type Packet, replyTo } from './packet.ts';
import { type At, arrives, type Context, endpointHop, ends, type Hop, type Move } from './path.ts';

/** A pod sends a packet, as its own routes say. */
export function leavePod({ endpoint, packet }: At<'pod'>, { node }: Context): Move {
  const { destination } = packet;
  const hop = (did: string, rule?: string) =>
    endpointHop('pod', endpoint, node, did, packet, rule === undefined ? {} : { rule });
  const within = describeLocalDelivery(destination, [packet.source]);
  if (within !== undefined)
    return arrives([hop('delivers it to itself')], { is: 'pod', endpoint: endpoint.ID }, within, packet);
  if (!isAttached(endpoint))
    return ends('lost', hop('cannot send'), 'The endpoint is in no namespace: no pod uses it.');
  const route = podRoute(endpoint, destination);
  if (route === undefined) return ends('lost', hop('drops it'), `The pod has no route to ${destination}.`);
  const { nextHop = destination, text } = route;
  const did = nextHop === destination ? 'sends it on-link' : `sends it to next hop ${nextHop}`;
  return { hops: [hop(did, `route ${text}`)], to: { at: 'port out', endpoint, packet, nextHop } };
}

interface PodRoute {
  readonly prefix: string;
  /** Absent if the destination is on-link. */
  readonly nextHop?: string;
  readonly text: string;
}

/** The route by which a pod sends to an address: of its own subnets, or of its endpoint. */
function podRoute({ Routes = [], IpConfigurations = [] }: ObservedEndpoint, address: string) {
  const own = IpConfigurations.filter(({ PrefixLength }) => PrefixLength !== undefined)
    .map(({ IpAddress, PrefixLength }) => `${IpAddress}/${PrefixLength}`)
    .map((prefix): PodRoute => ({ prefix, text: `${prefix} on-link` }));
  const others = Routes.map(({ DestinationPrefix: prefix, NextHop: nextHop }): PodRoute => {
    return { prefix, nextHop, text: `${prefix} via ${nextHop}` };
  });
  return longestMatches([...own, ...others], ({ prefix }) => prefix, address)[0];
}

const established = 'the port knows the connection';

/** A pod's port of the virtual switch handles a packet that the pod sends. It reverses its own translations for replies. */
export function leavePort(position: At<'port out'>, context: Context): readonly Move[] {
  const { endpoint, packet, nextHop } = position;
  const { node, state } = context;
  if (!state.ports.includes(endpoint.ID)) return leaveAsFirst(position, node);
  const { after, did } = reversed(endpoint, packet, 'lets the reply pass', context);
  const hop = endpointHop('port', endpoint, node, did, after, { rule: established });
  return [toSwitch(endpoint, nextHop, hop, node)];
}

function reversed(endpoint: ObservedEndpoint, packet: Packet, otherwise: string, { state }: Context) {
  const translation = findReversed(state.translations, packet, (one) => one.endpoint === endpoint.ID);
  return translation === undefined
    ? { after: packet, did: otherwise }
    : { after: replyTo(translation.before), did: `reverses the translation by ${translation.by}` };
}

/** The first packet of a connection: ACLs, load balancers, then OutBoundNAT. */
function leaveAsFirst(position: At<'port out'>, node: NodeState): readonly Move[] {
  const { endpoint, packet } = position;
  const balancing = findBalancer(packet, node);
  const { by, mayTake, rules } = balancing;
  const acls = outAcls(endpoint, packet, balancing, node.inventory);
  const checked = endpointHop('port', endpoint, node, aclVerbs[acls.decision], packet, reasonOf(acls));
  if (acls.decision !== 'allow') return [aclEnd(checked, acls)];
  const after = (move: Move): Move => ({ ...move, hops: [checked, ...move.hops] });
  const hop = (did: string) => endpointHop('port', endpoint, node, did, packet, { rules });
  if (mayTake !== undefined) return [after(ends('unknown', hop('may redirect it'), mayTake))];
  if (by?.targets.length === 0)
    return [after(ends('lost', hop('drops it'), `The backends of ${by.name} do not exist.`))];
  return (by?.targets ?? [undefined]).map((target) => after(translate(position, balancing, target, node)));
}

/** What the ACLs of a pod decide about a packet that it sends, before and after a load balancer changes its destination. */
export function outAcls(
  endpoint: ObservedEndpoint,
  packet: Packet,
  { by }: Balancing,
  inventory: Pick<Inventory, 'networks'>,
): AclDecision {
  const others = by?.targets.filter((target) => target.endpoint.ID !== endpoint.ID) ?? [];
  return decideAcls(endpoint, 'Out', [packet, ...others.map((target) => target.packet)], inventory);
}

/** A pod reaches itself through a load balancer only with loopbackDSR: its address is a destination of OutBoundNAT. */
function translate(
  { endpoint, packet, nextHop: routed }: At<'port out'>,
  { by, rules }: Balancing,
  target: Target | undefined,
  node: NodeState,
): Move {
  const sent = target?.packet ?? packet;
  const isItself = target?.endpoint.ID === endpoint.ID;
  const network = networkOf(endpoint, node);
  const nodeAddress = network && managementAddress(node, network, familyOf(packet.destination));
  const nat = outboundNat(endpoint, isItself ? sent : packet, nodeAddress);
  const balancer = isItself || by === undefined || isDirect(by) ? undefined : by;
  const { source, caveat } = balancer === undefined ? nat : balancedSource(balancer, nodeAddress);
  const reason =
    balancer === undefined
      ? { rule: by === undefined ? nat.rule : `${by.name}, ${nat.rule}`, rules: [...rules, ...nat.rules] }
      : { rule: balancer.name, rules };
  const hop = (did: string, after: Packet) => endpointHop('port', endpoint, node, did, after, reason);
  if (isItself && !nat.isDestination)
    return ends(
      'lost',
      hop('drops it', packet),
      `The pod is a backend of ${by?.name} itself, and has no loopbackDSR.`,
    );
  if (source === undefined) return ends('unknown', hop('translates the source', sent), unknownNodeAddress);
  const after = { ...sent, source };
  const redirected = podRoute(endpoint, sent.destination)?.nextHop ?? sent.destination;
  const translation = { endpoint: endpoint.ID, by: by?.name ?? 'OutBoundNAT', before: packet, after };
  return {
    ...toSwitch(
      endpoint,
      target === undefined ? routed : redirected,
      hop(changeText(packet, after), after),
      node,
    ),
    port: endpoint.ID,
    ...(caveat !== undefined && { caveat }),
    ...(!isSamePacket(after, packet) && { translation }),
  };
}

/** Why a source is not known. */
export const unknownNodeAddress = 'The address of the node on the network is not known.';

function changeText(before: Packet, after: Packet): string {
  const changes = [
    ...(before.source === after.source ? [] : [`the source to ${after.source}`]),
    ...(before.destination === after.destination ? [] : [`the destination to ${after.destination}`]),
    ...(before.destinationPort === after.destinationPort ? [] : [`the port to ${after.destinationPort}`]),
  ];
  return changes.length === 0 ? 'keeps the source' : `translates ${changes.join(' and ')}`;
}

/** HNS does not document what an SDNRoute, which is for services, does with packets that no load balancer takes. */
function toSwitch(endpoint: ObservedEndpoint, nextHop: string, hop: Hop, node: NodeState): Move {
  const { packet } = hop;
  const { destination } = packet;
  const network = networkOf(endpoint, node);
  if (network === undefined) return ends('lost', hop, 'The network of the endpoint is gone.');
  const prefix = sdnRouteTo(endpoint, destination);
  if (prefix !== undefined && adapterWith(node, destination) === undefined)
    return ends(
      'unknown',
      hop,
      `${destination} looks like a service (SDNRoute ${prefix}), but no load balancer has it: is kube-proxy running?`,
    );
  return { hops: [hop], to: { at: 'virtual switch', network, endpoint, packet, nextHop } };
}

/** The prefix of the SDNRoute policy of an endpoint that applies to an address; undefined if none does. */
function sdnRouteTo({ Policies = [] }: ObservedEndpoint, address: string): string | undefined {
  const routes = Policies.filter((policy) => isPolicyOf('SDNRoute', policy));
  const prefixes = routes.map(({ Settings }) => String(Settings?.['DestinationPrefix']));
  return longestMatches(prefixes, (prefix) => prefix, address)[0];
}

/** A pod's port of the virtual switch handles a packet for the pod. */
export function enterPort({ endpoint, packet, before }: At<'port in'>, context: Context): Move {
  const { state, node } = context;
  if (!isAttached(endpoint))
    return ends(
      'lost',
      endpointHop('port', endpoint, node, 'drops it', packet),
      'The endpoint is in no namespace: no pod receives the packet.',
    );
  const acls = state.ports.includes(endpoint.ID)
    ? ({ decision: 'allow', rule: established, because: '', rules: [] } as const)
    : decideAcls(endpoint, 'In', [packet, ...(before === undefined ? [] : [before])], node.inventory);
  const { after, did } = reversed(endpoint, packet, aclVerbs[acls.decision], context);
  const hop = endpointHop('port', endpoint, node, did, after, reasonOf(acls));
  if (acls.decision !== 'allow') return aclEnd(hop, acls);
  const received = endpointHop('pod', endpoint, node, 'receives it', after);
  const receiver = { is: 'pod', endpoint: endpoint.ID } as const;
  return { ...arrives([hop, received], receiver, 'The pod receives it.', after), port: endpoint.ID };
}

const aclVerbs = { allow: 'allows it', block: 'blocks it', unknown: 'may block it' } as const;

function aclEnd(hop: Hop, { decision, because }: AclDecision): Move {
  return ends(decision === 'block' ? 'lost' : 'unknown', hop, because);
}

function reasonOf({ rule, rules }: AclDecision): Pick<Hop, 'rule' | 'rules'> {
  return { rule, rules };
}
