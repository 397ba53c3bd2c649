import { CniError, code } from '../cni/error.ts';
import type { IpamReader } from '../ipam/delegate.ts';
import type { Assignment } from '../plan/endpoint-addresses.ts';

/**
 * How old a lease can be when its ADD succeeds: more than the ADD's time limits at their maximum allow. So no ADD in progress needs an older
 * lease whose container has no endpoint yet (docs/decisions/leases.md).
 */
export const longestAddSeconds = 600;

/**
 * Looks up the leases of assigned addresses if win-hcn can read the IPAM plugin's records. The returned function throws code 11 if one of
 * them was released in the meantime, or is too old. A lease that is not found at first counts as held: its record may be elsewhere.
 */
export function watchLeases(ipam: IpamReader | undefined, assignment: Assignment): () => void {
  const find = (address: string) => ipam?.findLease?.(address);
  const leases = (assignment?.ips ?? []).flatMap((ip) => {
    const address = ip.address.replace(/\/.*/, '');
    const lease = find(address);
    return typeof lease === 'object' ? [{ address, id: lease.id }] : [];
  });
  return () => {
    for (const { address, id } of leases) {
      const lease = find(address);
      if (lease === 'unreadable') continue;
      if (lease?.id !== id) throw tryAgain(`${address} was released by another process during this ADD`);
      if (lease.seconds > longestAddSeconds)
        throw tryAgain(`${address} was assigned more than ${longestAddSeconds} s ago, so gc may release it`);
    }
  };
}

function tryAgain(reason: string): CniError {
  return new CniError(code.tryAgainLater, `${reason}: retry`);
}
