import type { Inventory } from '../../model/inventory.ts';
import { containersIn } from '../../model/readiness.ts';
import { type EndpointRow, podOf } from './endpoint-row.ts';
import type { MissingEndpoints } from './missing-endpoints.ts';
import type { LoadBalancerRow } from './object-rows.ts';

/** An interface of a pod as `ls` shows it, or a running pod that has none. */
export type PodRow = ReturnType<typeof podRow>;

function podRow(
  container: string,
  endpoint: EndpointRow | undefined,
  problem: string | undefined,
  inventory: Inventory,
) {
  const pod = podOf(container, inventory);
  return {
    ...(pod !== undefined && { pod }),
    container,
    ...(endpoint?.interface !== undefined && { interface: endpoint.interface }),
    addresses: endpoint?.addresses ?? [],
    ...(endpoint && { network: endpoint.network, state: endpoint.state, endpoint: endpoint.id }),
    ...(problem !== undefined && { problem }),
  };
}

/** The rows of all pods, sorted by name. Leftover endpoints belong to no pod. */
export function podRows(
  endpoints: readonly EndpointRow[],
  { namespaces }: MissingEndpoints,
  inventory: Inventory,
): readonly PodRow[] {
  const attached = endpoints.flatMap((row) => {
    if (row.container === undefined || row.leftover !== undefined) return [];
    return podRow(row.container, row, endpointProblem(row, inventory), inventory);
  });
  const lost = namespaces.flatMap((namespace) => {
    const containers = containersIn(namespace);
    const container = containers.find((id) => podOf(id, inventory) !== undefined) ?? containers[0];
    return container === undefined ? [] : podRow(container, undefined, 'no endpoint: recreate it', inventory);
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
  endpoints: ReadonlyMap<string, EndpointRow>,
  missing: MissingEndpoints,
  inventory: Inventory,
): string | undefined {
  const problems = backends.flatMap(({ id }) => {
    const row = endpoints.get(id);
    if (row === undefined) return missing.backends.includes(id) ? `backend ${id} is gone` : [];
    const problem = endpointProblem(row, inventory);
    return problem === undefined ? [] : `backend ${id}: ${problem}`;
  });
  return problems[0];
}
