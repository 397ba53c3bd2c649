import type { ObservedEndpoint } from '../../hcn/documents.ts';
import { isAttached } from '../../model/readiness.ts';
import type { NodeState } from './node-state.ts';
import { findReversed, type Packet, replyTo } from './packet.ts';
import { type AclResult, checkAcls } from './port-acls.ts';
import { type Context, lost, type Position, podHop, portHop, type Step, unknown } from './step.ts';

/** A pod's port of the virtual switch handles a packet for the pod. */
export function enterPort(
  { endpoint, packet, before }: Extract<Position, { at: 'port in' }>,
  context: Context,
): readonly Step[] {
  const { state, node } = context;
  if (!isAttached(endpoint)) {
    const hop = portHop(endpoint, context, { did: 'drops it', evidence: 'documented', packet });
    return [lost(hop, 'The endpoint is in no namespace: no pod receives the packet.')];
  }
  const isReply = state.ports.includes(endpoint.ID);
  const translation = findReversed(state.translations, packet, (one) => one.endpoint === endpoint.ID);
  const after = translation === undefined ? packet : replyTo(translation.before);
  const acls = isReply ? established : checkBoth(endpoint, packet, before, node);
  const hop = portHop(endpoint, context, {
    did: translation === undefined ? deeds[acls.decision] : `reverses the translation by ${translation.by}`,
    rule: acls.rule,
    evidence: acls.evidence,
    packet: after,
  });
  if (acls.decision === 'block') return [lost(hop, acls.because)];
  if (acls.decision === 'unknown') return [unknown(hop, acls.because)];
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

/**
 * Behind a port mapping or load balancer, ACLs that decide differently about the packet before and after are uncertain: in which order
 * container networks translate and filter is not documented.
 */
function checkBoth(
  endpoint: ObservedEndpoint,
  packet: Packet,
  before: Packet | undefined,
  node: NodeState,
): AclResult {
  const after = checkAcls(endpoint, 'In', packet, node);
  if (before === undefined || after.decision === 'unknown') return after;
  const first = checkAcls(endpoint, 'In', before, node);
  if (first.decision === after.decision) return after;
  return {
    decision: 'unknown',
    rule: 'In ACLs',
    evidence: 'inferred',
    because:
      'ACLs may block it: they decide differently before and after the translation, and HNS does not document which of the two they see.',
  };
}

const deeds = { allow: 'allows it', block: 'blocks it', unknown: 'may block it' } as const;

/** ACLs are stateful: replies pass. */
const established: AclResult = {
  decision: 'allow',
  rule: 'the port knows the connection',
  evidence: 'source',
};
