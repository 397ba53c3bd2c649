import type { ObservedLoadBalancer } from '../../hcn/documents.ts';
import { familyOf } from '../../net/address.ts';
import { loadBalancerFlags, portMappingFlags } from '../../plan/load-balancer-document.ts';
import { describePort } from '../inventory/load-balancer-row.ts';
import { shortGuid } from '../inventory/shorten.ts';
import { backendAddresses } from '../traffic/backends.ts';
import { formatDestination, formatPort } from '../traffic/destination.ts';
import { type Candidate, candidatesFor, portOf } from './load-balancer-candidates.ts';
import type { NatLine, Question, Stage } from './question.ts';

const stage = 'load balancer';

/** What the load balancers do. */
export interface LoadBalancing extends Stage {
  /** The one that catches it. */
  readonly by?: ObservedLoadBalancer;
}

/** Whether a service's load balancer catches what is sent, and where it sends it instead. */
export function loadBalancerStage(question: Question): LoadBalancing {
  const { candidates, others } = candidatesFor(question);
  const caught = candidates.find(({ matches }) => matches === 'yes');
  const possible = candidates.filter(({ matches }) => matches === 'unknown');
  const lines: readonly NatLine[] = candidates.map((candidate) => ({
    stage,
    line: `${shortGuid(candidate.loadBalancer.ID)}: ${textOf(candidate)}`,
    matches: candidate.matches,
    decides:
      candidate === caught ? 'yes' : caught === undefined && possible.includes(candidate) ? 'may' : 'no',
    ...(candidate.because !== undefined && { because: candidate.because }),
  }));
  const rest = {
    stage,
    line: `${others} for other addresses`,
    matches: 'no' as const,
    decides: 'no' as const,
  };
  return {
    says: caught === undefined ? uncaught(candidates, possible, question) : caughtBy(caught, question),
    open: caught === undefined && possible.length > 0,
    lines: others === 0 ? lines : [...lines, rest],
    ...(caught !== undefined && { by: caught.loadBalancer }),
  };
}

/** As `10.96.0.10 80->8080/tcp`. */
function textOf({ loadBalancer: { FrontendVIPs = [] }, mapping }: Candidate): string {
  const frontends = FrontendVIPs.length === 0 ? "the node's addresses" : FrontendVIPs.join(', ');
  return `${frontends} ${describePort(mapping)}`;
}

function uncaught(
  candidates: readonly Candidate[],
  possible: readonly Candidate[],
  { destination }: Question,
): readonly string[] {
  if (candidates.length === 0) return [];
  const named = (some: readonly Candidate[]) =>
    some.map(({ loadBalancer, mapping }) => `${shortGuid(loadBalancer.ID)} (${portOf(mapping)})`).join(', ');
  if (possible.length === 0)
    return [
      `No load balancer catches it: those with its address listen on something else than ${formatDestination(destination)}: ${named(candidates)}.`,
    ];
  const reasons = [...new Set(possible.flatMap(({ because }) => because ?? []))].join('; ');
  return [`A load balancer may catch it, ${named(possible)}: ${reasons}.`];
}

function caughtBy(candidate: Candidate, { inventory, destination }: Question): readonly string[] {
  const { loadBalancer, mapping } = candidate;
  const addresses = backendAddresses(loadBalancer, inventory, familyOf(destination.address));
  const start = `Load balancer ${shortGuid(loadBalancer.ID)} catches it (${textOf(candidate)})`;
  if (addresses.length === 0) return [`${start}, and its backends are gone: it goes nowhere.`];
  const targets = addresses.map((address) => formatPort(address, mapping.InternalPort)).join(' or ');
  const keepsDestination = ((mapping.Flags ?? 0) & portMappingFlags.EnablePreserveDip) !== 0;
  const isDirect = ((loadBalancer.Flags ?? 0) & loadBalancerFlags.EnableDirectServerReturn) !== 0;
  return [
    `${start}: HNS sends it to ${targets}.`,
    ...(keepsDestination ? ['The destination address stays as it is (EnablePreserveDip).'] : []),
    isDirect
      ? 'The backends answer the pod themselves (EnableDirectServerReturn).'
      : `Without direct server return HNS may give it another source: ${loadBalancer.SourceVIP ? `the source VIP ${loadBalancer.SourceVIP}` : "an address of the node's"}.`,
  ];
}
