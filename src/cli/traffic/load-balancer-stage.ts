import type { LoadBalancerPortMapping, ObservedLoadBalancer } from '../../hcn/documents.ts';
import { findById } from '../../model/inventory.ts';
import { familyOf } from '../../net/address.ts';
import { protocolName } from '../../net/protocols.ts';
import { loadBalancerFlags, portMappingFlags } from '../../plan/load-balancer-document.ts';
import { fiveTuple } from '../inventory/acl-row.ts';
import { describePort, loadBalancerLabel } from '../inventory/object-rows.ts';
import { backendAddresses, findBackends, formatDestination, isFrontend } from './destination.ts';
import { type MatchResult, matchTraffic } from './match-traffic.ts';
import { certainRule, type NatRule, type Query, type Stage } from './query.ts';
import { nodeSource, type Source } from './sources.ts';

const stage = 'load balancer';

export interface LoadBalancing extends Stage {
  /** The load balancer that redirects the traffic. */
  readonly by?: ObservedLoadBalancer;
  /** The addresses of its existing backends, of the destination's family. */
  readonly backends?: readonly string[];
  /** Its port that has the traffic. */
  readonly mapping?: LoadBalancerPortMapping;
  /** The possible sources of the traffic if the load balancer translates them; absent with direct server return. */
  readonly sources?: readonly Source[];
  /** The load balancers that may redirect the traffic. */
  readonly possible: readonly string[];
}

/** Whether a load balancer redirects the traffic, and to which backends. */
export function loadBalancerStage(query: Query): LoadBalancing {
  const { candidates, others } = findCandidates(query);
  const match = candidates.find(({ matches }) => matches === 'yes');
  const possible = candidates.filter(({ matches }) => matches === 'unknown');
  const decides = (candidate: Candidate): NatRule['decides'] => {
    if (match !== undefined) return candidate === match ? 'yes' : 'no';
    return possible.includes(candidate) ? 'may' : 'no';
  };
  const rules = candidates.map((candidate): NatRule => {
    const { loadBalancer, matches, because } = candidate;
    const line = `${loadBalancerLabel(loadBalancer.ID, query.inventory)}: ${describeCandidate(candidate)}`;
    return { stage, line, matches, decides: decides(candidate), ...(because !== undefined && { because }) };
  });
  const rest = certainRule(stage, `${others} with other addresses`, false, false);
  const all = others === 0 ? rules : [...rules, rest];
  if (match === undefined)
    return {
      sentences: withoutMatch(candidates, possible, query),
      uncertain: possible.length > 0,
      rules: all,
      possible: possible.map(({ loadBalancer }) => loadBalancerLabel(loadBalancer.ID, query.inventory)),
    };
  const { loadBalancer: by, mapping } = match;
  const backends = backendAddresses(by, query.inventory, familyOf(query.destination.address));
  if (backends.length === 0)
    return { sentences: [matchSentence(match, query)], rules: all, by, possible: [] };
  const sources = isDirect(by) ? undefined : translatedSources(by, query);
  return {
    sentences: [matchSentence(match, query), ...effectSentences(match)],
    uncertain: sources !== undefined && sources.length > 1,
    rules: all,
    by,
    backends,
    mapping,
    ...(sources !== undefined && { sources }),
    possible: [],
  };
}

/** Whether backends see the pod's address and reply to it. */
export function isDirect(loadBalancer: ObservedLoadBalancer): boolean {
  return hasFlag(loadBalancer, loadBalancerFlags.EnableDirectServerReturn);
}

/** Whether a load balancer or a port of it has a flag. */
export function hasFlag({ Flags = 0 }: { readonly Flags?: number }, flag: number): boolean {
  return (Flags & flag) !== 0;
}

/**
 * The possible sources without direct server return: the source VIP, otherwise a node address, or on some versions of HNS the address
 * of the load balancer (kubernetes/kubernetes#137455).
 */
export function translatedSources(
  { SourceVIP, FrontendVIPs = [] }: ObservedLoadBalancer,
  query: Pick<Query, 'destination' | 'nodeAddress'>,
): readonly Source[] {
  if (SourceVIP) return [{ of: 'source VIP', addresses: [SourceVIP] }];
  const frontend: Source = { of: 'load balancer', addresses: [query.destination.address] };
  return [nodeSource(query), ...(FrontendVIPs.length === 0 ? [] : [frontend])];
}

/** One port of a load balancer that has, or may have, the destination address. */
export interface Candidate extends MatchResult {
  readonly loadBalancer: ObservedLoadBalancer;
  readonly mapping: LoadBalancerPortMapping;
}

/** The traffic that load balancers may match. `network` is the sender's. */
type BalancedTraffic = Pick<Query, 'destination' | 'inventory' | 'network' | 'nodeAddresses'>;

