import type { GraphData, GraphEndpoint, GraphNetwork } from './graph-data.ts';
import { type Absence, absenceOf } from './labels.ts';

/** A network with its endpoints by address, those on other nodes by themselves. */
export interface NetworkGroup {
  readonly id: string;
  /** Absent of a network that is not in the picture. */
  readonly network?: GraphNetwork;
  /** Why it is not. */
  readonly absence?: Absence;
  readonly local: readonly GraphEndpoint[];
  readonly remote: readonly GraphEndpoint[];
}

/** `10.244.1.9` comes before `10.244.1.10`. */
const numeric = new Intl.Collator('en', { numeric: true });

/** All endpoints by their network, in HCN's order of networks; networks that are not in the picture come last. */
export function byNetwork(graph: GraphData): readonly NetworkGroup[] {
  const { networks, endpoints } = graph;
  const known = networks.map(({ id }) => id);
  const absent = new Set(endpoints.map(({ networkId }) => networkId).filter((id) => !known.includes(id)));
  const sorted = endpoints.toSorted((a, b) => numeric.compare(a.addresses.join(), b.addresses.join()));
  return [...known, ...absent].map((id) => {
    const network = networks.find((one) => one.id === id);
    const own = sorted.filter(({ networkId }) => networkId === id);
    return {
      id,
      ...(network === undefined ? { absence: absenceOf(id, graph) } : { network }),
      local: own.filter(({ remote }) => !remote),
      remote: own.filter(({ remote }) => remote),
    };
  });
}
