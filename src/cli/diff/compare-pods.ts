import type { Inventory } from '../../model/inventory.ts';
import type { EndpointDetail } from '../inventory/endpoint-row.ts';
import type { Pod } from '../show/find-container.ts';
import { comparableEndpoint, uniqueProperties } from './comparable-endpoint.ts';
import { compareLists, comparePolicies, compareValues, type Difference } from './differences.ts';

export interface PodComparison {
  /** The containers. */
  readonly left: string;
  readonly right: string;
  /** The pods of the containers; absent if unknown. */
  readonly leftPod?: string;
  readonly rightPod?: string;
  readonly equal: boolean;
  /** By pair of endpoints. */
  readonly endpoints: readonly EndpointComparison[];
  /** The interfaces, or ids, of endpoints without a counterpart. */
  readonly onlyLeft: readonly string[];
  readonly onlyRight: readonly string[];
}

export interface EndpointComparison {
  /** The interface, or the id if the interface is unknown. */
  readonly left: string;
  readonly right: string;
  /** Most important first. */
  readonly differences: readonly Difference[];
  /** The expected differences: properties that are unique to each endpoint. */
  readonly asItShould: readonly Difference[];
}

/** Compares the endpoints of two pods, in pairs. */
export function comparePods(left: Pod, right: Pod, inventory: Inventory): PodComparison {
  const { pairs, onlyLeft, onlyRight } = pairEndpoints(left.subject.endpoints, right.subject.endpoints);
  const endpoints = pairs.map(([one, other]) => compareEndpoints(one, other, inventory));
  return {
    left: left.container,
    right: right.container,
    ...(left.name !== undefined && { leftPod: left.name }),
    ...(right.name !== undefined && { rightPod: right.name }),
    equal:
      onlyLeft.length + onlyRight.length === 0 &&
      endpoints.every(({ differences }) => differences.length === 0),
    endpoints,
    onlyLeft: onlyLeft.map(labelOf),
    onlyRight: onlyRight.map(labelOf),
  };
}

/** The id of an endpoint that belongs to both pods; undefined if no endpoint does. */
export function sharedEndpoint(left: Pod, right: Pod): string | undefined {
  return left.endpoints.find((endpoint) => right.endpoints.includes(endpoint))?.ID;
}

type Pair = readonly [EndpointDetail, EndpointDetail];

/** Pairs endpoints with the same interface, then the rest in their order. */
export function pairEndpoints(left: readonly EndpointDetail[], right: readonly EndpointDetail[]) {
  const sameInterface = left.flatMap((one): readonly Pair[] => {
    const other = right.find((each) => each.interface !== undefined && each.interface === one.interface);
    return other === undefined ? [] : [[one, other]];
  });
  const restLeft = left.filter((one) => !sameInterface.some((pair) => pair.includes(one)));
  const restRight = right.filter((one) => !sameInterface.some((pair) => pair.includes(one)));
  const others = restLeft.flatMap((one, index): readonly Pair[] => {
    const other = restRight[index];
    return other === undefined ? [] : [[one, other]];
  });
  return {
    pairs: [...sameInterface, ...others],
    onlyLeft: restLeft.slice(others.length),
    onlyRight: restRight.slice(others.length),
  };
}

/** Compares two endpoints. Differences in unique properties, such as the id, are expected. */
export function compareEndpoints(
  left: EndpointDetail,
  right: EndpointDetail,
  inventory: Inventory,
): EndpointComparison {
  const [one, other] = [comparableEndpoint(left, inventory), comparableEndpoint(right, inventory)];
  return {
    left: labelOf(left),
    right: labelOf(right),
    differences: [
      ...findDuplicates(left, right),
      ...compareProperties(one.general, other.general),
      ...compareAcls(one.acls, other.acls),
      ...comparePolicies(one.policies, other.policies),
      ...compareProperties(one.namespace, other.namespace),
      ...compareLists('load balancer', one.loadBalancers, other.loadBalancers),
    ],
    asItShould: compareProperties(uniqueProperties(left), uniqueProperties(right)),
  };
}

function labelOf({ id, interface: name = id }: EndpointDetail): string {
  return name;
}

function compareProperties(
  left: Readonly<Record<string, string>>,
  right: typeof left,
): readonly Difference[] {
  return Object.entries(left).flatMap(([what, value]) => compareValues(what, value, right[what] ?? ''));
}

/** The addresses that two endpoints of a network both have and must not share. */
function findDuplicates(left: EndpointDetail, right: EndpointDetail): readonly Difference[] {
  if (left.network !== right.network) return [];
  const duplicate = (what: string, value: string): Difference => ({ what, left: value, right: value });
  return [
    ...left.addresses
      .filter((address) => right.addresses.includes(address))
      .map((address) => duplicate('duplicate address', address)),
    ...(left.macAddress !== '' && left.macAddress === right.macAddress
      ? [duplicate('duplicate MAC', left.macAddress)]
      : []),
  ];
}

/** The order counts too: as far as known, HNS evaluates ACLs with the same priority in HCN's order. */
function compareAcls(left: readonly string[], right: readonly string[]): readonly Difference[] {
  const differing = compareLists('ACL', left, right);
  if (differing.length > 0) return differing;
  return left.flatMap((text, index) => compareValues('ACL order', text, right[index] ?? ''));
}
