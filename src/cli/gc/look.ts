import type { Inventory } from '../../model/inventory.ts';
import type { Owner } from '../../model/ownership.ts';
import { queryInventory as lookAtHcn } from '../inventory/read-inventory.ts';
import type { Session } from '../session.ts';
import { findLeftovers, type Leftovers } from './leftovers.ts';
import type { Place } from './place.ts';
import { type Reservation, readReservations } from './reservations.ts';

export interface Seen extends Leftovers {
  readonly inventory: Inventory;
  /** All addresses that host-local keeps. */
  readonly kept: readonly Reservation[];
  /** What could not be read, in sentences. */
  readonly problems: readonly string[];
}

/** Finds what is left over now, in HCN and in host-local's folder, which is read first: an endpoint is made after its address. */
export async function look(
  { network, store }: Place,
  owners: readonly Owner[],
  session: Session,
): Promise<Seen> {
  const { reservations, problems } =
    store === undefined ? { reservations: [], problems: [] } : readReservations(store, session);
  const inventory = await lookAtHcn(session.system);
  const scope = { owners, ...(network !== undefined && { network }) };
  const left = findLeftovers(inventory, reservations, scope);
  return { inventory, kept: reservations, problems: [...problems, ...unreadIn(inventory)], ...left };
}

function unreadIn({ unreadable = [] }: Inventory): readonly string[] {
  if (unreadable.length === 0) return [];
  return [
    ...unreadable.map(({ error }) => `left out: ${error.message}`),
    "what cannot be read may have an address of host-local's: all of them stay",
  ];
}
