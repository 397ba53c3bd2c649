import type { ObservedEndpoint } from '../../hcn/documents.ts';
import type { Inventory } from '../../model/inventory.ts';
import { isPolicyOf } from '../../model/network-document.ts';
import { isAttached } from '../../model/readiness.ts';
import { familyOf } from '../../net/address.ts';
import { type AclDecision, decideAcls } from './acls.ts';
import { describeLocalDelivery } from './destination.ts';
import { longestMatches, prefixContains } from './match.ts';
import {
  type Balancing,
  balancedSource,
  findBalancer,
  isDirect,
  missingBackends,
  outboundNat,
  type Target,
} from './nat.ts';
import { adapterWith, managementAddress, type NodeState, networkOf } from './node-state.ts';
import { findReversed, isSamePacket, type Packet, replyTo } from './packet.ts';
import { type At, arrives, type Context, endpointHop, ends, goes, type Hop, type Move } from './path.ts';

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
  return goes(hop(did, `route ${text}`), { at: 'port out', endpoint, packet, nextHop });
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
  const hop = (did: string) => endpointHop('port', endpoint, node, did, packet, { rules });
  const moves =
    mayTake !== undefined
      ? [ends('unknown', hop('may redirect it'), mayTake)]
      : by?.targets.length === 0
        ? [ends('lost', hop('drops it'), missingBackends(by))]
        : (by?.targets ?? [undefined]).map((target) => translate(position, balancing, target, node));
  return moves.map((move) => ({ ...move, hops: [checked, ...move.hops] }));
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
  { by, rules: ofBalancers }: Balancing,
  target: Target | undefined,
  node: NodeState,
): Move {
  const sent = target?.packet ?? packet;
  const isItself = target?.endpoint.ID === endpoint.ID;
  const nodeAddress = managementAddress(node, networkOf(endpoint, node), familyOf(packet.destination));
  const nat = outboundNat(endpoint, isItself ? sent : packet, nodeAddress);
  const translatesNat = isItself || by === undefined || isDirect(by);
  const source = translatesNat ? nat.source : balancedSource(by, nodeAddress);
  const rule = [by?.name, translatesNat ? nat.rule : undefined].filter(Boolean).join(', ');
  const rules = [...ofBalancers, ...(translatesNat ? nat.rules : [])];
  const hop = (did: string, after: Packet) =>
    endpointHop('port', endpoint, node, did, after, { rule, rules });
  if (isItself && !nat.isDestination) {
    const because = `The pod is a backend of ${by?.name} itself, and has no loopbackDSR.`;
    return ends('lost', hop('drops it', packet), because);
  }
  if (source === undefined) return ends('unknown', hop('translates the source', sent), unknownNodeAddress);
  const after = { ...sent, source };
  const redirected = podRoute(endpoint, sent.destination)?.nextHop ?? sent.destination;
  const nextHop = target === undefined ? routed : redirected;
  const translation = { endpoint: endpoint.ID, by: by?.name ?? 'OutBoundNAT', before: packet, after };
  return {
    ...toSwitch(endpoint, nextHop, hop(changeText(packet, after), after), node),
    port: endpoint.ID,
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
  const prefix = (endpoint.Policies ?? [])
    .filter((policy) => isPolicyOf('SDNRoute', policy))
    .map(({ Settings }) => String(Settings?.['DestinationPrefix']))
    .find((one) => prefixContains(one, destination));
  if (prefix !== undefined && adapterWith(node, destination) === undefined)
    return ends('unknown', hop, noBalancer(destination, prefix));
  return goes(hop, { at: 'virtual switch', network, endpoint, packet, nextHop });
}

function noBalancer(address: string, prefix: string): string {
  return `${address} looks like a service (SDNRoute ${prefix}), but no load balancer has it: is kube-proxy running?`;
}

/** A pod's port of the virtual switch handles a packet for the pod. */
export function enterPort({ endpoint, packet, before }: At<'port in'>, context: Context): Move {
  const { state, node } = context;
  const detached = 'The endpoint is in no namespace: no pod receives the packet.';
  if (!isAttached(endpoint))
    return ends('lost', endpointHop('port', endpoint, node, 'drops it', packet), detached);
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
