import { type LoadBalancing, loadBalancerStage } from './load-balancer-stage.ts';
import {
  type LoopbackStage,
  loopbackStage,
  type ProxyStage,
  portMappingStage,
  proxyStage,
} from './nat-stages.ts';
import { type NatStage, outboundNatStage } from './outbound-nat-stage.ts';
import { numberedPolicies, type Query, type Stage } from './query.ts';
import { overlayStage, routeStage, sdnRouteStage } from './route-stages.ts';

/** What becomes of traffic depends on these. */
export interface Outcome {
  readonly proxy: ProxyStage;
  /** Whether the pod has a route to the destination. */
  readonly hasRoute: boolean;
  readonly balancing: LoadBalancing;
  readonly loopback: LoopbackStage;
  readonly nat: NatStage;
  /** Whether there are L4Proxy policies, which are not evaluated. */
  readonly isUnevaluated: boolean;
}

export interface NatEvaluation extends Outcome {
  /** Most important first. */
  readonly reasons: readonly Stage[];
  /** The stages that traffic passes, in order. */
  readonly dataPath: readonly Stage[];
}

/** Evaluates the NAT, load balancers, proxies and routes for traffic that leaves an endpoint. */
export function evaluateNat(query: Query): NatEvaluation {
  const { endpoint, addresses, network } = query;
  const [proxy, route, balancing] = [proxyStage(query), routeStage(query), loadBalancerStage(query)];
  const { backends = [] } = balancing;
  const loopback = loopbackStage(query, balancing.by);
  const nat = outboundNatStage(query, backends);
  const outcome: Outcome = {
    proxy,
    hasRoute: route.sentences.length === 0,
    balancing,
    loopback,
    nat,
    isUnevaluated: [endpoint, network].some((owner) => numberedPolicies('L4Proxy', owner).length > 0),
  };
  if (!outcome.hasRoute) return { ...outcome, reasons: [proxy], dataPath: [proxy, route] };
  const toBackend = [balancing, loopback];
  if (balancing.by !== undefined && backends.length === 0)
    return { ...outcome, reasons: [proxy, ...toBackend], dataPath: [proxy, route, ...toBackend] };
  const isOnlyBackend = backends.length > 0 && backends.every((backend) => addresses.includes(backend));
  const translation = balancing.sources === undefined && !isOnlyBackend ? nat : overruled(nat);
  const [sdnRoute, overlay] = [sdnRouteStage(query), overlayStage(query)];
  return {
    ...outcome,
    reasons: [proxy, ...toBackend, translation, sdnRoute, overlay],
    dataPath: [proxy, route, ...toBackend, sdnRoute, overlay, translation, portMappingStage(query)],
  };
}

/** OutBoundNAT for traffic whose source the load balancer decides. */
function overruled({ rules }: Stage): Stage {
  const because = 'the load balancer decides';
  return {
    sentences: [],
    rules: rules.map((rule) => (rule.decides === 'no' ? rule : { ...rule, decides: 'no', because })),
  };
}
