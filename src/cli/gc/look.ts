import { type Inventory, takeInventory } from '../inventory/inventory.ts';
import { limitedHcn } from '../inventory/look.ts';
import type { Owner } from '../inventory/owner.ts';
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
  const inventory = await takeInventory(limitedHcn(session.system));
  const scope = { owners, ...(network !== undefined && { network }) };
  return { inventory, kept: reservations, problems, ...findLeftovers(inventory, reservations, scope) };
}
