import type { ObservedEndpoint } from '../../hcn/documents.ts';
import type { Inventory } from '../../model/inventory.ts';
import { isAttached } from '../../model/readiness.ts';
import { familyOf, isLoopback } from '../../net/address.ts';
import { type AclDecision, decideAcls } from './acls.ts';
import { longestMatch } from './match.ts';
import { type Balancer, findBalancer, outboundNat, type Target } from './nat.ts';
import { managementAddress, type NodeState, networkOf } from './node-state.ts';
import { findReversed, isSamePacket, type Packet, replyTo } from './packet.ts';
import {
  type At,
  arrives,
  type Context,
  endpointHop,
  ends,
  goes,
  type Hop,
  type Move,
  unknownNodeAddress,
} from './path.ts';
import { missingBackends, withoutBalancer } from './service.ts';

/** A pod sends a packet, as its own routes say, through its port of the virtual switch. */
export function leavePod({ endpoint, packet }: At<'pod'>, context: Context): readonly Move[] {
  const { node } = context;
  const { source, destination } = packet;
  const hop = (did: string, rule?: string) => endpointHop('pod', endpoint, node, did, packet, rule);
  if (destination === source || isLoopback(destination)) {
    const receiver = { is: 'pod', endpoint: endpoint.ID } as const;
    return [arrives([hop('delivers it to itself')], receiver, 'The pod receives it.', packet)];
  }
  if (!isAttached(endpoint))
    return [ends('lost', hop('cannot send'), 'The endpoint is in no namespace: no pod uses it.')];
  const route = podRoute(endpoint, destination);
  if (route === undefined) return [ends('lost', hop('drops it'), `The pod has no route to ${destination}.`)];
  const { nextHop = destination, text } = route;
  const did = nextHop === destination ? 'sends it on-link' : `sends it to next hop ${nextHop}`;
  return leavePort(endpoint, packet, nextHop, context).map((move) => ({
    ...move,
    hops: [hop(did, `route ${text}`), ...move.hops],
  }));
}

/** The route by which a pod sends to an address: of its own subnets, which are on-link, or of its endpoint. */
function podRoute({ Routes = [], IpConfigurations = [] }: ObservedEndpoint, address: string) {
  const own = IpConfigurations.filter(({ PrefixLength }) => PrefixLength !== undefined)
    .map(({ IpAddress, PrefixLength }) => `${IpAddress}/${PrefixLength}`)
    .map((prefix) => ({ prefix, nextHop: undefined, text: `${prefix} on-link` }));
  const others = Routes.map(({ DestinationPrefix: prefix, NextHop: nextHop }) => {
    return { prefix, nextHop, text: `${prefix} via ${nextHop}` };
  });
  return longestMatch([...own, ...others], ({ prefix }) => prefix, address);
}

const established = 'the port knows the connection';

/** The port reverses its own translations for replies. */
function reversed(endpoint: ObservedEndpoint, packet: Packet, otherwise: string, { state }: Context) {
  const translation = findReversed(state.translations, packet, (one) => one.endpoint === endpoint.ID);
  return translation === undefined
    ? { after: packet, did: otherwise }
    : { after: replyTo(translation.before), did: `reverses the translation by ${translation.by}` };
}

/** The port of a pod handles a packet that the pod sends; the first one of a connection by ACLs, load balancers, then OutBoundNAT. */
function leavePort(
  endpoint: ObservedEndpoint,
  packet: Packet,
  nextHop: string,
  context: Context,
): readonly Move[] {
  const { node, state } = context;
  if (state.ports.includes(endpoint.ID)) {
    const { after, did } = reversed(endpoint, packet, 'lets the reply pass', context);
    return [toSwitch(endpoint, nextHop, endpointHop('port', endpoint, node, did, after, established), node)];
  }
  const by = findBalancer(packet, node);
  const acls = outAcls(endpoint, packet, by, node.inventory);
  const checked = endpointHop('port', endpoint, node, aclVerbs[acls.decision], packet, acls.rule);
  if (acls.decision !== 'allow') return [aclEnd(checked, acls)];
  const lost =
    by && missingBackends(by, endpointHop('port', endpoint, node, 'finds no backend', packet, by.name));
  const moves = [
    ...(by?.targets ?? [undefined]).map((target) => translate(endpoint, packet, nextHop, by, target, node)),
    ...(lost ?? []),
  ];
  return moves.map((move) => ({ ...move, hops: [checked, ...move.hops] }));
}

