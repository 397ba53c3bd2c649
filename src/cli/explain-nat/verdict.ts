import { formatPort } from '../../net/address.ts';
import { loadBalancerLabel } from '../inventory/object-rows.ts';
import type { Outcome } from '../traffic/evaluate-nat.ts';
import type { ProxyStage } from '../traffic/nat-stages.ts';
import type { Query } from '../traffic/query.ts';
import { type Source, sourceText } from '../traffic/sources.ts';

/** The outcome in one sentence: with which source the traffic leaves, to where, or why it is lost. */
export function verdict(query: Query, outcome: Outcome): string {
  const { proxy, balancing, hasRoute, isUnevaluated } = outcome;
  const conditions = [
    ...proxy.possible.map((policy) => `${policy} redirects it to a proxy in the pod`),
    ...(hasRoute ? balancing.possible.map((name) => `load balancer ${name} redirects it`) : []),
    ...(isUnevaluated ? ['an L4Proxy policy redirects it'] : []),
  ];
  const unless = conditions.length === 0 ? '' : `, unless ${conditions.join(' or ')}`;
  return `${outcomeText(pathOf(query, outcome), proxy)}${unless}.`;
}

/** Whether the traffic does not arrive anywhere. */
export function isLost(query: Query, outcome: Outcome): boolean {
  return 'lost' in pathOf(query, outcome);
}

function outcomeText(path: Path, { by: proxy }: ProxyStage): string {
  const isLost = 'lost' in path;
  if (proxy === undefined) return isLost ? `Lost: ${path.lost}` : `Leaves as ${path.leaves}`;
  const onward = isLost ? `is lost: ${path.lost}` : `leaves as ${path.leaves}`;
  return `Goes to port ${proxy.port} in the pod (L4WFPPROXY, ${proxy.label}); from there it ${onward}`;
}

type Path = { readonly leaves: string } | { readonly lost: string };

function pathOf(query: Query, { hasRoute, balancing, loopback, nat }: Outcome): Path {
  const { by, mapping, backends = [] } = balancing;
  if (!hasRoute) return { lost: `the pod has no route to ${query.destination.address}` };
  if (by === undefined) return { leaves: sourcesText(nat.sources) };
  const { inventory, addresses } = query;
  const name = `load balancer ${loadBalancerLabel(by.ID, inventory)}`;
  const own = backends.filter((address) => addresses.includes(address));
  const others = backends.filter((address) => !addresses.includes(address));
  const targets = (list: readonly string[]) =>
    list.map((address) => formatPort(address, mapping?.InternalPort ?? 0)).join(' or ');
  if (backends.length === 0) return { lost: `the backends of ${name} do not exist` };
  if (others.length === 0)
    return loopback.source === undefined
      ? { lost: `${name} sends it back to the pod, at ${targets(own)}` }
      : { leaves: `${sourceText(loopback.source)}, back to the pod at ${targets(own)}` };
  const sources = sourcesText(balancing.sources ?? nat.sources);
  const forward = `${sources}, to ${targets(others)}`;
  if (own.length === 0) return { leaves: forward };
  const back = loopback.source === undefined ? 'lost' : `as ${sourceText(loopback.source)}`;
  return { leaves: `${forward}; ${back} if ${name} sends it back to the pod, at ${targets(own)}` };
}

function sourcesText(sources: readonly Source[]): string {
  return sources.map(sourceText).join(' or as ');
}
