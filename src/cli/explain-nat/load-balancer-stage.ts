import type { LoadBalancerPortMapping, ObservedLoadBalancer } from '../../hcn/documents.ts';
import { familyOf } from '../../net/address.ts';
import { protocolName } from '../../net/protocols.ts';
import { loadBalancerFlags, portMappingFlags } from '../../plan/load-balancer-document.ts';
import { fiveTuple } from '../inventory/acl-row.ts';
import { describePort, loadBalancerLabel } from '../inventory/object-rows.ts';
import {
  backendAddresses,
  findBackends,
  formatDestination,
  formatPort,
  isFrontend,
} from '../traffic/destination.ts';
import { type MatchResult, matchTraffic } from '../traffic/match-traffic.ts';
import { certainRule, type NatRule, type Query, type Stage } from './query.ts';

const stage = 'load balancer';

export interface LoadBalancing extends Stage {
  /** The load balancer that redirects the traffic. */
  readonly by?: ObservedLoadBalancer;
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
  return {
    sentences: match === undefined ? withoutMatch(candidates, possible, query) : matchSentences(match, query),
    uncertain: match === undefined && possible.length > 0,
    rules: others === 0 ? rules : [...rules, rest],
    ...(match !== undefined && { by: match.loadBalancer }),
  };
}

/** One port of a load balancer that has, or may have, the destination address. */
interface Candidate extends MatchResult {
  readonly loadBalancer: ObservedLoadBalancer;
  readonly mapping: LoadBalancerPortMapping;
}

/** All candidates, and the number of load balancers with other addresses. */
function findCandidates(query: Query): {
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
  { destination: { address }, nodeAddresses }: Query,
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
  { destination, addresses, network, inventory }: Query,
): MatchResult {
  const { address, port, protocol } = destination;
  const result = matchTraffic(fiveTuple({ Protocols: Protocol, RemotePorts: ExternalPort }), {
    localAddresses: addresses,
    remoteAddress: address,
    remotePort: port,
    protocol,
  });
  if (result.matches !== 'yes') return result;
  if (hasAddress === 'unknown')
    return { matches: 'unknown', because: `the node addresses are unknown and may include ${address}` };
  const networks = findBackends(loadBalancer, inventory).map(({ HostComputeNetwork }) => HostComputeNetwork);
  if (networks.length === 0 || network === undefined || networks.includes(network.ID)) return result;
  const other = inventory.networks.find(({ ID }) => ID === networks[0])?.Name ?? networks[0];
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
  const reasons = [...new Set(possible.flatMap(({ because }) => because ?? []))].join('; ');
  return [`A load balancer may redirect the traffic, ${names(possible)}: ${reasons}.`];
}

function matchSentences(candidate: Candidate, { inventory, destination }: Query): readonly string[] {
  const { loadBalancer, mapping } = candidate;
  const addresses = backendAddresses(loadBalancer, inventory, familyOf(destination.address));
  const name = `Load balancer ${loadBalancerLabel(loadBalancer.ID, inventory)} (${describeCandidate(candidate)})`;
  if (addresses.length === 0) return [`${name} matches, but its backends are gone: the traffic is lost.`];
  const targets = addresses.map((address) => formatPort(address, mapping.InternalPort)).join(' or ');
  const keepsDestination = ((mapping.Flags ?? 0) & portMappingFlags.EnablePreserveDip) !== 0;
  const isDirect = ((loadBalancer.Flags ?? 0) & loadBalancerFlags.EnableDirectServerReturn) !== 0;
  const source = loadBalancer.SourceVIP ? `the source VIP ${loadBalancer.SourceVIP}` : 'a node address';
  return [
    `${name} redirects the traffic to ${targets}.`,
    ...(keepsDestination ? ['The destination address does not change (EnablePreserveDip).'] : []),
    isDirect
      ? 'The backends reply to the pod directly (EnableDirectServerReturn).'
      : `Without direct server return, HNS may change the source address to ${source}.`,
  ];
}
