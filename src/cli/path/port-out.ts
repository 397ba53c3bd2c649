import { networkOf } from './node-state.ts';
import { translateSource } from './outbound-nat.ts';
import { isSamePacket, type Packet, replyTo } from './packet.ts';
import { checkAcls } from './port-acls.ts';
import { type Context, lost, type Position, portHop, type Step, unknown } from './step.ts';

type At = Extract<Position, { at: 'port out' }>;

/** A pod's port of the virtual switch handles a packet that the pod sends. */
export function leavePort(position: At, context: Context): readonly Step[] {
  return context.state.ports.includes(position.endpoint.ID)
    ? [leaveAsReply(position, context)]
    : leaveAsFirst(position, context);
}

/** The port knows the connection: no ACL and no new translation applies, and its own translations are reversed. */
function leaveAsReply({ endpoint, packet, nextHop }: At, context: Context): Step {
  const translation = context.state.translations.find(
    (one) => one.endpoint === endpoint.ID && isSamePacket(replyTo(one.after), packet),
  );
  const after = translation === undefined ? packet : replyTo(translation.before);
  const hop = portHop(endpoint, context, {
    did: translation === undefined ? 'lets the reply pass' : `reverses the translation to ${after.source}`,
    rule: translation === undefined ? 'the port knows the connection' : translation.by,
    evidence: 'source',
    packet: after,
  });
  return toSwitch({ at: 'port out', endpoint, packet, nextHop }, after, hop, context);
}

function leaveAsFirst(position: At, context: Context): readonly Step[] {
  const { endpoint, packet } = position;
  const acls = checkAcls(endpoint, 'Out', packet, context.node);
  const acl = portHop(endpoint, context, {
    did: acls.decision === 'allow' ? 'allows it' : acls.decision === 'block' ? 'blocks it' : 'may block it',
    rule: acls.rule,
    evidence: 'documented',
    packet,
  });
  if (acls.decision === 'block') return [lost(acl, `${acls.rule} blocks it.`)];
  if (acls.decision === 'unknown') return [unknown(acl, `ACLs may block it: ${acls.rule}.`)];
  return translateSource(position, context).map((nat) => {
    if ('doubt' in nat) {
      const hop = portHop(endpoint, context, {
        did: 'may translate the source',
        rule: nat.rule,
        evidence: 'inferred',
        packet,
      });
      return withFirst(acl, unknown(hop, nat.doubt));
    }
    const hop = portHop(endpoint, context, {
      did: nat.packet === packet ? 'keeps the source' : `translates the source to ${nat.packet.source}`,
      rule: nat.rule,
      evidence: 'documented',
      packet: nat.packet,
    });
    const step = toSwitch(position, nat.packet, hop, context);
    return withFirst(acl, {
      ...step,
      port: endpoint.ID,
      ...(nat.packet !== packet && {
        translation: { endpoint: endpoint.ID, by: 'OutBoundNAT', before: packet, after: nat.packet },
      }),
    });
  });
}

function withFirst(hop: Step['hops'][number], step: Step): Step {
  return { ...step, hops: [hop, ...step.hops] };
}

function toSwitch(
  { endpoint, nextHop }: At,
  packet: Packet,
  hop: Step['hops'][number],
  { node }: Context,
): Step {
  const network = networkOf(endpoint, node);
  if (network === undefined) return lost(hop, 'The network of the endpoint is gone.');
  return { hops: [hop], to: { at: 'virtual switch', network, endpoint, packet, nextHop } };
}
