import { addressesIn } from '../hcn/documents.ts';
import type { EndpointId } from '../hcn/guid.ts';
import { isSourceVipReservation } from './identity.ts';
import type { Inventory } from './inventory.ts';
import { isRemote, ownershipIn } from './ownership.ts';
import { containersIn } from './readiness.ts';

/** An address that an IPAM plugin has reserved for a container. */
export interface Reservation {
  readonly address: string;
  /** Absent if the plugin's record does not name one. */
  readonly container?: string;
  /** Absent in records of host-local before 0.8. */
  readonly interface?: string;
}

/** Why a reservation is left over. */
export type UnusedReason = 'endpoint left over' | 'no container named' | 'container gone';

/** Why nothing uses a reservation, in words. */
export const unusedTexts: Readonly<Record<UnusedReason, string>> = {
  'endpoint left over': 'its endpoint is left over',
  'no container named': 'its file is empty and no endpoint has it',
  'container gone': 'its container has no endpoint and no namespace',
};

/**
 * Returns why nothing uses a reservation once the endpoints in `deleted` are gone; undefined for one in use. It is in use if an endpoint
 * has its address or its container, if its container is in a namespace, or if it is a source VIP, which kube-proxy uses. An unreadable object may be such an endpoint or namespace.
 */
export function findUnused(
  inventory: Inventory,
  deleted: ReadonlySet<EndpointId>,
): (reservation: Reservation) => UnusedReason | undefined {
  const { endpoints, namespaces, unreadable = [] } = inventory;
  const running = new Set(namespaces.flatMap(containersIn).map(folded));
  const local = endpoints
    .filter((endpoint) => !isRemote(endpoint))
    .flatMap((endpoint) => {
      const isDeleted = deleted.has(endpoint.ID);
      const keys = keysOf(addressesIn(endpoint), ownershipIn(inventory, endpoint).container);
      return keys.map((key) => ({ key, isDeleted }));
    });
  const byKey = Map.groupBy(local, ({ key }) => key);
  return (reservation) => {
    if (isSourceVipReservation(reservation)) return undefined;
    const { address, container } = reservation;
    const holders = keysOf([address], container).flatMap((key) => byKey.get(key) ?? []);
    const isRunning = running.has(folded(container));
    if (unreadable.length > 0 || isRunning || holders.some(({ isDeleted }) => !isDeleted)) return undefined;
    if (holders.length > 0) return 'endpoint left over';
    return container === undefined ? 'no container named' : 'container gone';
  };
}

/** Keys of what has addresses and may be of a container, whose name can look like an address. */
function keysOf(addresses: readonly string[], container: string | undefined): readonly string[] {
  return [...addresses, ...(container === undefined ? [] : [`container ${folded(container)}`])];
}

/** HCN writes ids in lower case, a runtime in any case. */
function folded(id: string | undefined): string | undefined {
  return id?.toLowerCase();
}
