import { familyOf, isHostAddress } from '../../net/address.ts';
import { aclVerdict } from '../traffic/acl-verdict.ts';
import { addressesOf } from '../traffic/destination.ts';
import { evaluateNat } from '../traffic/evaluate-nat.ts';
import type { Query } from '../traffic/query.ts';
import { managementAddress } from './management.ts';
import { networkOf } from './node-state.ts';
import { findReversed, isSamePacket, type Packet, replyTo, type Translation } from './packet.ts';
import type { Hop } from './path.ts';
import { checkAcls } from './port-acls.ts';
import { translate } from './port-translation.ts';
import { type Context, lost, type Position, portHop, type Step, unknown } from './step.ts';

type AtPort = Extract<Position, { at: 'port out' }>;

/** A pod's port of the virtual switch handles a packet that the pod sends. */
export function leavePort(position: AtPort, context: Context): readonly Step[] {
  return context.state.ports.includes(position.endpoint.ID)
    ? [leaveAsReply(position, context)]
    : leaveAsFirst(position, context);
}

/** The port knows the connection: no ACL and no new translation applies, and its own translations are reversed. */
function leaveAsReply(position: AtPort, context: Context): Step {
  const { endpoint, packet } = position;
  const isOwn = ({ endpoint: id }: Translation) => id === endpoint.ID;
  const translation = findReversed(context.state.translations, packet, isOwn);
  const after = translation === undefined ? packet : replyTo(translation.before);
  const hop = portHop(endpoint, context, {
    did: translation === undefined ? 'lets the reply pass' : `reverses the translation by ${translation.by}`,
    rule: 'the port knows the connection',
    evidence: 'source',
    packet: after,
  });
  return toSwitch(position, after, position.nextHop, hop, context);
}

/** The first packet of a connection: proxies, ACLs, load balancers, then OutBoundNAT, as explain-nat and explain-acl evaluate them. */
function leaveAsFirst(position: AtPort, context: Context): readonly Step[] {
  const { endpoint, packet } = position;
  const deed = (did: string, rule: string, evidence: Hop['evidence'] = 'documented') =>
    portHop(endpoint, context, { did, rule, evidence, packet });
  if (!isHostAddress(packet.destination))
    return [
      unknown(
        deed('may forward it', 'not a unicast address', 'inferred'),
        `${packet.destination} is not a unicast address, and HNS does not document how it handles it.`,
      ),
    ];
  const query = queryFor(position, context);
  const evaluation = evaluateNat(query);
  const { proxy, isUnevaluated, balancing } = evaluation;
  if (proxy.by !== undefined || proxy.possible.length > 0 || isUnevaluated)
    return [
      unknown(
        deed('may send it to a proxy', proxy.by?.label ?? proxy.possible[0] ?? 'L4Proxy'),
        'A proxy in the pod may intercept the packet.',
      ),
    ];
  if (balancing.possible.length > 0)
    return [unknown(deed('may redirect it', 'load balancer'), balancing.sentences.join())];
  const verdict = aclVerdict(query, balancing);
  const acls = checkAcls(endpoint, 'Out', packet, context.node);
  if (verdict?.action === 'Block' && acls.decision !== 'allow')
    return [lost(deed('blocks it', acls.rule, acls.evidence), acls.because)];
  if (verdict !== undefined && verdict.action === undefined)
    return [unknown(deed('may block it', 'Out ACLs', 'inferred'), verdict.sentence)];
  const allowed = deed('allows it', acls.rule);
  return translate(query, evaluation, packet).map((result) => {
    if (result.is !== 'sent') {
      const hop = deed(result.is === 'lost' ? 'drops it' : 'may translate it', result.rule);
      return startingWith(allowed, (result.is === 'lost' ? lost : unknown)(hop, result.because));
    }
    const after = result.packet;
    const hop = portHop(endpoint, context, {
      did: describeChange(packet, after),
      rule: result.rule,
      evidence: 'documented',
      packet: after,
    });
    const step = toSwitch(position, after, result.nextHop ?? position.nextHop, hop, context);
    const translation = { endpoint: endpoint.ID, by: result.by, before: packet, after };
    return startingWith(allowed, {
      ...step,
      port: endpoint.ID,
      ...(!isSamePacket(after, packet) && { translation }),
    });
  });
}

function queryFor({ endpoint, packet }: AtPort, { node }: Context): Query {
  const { destination: address, destinationPort: port, protocol } = packet;
  const family = familyOf(address);
  const network = networkOf(endpoint, node);
  const nodeAddress = network && managementAddress(node, network, family);
  return {
    endpoint,
    addresses: addressesOf(endpoint, family),
    destination: {
      address,
      ...(port !== undefined && { port }),
      ...(protocol !== undefined && { protocol }),
    },
    inventory: node.inventory,
    ...(network !== undefined && { network }),
    nodeAddresses: node.adapters.flatMap(({ addresses }) => addresses.map((one) => one.address)),
    ...(nodeAddress !== undefined && { nodeAddress }),
  };
}

function describeChange(before: Packet, after: Packet): string {
  const changes = [
    ...(before.source === after.source ? [] : [`the source to ${after.source}`]),
    ...(before.destination === after.destination ? [] : [`the destination to ${after.destination}`]),
    ...(before.destinationPort === after.destinationPort ? [] : [`the port to ${after.destinationPort}`]),
  ];
  return changes.length === 0 ? 'keeps the source' : `translates ${changes.join(' and ')}`;
}

function startingWith(hop: Hop, step: Step): Step {
  return { ...step, hops: [hop, ...step.hops] };
}

function toSwitch({ endpoint }: AtPort, packet: Packet, nextHop: string, hop: Hop, { node }: Context): Step {
  const network = networkOf(endpoint, node);
  if (network === undefined) return lost(hop, 'The network of the endpoint is gone.');
  return { hops: [hop], to: { at: 'virtual switch', network, endpoint, packet, nextHop } };
}
