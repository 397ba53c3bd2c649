import type { LoadBalancerRow } from '../../inventory/object-rows.ts';
import type { GraphData } from '../graph-data.ts';
import { frontendText } from './presentation.ts';

/** The data of the page: load balancers that differ only in the protocol of their ports are one. */
export interface PageGraph extends Omit<GraphData, 'loadBalancers'> {
  readonly loadBalancers: readonly ShownLoadBalancer[];
}

export interface ShownLoadBalancer extends LoadBalancerRow {
  /** Its name, otherwise its first frontend with the ports: `10.96.0.10:53`. */
  readonly title: string;
  /** The ids of all load balancers that it stands for; the first is its own. */
  readonly ids: readonly string[];
}

/** Shows the load balancers of a service that kube-proxy creates, one for each protocol, as one. */
export function pageGraph(graph: GraphData): PageGraph {
  const groups = new Map<string, readonly LoadBalancerRow[]>();
  for (const row of graph.loadBalancers) {
    const key = textWithoutProtocols(row);
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  const loadBalancers = [...groups.values()].flatMap(shownLoadBalancer);
  const shownIds = new Map(loadBalancers.flatMap(({ id, ids }) => ids.map((one) => [one, id] as const)));
  return {
    ...graph,
    loadBalancers,
    endpoints: graph.endpoints.map((endpoint) => ({
      ...endpoint,
      loadBalancers: [...new Set(endpoint.loadBalancers.map((id) => shownIds.get(id) ?? id))],
    })),
  };
}

/** Equal for load balancers that differ only in id and protocol. */
function textWithoutProtocols({ id, ports, backends, ...others }: LoadBalancerRow): string {
  const numbers = ports.map((port) => port.replace(/\/.*/, ''));
  return JSON.stringify([numbers.sort(), backends.map((backend) => backend.id).sort(), others]);
}

function shownLoadBalancer(rows: readonly LoadBalancerRow[]): readonly ShownLoadBalancer[] {
  const [first] = rows;
  if (first === undefined) return [];
  const ports = rows.flatMap((row) => row.ports);
  return [{ ...first, ports: foldProtocols(ports), title: titleOf(first), ids: rows.map(({ id }) => id) }];
}

function titleOf({ name, frontends, ports }: LoadBalancerRow): string {
  if (name) return name;
  const [frontend = frontendText([]), ...others] = frontends;
  const numbers = [...new Set(ports.map((port) => port.replace(/->.*/, '')))];
  const address = frontend.includes(':') ? `[${frontend}]` : frontend;
  return (
    [address, numbers.join()].filter(Boolean).join(':') + (others.length > 0 ? ` +${others.length}` : '')
  );
}

/** `53->53/tcp` and `53->53/udp` as `53 udp+tcp`, `80->8080/tcp` as `80 -> 8080 tcp`. */
function foldProtocols(ports: readonly string[]): readonly string[] {
  const protocols = new Map<string, readonly string[]>();
  for (const port of ports) {
    const [, outside, inside, protocol] = /^(\d+)->(\d+)\/(.+)$/.exec(port) ?? [];
    const numbers = outside === inside ? (outside ?? port) : `${outside} -> ${inside}`;
    protocols.set(numbers, [...(protocols.get(numbers) ?? []), ...(protocol ? [protocol] : [])]);
  }
  return [...protocols].map(([numbers, names]) =>
    [numbers, [...new Set(names)].sort().reverse().join('+')].join(' ').trim(),
  );
}
