import type { Inventory } from '../../model/inventory.ts';
import type { EndpointDetail } from '../inventory/endpoint-row.ts';
import type { Pod } from '../show/find-subject.ts';
import { type Comparison, compareEndpoints, nameOf } from './compare-endpoints.ts';

/** What differs between two pods. */
export interface PodComparison {
  readonly left: string;
  readonly right: string;
  readonly equal: boolean;
  /** Of the endpoints of both, by interface. */
  readonly endpoints: readonly Comparison[];
  /** The interfaces, or ids, of endpoints that have none to be compared with. */
  readonly onlyLeft: readonly string[];
  readonly onlyRight: readonly string[];
}

export function comparePods(left: Pod, right: Pod, inventory: Inventory): PodComparison {
  const { pairs, onlyLeft, onlyRight } = pairsOf(left.subject.endpoints, right.subject.endpoints);
  const endpoints = pairs.map(([one, other]) => compareEndpoints(one, other, inventory));
  return {
    left: left.container,
    right: right.container,
    equal:
      onlyLeft.length + onlyRight.length === 0 &&
      endpoints.every(({ differences }) => differences.length === 0),
    endpoints,
    onlyLeft: onlyLeft.map(nameOf),
    onlyRight: onlyRight.map(nameOf),
  };
}

/** An endpoint that both pods have. */
export function sharedEndpoint(left: Pod, right: Pod): string | undefined {
  return left.endpoints.find((endpoint) => right.endpoints.includes(endpoint))?.ID;
}

type Pair = readonly [EndpointDetail, EndpointDetail];

/** Which endpoints to compare: those of one interface, and of the rest as many as there are on either side. */
export function pairsOf(left: readonly EndpointDetail[], right: readonly EndpointDetail[]) {
  const named = left.flatMap((one): readonly Pair[] => {
    const other = right.find((each) => each.interface !== undefined && each.interface === one.interface);
    return other === undefined ? [] : [[one, other]];
  });
  const restLeft = left.filter((one) => !named.some((pair) => pair.includes(one)));
  const restRight = right.filter((one) => !named.some((pair) => pair.includes(one)));
  const others = restLeft.flatMap((one, index): readonly Pair[] => {
    const other = restRight[index];
    return other === undefined ? [] : [[one, other]];
  });
  return {
    pairs: [...named, ...others],
    onlyLeft: restLeft.slice(others.length),
    onlyRight: restRight.slice(others.length),
  };
}