/** What the ACLs of a pod decide about a packet that it sends, before and after a load balancer changes its destination. */
export function outAcls(
  endpoint: ObservedEndpoint,
  packet: Packet,
  by: Balancer | undefined,
  inventory: Pick<Inventory, 'networks'>,
): AclDecision {
  const others = by?.targets.filter((target) => target.endpoint.ID !== endpoint.ID) ?? [];
  return decideAcls(endpoint, 'Out', [packet, ...others.map((target) => target.packet)], inventory);
}

/**
 * With direct server return, a pod reaches itself through a load balancer only with loopbackDSR: its address is a destination of OutBoundNAT.
 * Without, the load balancer translates the source (Azure/AKS#2608).
 */
function translate(
  endpoint: ObservedEndpoint,
  packet: Packet,
  routed: string,
  by: Balancer | undefined,
  target: Target | undefined,
  node: NodeState,
): Move {
  const sent = target?.packet ?? packet;
  const isItself = target?.endpoint.ID === endpoint.ID;
  const nodeAddress = managementAddress(node, networkOf(endpoint, node), familyOf(packet.destination));
  const nat = outboundNat(endpoint, isItself ? sent : packet, nodeAddress);
  const usesNat = by === undefined || by.isDirect;
  const source = usesNat ? nat.source : by.sourceVip || nodeAddress;
  const rule = [by?.name, usesNat ? nat.rule : undefined].filter(Boolean).join(', ');
  const hop = (did: string, after: Packet) => endpointHop('port', endpoint, node, did, after, rule);
  if (isItself && usesNat && !nat.isDestination) {
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

function changeText(before: Packet, after: Packet): string {
  const changes = [
    ...(before.source === after.source ? [] : [`the source to ${after.source}`]),
    ...(before.destination === after.destination ? [] : [`the destination to ${after.destination}`]),
    ...(before.destinationPort === after.destinationPort ? [] : [`the port to ${after.destinationPort}`]),
  ];
  return changes.length === 0 ? 'keeps the source' : `translates ${changes.join(' and ')}`;
}

/** HNS does not document what happens to packets for services that no load balancer takes. */
function toSwitch(endpoint: ObservedEndpoint, nextHop: string, hop: Hop, node: NodeState): Move {
  const { packet } = hop;
  const { destination } = packet;
  const network = networkOf(endpoint, node);
  if (network === undefined) return ends('lost', hop, 'The network of the endpoint is gone.');
  const because = withoutBalancer(destination, endpoint, node);
  if (because !== undefined) return ends('unknown', hop, because);
  return goes(hop, { at: 'virtual switch', network, endpoint, packet, nextHop });
}

/** A pod's port of the virtual switch handles a packet for the pod. */
export function enterPort({ endpoint, packet, before }: At<'port in'>, context: Context): Move {
  const { state, node } = context;
  const detached = 'The endpoint is in no namespace: no pod receives the packet.';
  if (!isAttached(endpoint))
    return ends('lost', endpointHop('port', endpoint, node, 'drops it', packet), detached);
  const acls = state.ports.includes(endpoint.ID)
    ? ({ decision: 'allow', rule: established, because: '' } as const)
    : decideAcls(endpoint, 'In', before === undefined ? [packet] : [packet, before], node.inventory);
  const { after, did } = reversed(endpoint, packet, aclVerbs[acls.decision], context);
  const hop = endpointHop('port', endpoint, node, did, after, acls.rule);
  if (acls.decision !== 'allow') return aclEnd(hop, acls);
  const received = endpointHop('pod', endpoint, node, 'receives it', after);
  const receiver = { is: 'pod', endpoint: endpoint.ID } as const;
  return { ...arrives([hop, received], receiver, 'The pod receives it.', after), port: endpoint.ID };
}

const aclVerbs = { allow: 'allows it', block: 'blocks it', unknown: 'may block it' } as const;

function aclEnd(hop: Hop, { decision, because }: AclDecision): Move {
  return ends(decision === 'block' ? 'lost' : 'unknown', hop, because);
}
