import { isAttached } from '../../model/readiness.ts';
import { isSamePacket, replyTo } from './packet.ts';
import { checkAcls } from './port-acls.ts';
import { type Context, lost, type Position, podHop, portHop, type Step, unknown } from './step.ts';

/** A pod's port of the virtual switch handles a packet for the pod. */
export function enterPort(
  { endpoint, packet }: Extract<Position, { at: 'port in' }>,
  context: Context,
): readonly Step[] {
  const { state, node } = context;
  if (!isAttached(endpoint)) {
    const hop = portHop(endpoint, context, { did: 'drops it', evidence: 'documented', packet });
    return [lost(hop, 'The endpoint is in no namespace: no pod receives the packet.')];
  }
  const isReply = state.ports.includes(endpoint.ID);
  const translation = state.translations.find(
    (one) => one.endpoint === endpoint.ID && isSamePacket(replyTo(one.after), packet),
  );
  const after = translation === undefined ? packet : replyTo(translation.before);
  const acls = isReply
    ? ({ decision: 'allow', rule: 'the port knows the connection' } as const)
    : checkAcls(endpoint, 'In', packet, node);
  const hop = portHop(endpoint, context, {
    did:
      translation !== undefined
        ? `reverses the translation by ${translation.by}`
        : acls.decision === 'allow'
          ? 'allows it'
          : acls.decision === 'block'
            ? 'blocks it'
            : 'may block it',
    rule: acls.rule,
    evidence: isReply ? 'source' : 'documented',
    packet: after,
  });
  if (acls.decision === 'block') return [lost(hop, `${acls.rule} blocks it.`)];
  if (acls.decision === 'unknown') return [unknown(hop, `ACLs may block it: ${acls.rule}.`)];
  const received = podHop(endpoint, context, { did: 'receives it', evidence: 'documented', packet: after });
  return [
    {
      hops: [hop, received],
      port: endpoint.ID,
      to: {
        at: 'end',
        outcome: 'arrives',
        receiver: { is: 'pod', endpoint: endpoint.ID },
        because: 'The pod receives it.',
        packet: after,
      },
    },
  ];
}
