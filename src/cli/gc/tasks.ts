import type { System } from '../../system.ts';
import { openHcn } from '../inventory/read-inventory.ts';
import { deleteStale } from './delete-stale.ts';
import type { Seen } from './look.ts';
import type { Done, Task } from './outcome.ts';
import { deletionTitle, releaseTitle } from './print.ts';
import { isSame, type Reservation } from './reservations.ts';

/** Deletes each endpoint that is still stale. Each has time limits of its own: many that are slow are no service that hangs. */
export function deletions({ endpoints, inventory }: Seen, system: System): readonly Task[] {
  return endpoints.map((row) => ({
    takes: 'endpoint' as const,
    title: deletionTitle(row),
    work: async () => ({ outcome: await deleteStale(row, inventory, openHcn(system)) }),
  }));
}

/** Gives each address back that is nobody's once the endpoints are gone; `lookAgain` counts on none to go. */
export function releases(
  { reservations }: Seen,
  lookAgain: () => Promise<Seen>,
  giveBack: (reservation: Reservation) => Promise<Done>,
): readonly Task[] {
  let second: Promise<Seen> | undefined;
  return reservations
    .filter(({ container }) => container !== undefined)
    .map((reservation) => ({
      takes: 'address' as const,
      title: releaseTitle(reservation),
      work: async () => {
        second ??= lookAgain();
        const { kept, reservations: left } = await second;
        if (left.some((other) => isSame(reservation, other))) return giveBack(reservation);
        return { outcome: kept.some((other) => isSame(reservation, other)) ? 'in use' : 'gone already' };
      },
    }));
}
