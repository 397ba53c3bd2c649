import type { EndpointId } from '../../hcn/guid.ts';
import type { Inventory } from '../../model/inventory.ts';
import { containersIn } from '../../model/readiness.ts';
import { type EndpointRow, podOf } from './endpoint-row.ts';
import type { MissingEndpoints } from './missing-endpoints.ts';
import type { LoadBalancerRow } from './object-rows.ts';

/** An interface of a pod as `ls` shows it, or a running pod that has none. */
export interface PodRow {
  /** `namespace/name`; absent if unknown. */
  readonly pod?: string;
  readonly container: string;
  readonly interface?: string;
  readonly addresses: readonly string[];
  readonly network?: string;
  readonly state?: string;
  /** The endpoint; absent if the pod has none. */
  readonly endpoint?: EndpointId;
  readonly problem?: string;
}

/** The rows of all pods, sorted by name. Leftover endpoints belong to no pod. */
export function podRows(
  endpoints: readonly EndpointRow[],
  { namespaces }: MissingEndpoints,
  inventory: Inventory,
): readonly PodRow[] {
  const attached = endpoints.flatMap((row) => {
    const { container, leftover, id, network, addresses, state } = row;
    if (container === undefined || leftover !== undefined) return [];
    const { pod, interface: ifname } = row;
    const problem = endpointProblem(row, inventory);
    return {
      ...(pod !== undefined && { pod }),
      container,
      ...(ifname !== undefined && { interface: ifname }),
      ...{ addresses, network, state, endpoint: id },
      ...(problem !== undefined && { problem }),
    };
  });
  const lost = namespaces.flatMap((namespace) => {
    const containers = containersIn(namespace);
    const container = containers.find((id) => podOf(id, inventory) !== undefined) ?? containers[0];
    if (container === undefined) return [];
    const pod = podOf(container, inventory);
    return {
      ...(pod !== undefined && { pod }),
      container,
      addresses: [],
      problem: 'no endpoint: recreate it',
    };
  });
  const keyOf = ({ pod = '~', container }: PodRow) => `${pod} ${container}`;
  return [...attached, ...lost].toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
}

/** Why an endpoint is not as it should be, first its most urgent problem; undefined if it is. An unreadable network may be its own. */
export function endpointProblem(
  { leftover, network, health, state, namespace }: EndpointRow,
  { networks, unreadable = [] }: Inventory,
): string | undefined {
  if (leftover !== undefined) return `leftover: ${leftover}`;
  const hasNetwork = networks.some(({ Name }) => Name === network);
  if (!hasNetwork && !unreadable.some(({ kind }) => kind === 'Network')) return 'its network is gone';
  if (health !== 'ok') return health;
  const isBad =
    ['Degraded', 'Destroyed'].includes(state) || (state === 'Detached' && namespace !== undefined);
  return isBad ? `state ${state}` : undefined;
}

/** Why a service does not work as it should: a backend is gone, or has a problem. */
export function serviceProblem(
  { backends }: LoadBalancerRow,
  endpoints: readonly EndpointRow[],
  missing: MissingEndpoints,
  inventory: Inventory,
): string | undefined {
  const problems = backends.flatMap(({ id }) => {
    const row = endpoints.find((one) => one.id === id);
    if (row === undefined) return missing.backends.includes(id) ? `backend ${id} is gone` : [];
    const problem = endpointProblem(row, inventory);
    return problem === undefined ? [] : `backend ${id}: ${problem}`;
  });
  return problems[0];
}
