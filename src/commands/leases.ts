import { CniError, code } from '../cni/error.ts';
import type { IpamReader } from '../ipam/delegate.ts';
import type { Assignment } from '../plan/endpoint-addresses.ts';
import type { Changes } from '../steps/changes.ts';

/**
 * The greatest age of a lease with which its ADD succeeds. It exceeds the sum of an ADD's time limits at their maximum, so no ADD in
 * progress needs an older lease (docs/decisions/leases.md).
 */
export const longestAddSeconds = 600;

/** How long a lease may be unreadable, for example while its deletion is pending. */
const unreadableMilliseconds = 100;

/**
 * Looks up the leases of assigned addresses if win-hcn can read the IPAM plugin's records. A lease that is not found at first is not
 * watched: its record may be elsewhere. `require` throws code 11 if one was released in the meantime, is unreadable, or is too old; `areLost`
 * tells whether the ADD no longer holds any of them.
 */
export function watchLeases(
  ipam: IpamReader | undefined,
  assignment: Assignment,
  { pause }: Pick<Changes, 'pause'>,
) {
  const find = (address: string) => ipam?.findLease?.(address);
  const leases = (assignment?.ips ?? []).flatMap((ip) => {
    const address = ip.address.replace(/\/.*/, '');
    const lease = find(address);
    return typeof lease === 'object' ? [{ address, first: lease }] : [];
  });
  return {
    require: async () => {
      for (const { address, first } of leases) {
        let lease = find(address);
        if (lease === 'unreadable') {
          await pause(unreadableMilliseconds);
          lease = find(address);
        }
        if (lease === 'unreadable') throw tryAgain(`the lease of ${address} cannot be read`);
        if (lease?.id !== first.id)
          throw tryAgain(`${address} was released by another process during this ADD`);
        // A lease cannot be that old right after its assignment: the time of its file is wrong.
        const start = first.seconds > longestAddSeconds ? first.seconds : 0;
        if (lease.seconds - start > longestAddSeconds)
          throw tryAgain(
            `${address} was assigned more than ${longestAddSeconds} s ago, so gc may release it`,
          );
      }
    },
    areLost: () =>
      leases.length > 0 &&
      leases.every(({ address, first }) => {
        const lease = find(address);
        return typeof lease !== 'object' || lease.id !== first.id;
      }),
  };
}

function tryAgain(reason: string): CniError {
  return new CniError(code.tryAgainLater, `${reason}: retry`);
}
