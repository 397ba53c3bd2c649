import type { ObservedLoadBalancer } from '../../hcn/documents.ts';
import { parseAddress } from '../../net/address.ts';
import { portMappingFlags } from '../../plan/load-balancer-document.ts';
import { loadBalancerLabel } from '../inventory/object-rows.ts';
import type { NatEvaluation } from '../traffic/evaluate-nat.ts';
import { hasFlag } from '../traffic/load-balancer-stage.ts';
import { podRoute } from '../traffic/pod-routes.ts';
import type { Query, Stage } from '../traffic/query.ts';
import type { Source } from '../traffic/sources.ts';
import type { Packet } from './packet.ts';

/** What load balancers and OutBoundNAT make of the first packet of a connection. */
export type TranslationResult =
  | {
      readonly is: 'sent';
      readonly packet: Packet;
      readonly by: string;
      readonly rule: string;
      /** Absent if the load balancer does not change the destination. */
      readonly nextHop?: string;
    }
  | { readonly is: 'lost' | 'unknown'; readonly rule: string; readonly because: string };

/** Returns a result for each backend that a load balancer can choose; otherwise one. Never none. */
export function translate(
  query: Query,
  evaluation: NatEvaluation,
  packet: Packet,
): readonly TranslationResult[] {
  const { by, backends = [] } = evaluation.balancing;
  if (by !== undefined && backends.length === 0) {
    const rule = `load balancer ${loadBalancerLabel(by.ID, query.inventory)}`;
    return [{ is: 'lost', rule, because: `The backends of ${rule} do not exist.` }];
  }
  if (by === undefined) return [outboundNat(evaluation, packet)];
  return backends.map((backend) => balance(by, backend, query, evaluation, packet));
}

function outboundNat({ nat }: NatEvaluation, packet: Packet): TranslationResult {
  const deciding = nat.rules.find(({ decides }) => decides === 'yes');
  const rule = deciding === undefined ? 'no OutBoundNAT policy' : `OutBoundNAT ${deciding.line}`;
  // Without a policy, the NAT of Windows translates later, if the network has one.
  const source = deciding === undefined ? packet.source : onlySource(nat.sources, packet);
  if (source === undefined) return { is: 'unknown', rule, because: doubtText(nat) };
  return { is: 'sent', packet: { ...packet, source }, by: 'OutBoundNAT', rule };
}

function balance(
  by: ObservedLoadBalancer,
  backend: string,
  query: Query,
  evaluation: NatEvaluation,
  packet: Packet,
): TranslationResult {
  const { balancing, loopback, nat } = evaluation;
  const { mapping } = balancing;
  const rule = `load balancer ${loadBalancerLabel(by.ID, query.inventory)}`;
  const isOwn = query.addresses.includes(backend);
  if (isOwn && loopback.source === undefined)
    return {
      is: 'lost',
      rule,
      because: `${capitalized(rule)} sends it back to the pod, which has no loopbackDSR.`,
    };
  const sources =
    isOwn && loopback.source !== undefined ? [loopback.source] : (balancing.sources ?? nat.sources);
  const source = onlySource(sources, packet);
  if (source === undefined)
    return {
      is: 'unknown',
      rule,
      because: doubtText(balancing.sources === undefined ? nat : balancing),
    };
  if (mapping !== undefined && hasFlag(mapping, portMappingFlags.EnablePreserveDip))
    return {
      is: 'unknown',
      rule,
      because: 'How HNS delivers a packet with EnablePreserveDip is not documented.',
    };
  const route = podRoute(query.endpoint, backend);
  return {
    is: 'sent',
    by: rule,
    rule,
    packet: {
      ...packet,
      source,
      destination: backend,
      ...(mapping !== undefined && { destinationPort: mapping.InternalPort }),
    },
    nextHop: route?.nextHop ?? backend,
  };
}

/** The only possible source; undefined if there are several, it is not an address, or it is not certain which one of the node it is. */
function onlySource([only, ...others]: readonly Source[], packet: Packet): string | undefined {
  if (only === undefined || others.length > 0) return undefined;
  return only.of === 'pod' ? packet.source : parseAddress(only.addresses?.[0] ?? '');
}

/** Why the source is unknown: the last sentence of an uncertain stage; otherwise no single address is known. */
function doubtText({ sentences, uncertain }: Stage): string {
  return (uncertain === true ? sentences.at(-1) : undefined) ?? 'The new source of the packet is not known.';
}

function capitalized(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
