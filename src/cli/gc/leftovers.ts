import type { Inventory } from '../../model/inventory.ts';
import type { Owner } from '../../model/ownership.ts';
import { containersIn } from '../../model/readiness.ts';
import { type EndpointRow, endpointRows } from '../inventory/endpoint-row.ts';
import type { Reservation } from './reservations.ts';

/** What to look at. */
export interface Scope {
  /** The only network; absent: all. */
  readonly network?: string;
  /** Whose stale endpoints are to go. */
  readonly owners: readonly Owner[];
}

/** Something left over, and why it is that. */
export type Stale<T> = T & { readonly stale: string };

export interface Leftovers {
  /** Those that are to go. */
  readonly endpoints: readonly Stale<EndpointRow>[];
  /** Those of other plugins, where they are to stay. */
  readonly ofOtherPlugins: readonly Stale<EndpointRow>[];
  /** Remote endpoints that win-hcn did not make: whoever did has to know. */
  readonly ofOthers: readonly Stale<EndpointRow>[];
  readonly reservations: readonly Stale<Reservation>[];
}

/** What is left over. Endpoints are stale as `ls` says it; an address is in use that any endpoint has which stays, or may have which cannot be read. */
export function findLeftovers(
  inventory: Inventory,
  reservations: readonly Reservation[],
  { network, owners }: Scope,
): Leftovers {
  const rows = endpointRows(inventory);
  const stale = rows.filter(isStale).filter((row) => network === undefined || row.network === network);
  const endpoints = stale.filter(({ owner }) => owners.includes(owner));
  const going: ReadonlySet<EndpointRow> = new Set(endpoints);
  const staying = rows.filter((row) => !going.has(row) && !row.remote);
  const left = stale.filter((row) => !going.has(row));
  const running = inventory.namespaces.flatMap(containersIn).map(folded);
  const mayBeInUse = (inventory.unreadable ?? []).length > 0;
  const isInUse = (reservation: Reservation) =>
    mayBeInUse ||
    staying.some((row) => isFor(row, reservation)) ||
    (reservation.container !== undefined && running.includes(folded(reservation.container)));
  return {
    endpoints,
    ofOtherPlugins: left.filter(({ owner }) => owner === 'another plugin'),
    ofOthers: left.filter(({ remote }) => remote),
    reservations: reservations
      .filter((reservation) => !isInUse(reservation))
      .map((reservation) => ({ ...reservation, stale: reasonFor(reservation, endpoints) })),
  };
}

function isStale(row: EndpointRow): row is Stale<EndpointRow> {
  return row.stale !== undefined;
}

function isFor(row: EndpointRow, { address, container }: Reservation): boolean {
  const isOfContainer =
    container !== undefined && row.container !== undefined && folded(row.container) === folded(container);
  return isOfContainer || row.addresses.some((own) => own.split('/')[0] === address);
}

function reasonFor(reservation: Reservation, going: readonly EndpointRow[]): string {
  if (going.some((row) => !row.remote && isFor(row, reservation))) return 'its endpoint is stale';
  return reservation.container === undefined
    ? 'its file is empty, and no endpoint has it'
    : 'its container has no endpoint and no namespace';
}

/** HCN's ids are in lower case, those of a runtime as it has them. */
function folded(id: string): string {
  return id.toLowerCase();
}
