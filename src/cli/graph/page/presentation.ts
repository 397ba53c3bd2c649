// How the page groups and labels HCN objects.

import type { GraphData, GraphEndpoint, GraphNetwork } from '../graph-data.ts';

/** A network with its endpoints, sorted by address. */
export interface NetworkGroup {
  readonly id: string;
  /** Absent if the graph does not contain the network. */
  readonly network?: GraphNetwork;
  /** Why the graph does not contain it. */
  readonly absence?: Absence;
  readonly local: readonly GraphEndpoint[];
  readonly remote: readonly GraphEndpoint[];
}

/** Why the graph does not contain an object that others refer to. */
type Absence = 'gone' | 'unreadable';

/** `10.244.1.9` sorts before `10.244.1.10`. */
const numeric = new Intl.Collator('en', { numeric: true });

/** All endpoints by network, in HCN's order of networks. Absent networks are last. */
export function groupByNetwork(graph: GraphData): readonly NetworkGroup[] {
  const { networks, endpoints } = graph;
  const present = networks.map(({ id }) => id);
  const absent = new Set(endpoints.map(({ networkId }) => networkId).filter((id) => !present.includes(id)));
  const sorted = endpoints.toSorted((a, b) => numeric.compare(a.addresses.join(), b.addresses.join()));
  return [...present, ...absent].map((id) => {
    const network = networks.find((one) => one.id === id);
    const members = sorted.filter(({ networkId }) => networkId === id);
    return {
      id,
      ...(network === undefined ? { absence: absenceOf(id, graph) } : { network }),
      local: members.filter(({ remote }) => !remote),
      remote: members.filter(({ remote }) => remote),
    };
  });
}

/** Why the graph does not contain the object with this id. */
export function absenceOf(id: string, { unreadable }: Pick<GraphData, 'unreadable'>): Absence {
  return unreadable.some((object) => object.id === id) ? 'unreadable' : 'gone';
}

/** Addresses without their prefix lengths. */
export function bareAddresses({ addresses }: Pick<GraphEndpoint, 'addresses'>): readonly string[] {
  return addresses.map((address) => address.replace(/\/.*/, ''));
}

/** `10.244.1.0/24 via 10.244.1.1` for each subnet. */
export function subnetTexts({ subnets }: GraphNetwork): readonly string[] {
  return subnets.map(({ subnet, gateway }) => (gateway === undefined ? subnet : `${subnet} via ${gateway}`));
}

/** The addresses a load balancer listens on. */
export function frontendText(frontends: readonly string[]): string {
  return frontends.join(', ') || 'node addresses';
}

/** A namespace's type as HCN names it. */
export function namespaceTypeText(type: string): string {
  return type === 'HostDefault' ? 'HostDefault (node)' : type;
}