/** All candidates, and the number of load balancers with other addresses. */
export function findCandidates(query: BalancedTraffic): {
  readonly candidates: readonly Candidate[];
  readonly others: number;
} {
  const { loadBalancers } = query.inventory;
  const near = loadBalancers.flatMap((loadBalancer) => {
    const hasAddress = matchFrontend(loadBalancer, query);
    return hasAddress === 'no' ? [] : [{ loadBalancer, hasAddress }];
  });
  const candidates = near.flatMap(({ loadBalancer, hasAddress }) =>
    loadBalancer.PortMappings.map((mapping) => ({
      loadBalancer,
      mapping,
      ...matchMapping(loadBalancer, mapping, hasAddress, query),
    })),
  );
  return { candidates, others: loadBalancers.length - near.length };
}

/** A load balancer without frontends listens on the node addresses, as for a node port. */
function matchFrontend(
  loadBalancer: ObservedLoadBalancer,
  { destination: { address }, nodeAddresses }: BalancedTraffic,
): MatchResult['matches'] {
  const { FrontendVIPs = [] } = loadBalancer;
  if (FrontendVIPs.length > 0) return isFrontend(loadBalancer, address) ? 'yes' : 'no';
  if (nodeAddresses === undefined) return 'unknown';
  return nodeAddresses.includes(address) ? 'yes' : 'no';
}

function matchMapping(
  loadBalancer: ObservedLoadBalancer,
  { Protocol, ExternalPort }: LoadBalancerPortMapping,
  hasAddress: MatchResult['matches'],
  { destination, network, inventory }: BalancedTraffic,
): MatchResult {
  const { address, port, protocol } = destination;
  const result = matchTraffic(fiveTuple({ Protocols: Protocol, RemotePorts: ExternalPort }), {
    localAddresses: [],
    remoteAddress: address,
    remotePort: port,
    protocol,
  });
  if (result.matches !== 'yes') return result;
  if (hasAddress === 'unknown')
    return { matches: 'unknown', because: `the node addresses are unknown and may include ${address}` };
  const networks = findBackends(loadBalancer, inventory).map(({ HostComputeNetwork }) => HostComputeNetwork);
  if (networks.length === 0 || network === undefined || networks.includes(network.ID)) return result;
  const other = findById(inventory.networks, networks[0])?.Name ?? networks[0];
  return { matches: 'unknown', because: `its backends are on network ${other}` };
}

/** `10.96.0.10 80->8080/tcp` */
function describeCandidate({ loadBalancer: { FrontendVIPs = [] }, mapping }: Candidate): string {
  const frontends = FrontendVIPs.length === 0 ? 'node addresses' : FrontendVIPs.join(', ');
  return `${frontends} ${describePort(mapping)}`;
}

function withoutMatch(
  candidates: readonly Candidate[],
  possible: readonly Candidate[],
  { destination, inventory }: Query,
): readonly string[] {
  if (candidates.length === 0) return [];
  const names = (some: readonly Candidate[]) =>
    some
      .map(({ loadBalancer, mapping: { ExternalPort, Protocol } }) => {
        return `${loadBalancerLabel(loadBalancer.ID, inventory)} (${ExternalPort}/${protocolName(Protocol)})`;
      })
      .join(', ');
  if (possible.length === 0)
    return [
      `No load balancer matches ${formatDestination(destination)}. Those with its address have other ports: ${names(candidates)}.`,
    ];
  const reasons = [...new Set(possible.map(({ because }) => because))].join('; ');
  return [`A load balancer may redirect the traffic, ${names(possible)}: ${reasons}.`];
}

function matchSentence(candidate: Candidate, { inventory }: Query): string {
  const name = loadBalancerLabel(candidate.loadBalancer.ID, inventory);
  return `Load balancer ${name} (${describeCandidate(candidate)}) redirects the traffic.`;
}

function effectSentences({ loadBalancer, mapping }: Candidate): readonly string[] {
  const keepsDestination = hasFlag(mapping, portMappingFlags.EnablePreserveDip);
  return [
    ...(keepsDestination ? ['The destination address does not change (EnablePreserveDip).'] : []),
    isDirect(loadBalancer)
      ? 'The backends reply to the pod directly (EnableDirectServerReturn).'
      : `Without direct server return, HNS translates the source to ${translationText(loadBalancer)}; OutBoundNAT does not apply.`,
  ];
}

function translationText({ SourceVIP, FrontendVIPs = [] }: ObservedLoadBalancer): string {
  if (SourceVIP) return 'the source VIP';
  return FrontendVIPs.length === 0
    ? 'a node address'
    : "a node address, or on some versions to the load balancer's address";
}
