import { addressesIn } from '../../../hcn/documents.ts';
import { findUnused, unusedTexts } from '../../../model/reservations.ts';
import { countAddresses, isInRange } from '../../conflist/host-local-ranges.ts';
import { mayBeStarting } from '../../gc/reservations.ts';
import { quote } from '../../terminal/powershell.ts';
import { countText, shortContainer } from '../../terminal/short-text.ts';
import { type Check, type Diagnosis, fail, NotObserved, orPass, unknown, warn } from '../finding.ts';
import { noConfiguration } from '../plan.ts';
import { describeEndpoint, podEndpoints } from '../pod-endpoints.ts';
import type { HostLocal, Snapshot } from '../snapshot.ts';

/** Checks the addresses of host-local: whether the next pod gets one, and whether deleted pods still hold some. */
export const ipamAddresses: Check = {
  name: 'IPAM addresses',
  diagnose: (snapshot) => {
    const { hostLocal, configuration } = snapshot;
    if (hostLocal === undefined) {
      if (configuration.used !== undefined && configuration.network === undefined)
        throw new NotObserved(noConfiguration);
      return [];
    }
    const { folder, reservations, problems } = hostLocal;
    if (problems.length > 0)
      return problems.map((problem) => unknown(problem, { see: `Get-ChildItem ${quote(folder)}` }));
    const stale = diagnoseStale(hostLocal, snapshot);
    const pools = diagnosePools(hostLocal, stale.length);
    const found = [...pools, ...stale, ...diagnoseUnreserved(hostLocal, snapshot)];
    if (found.length === 0 && 'error' in snapshot.inventory) return [];
    const count = countText(reservations.length, 'address');
    return orPass(found, `${count} reserved in ${folder}, as the pods of this node have them`);
  },
};

function diagnosePools({ rangeSets, reservations, folder }: HostLocal, stale: number): readonly Diagnosis[] {
  const remedy = stale === 0 ? 'enlarge the range' : `release the ${countText(stale, 'stale lease')}`;
  return rangeSets.flatMap((set) => {
    const used = reservations.filter(({ address }) => set.some((range) => isInRange(range, address)));
    if (BigInt(used.length) < countAddresses(set)) return [];
    const ranges = set.map(({ start, end }) => `${start} to ${end}`).join(', ');
    const seen = `no free address in ${ranges}: the next pod cannot start; ${remedy}`;
    return [fail(seen, { see: `Get-ChildItem ${quote(folder)}` })];
  });
}

/**
 * A reservation whose endpoint is left over is not stale by itself: the check of leftover endpoints reports it. Neither is one that an ADD
 * in progress may need.
 */
function diagnoseStale(
  { reservations }: HostLocal,
  { inventory, configuration: { used }, time }: Snapshot,
): readonly Diagnosis[] {
  if ('error' in inventory) return [];
  const reasonFor = findUnused(inventory.value, new Set());
  return reservations.flatMap((reservation) => {
    const reason = reasonFor(reservation);
    if (reason === undefined || mayBeStarting(reservation, time)) return [];
    const { address, container } = reservation;
    const holder = container === undefined ? '' : ` (container ${shortContainer(container)})`;
    const subjects = [`${address}${holder}`];
    const see = `win-hcn gc --conf ${quote(used?.path ?? '-')}`;
    return [warn(`stale lease, ${unusedTexts[reason]}`, { noun: 'address', subjects, see })];
  });
}

/** Addresses of running pods that host-local may assign again, or may release with another container. */
function diagnoseUnreserved(
  { rangeSets, reservations, folder }: HostLocal,
  { inventory, configuration: { network } }: Snapshot,
): readonly Diagnosis[] {
  if ('error' in inventory) return [];
  const assigned = podEndpoints(inventory.value)
    .filter(({ row }) => row.network === network?.name)
    .flatMap(({ endpoint, row }) => addressesIn(endpoint).map((address) => ({ address, row })))
    .filter(({ address }) => rangeSets.flat().some((range) => isInRange(range, address)));
  const holders = new Map(reservations.map((one) => [one.address, one]));
  return assigned.flatMap(({ address, row }) => {
    const holder = holders.get(address);
    const subjects = [`${address} of ${describeEndpoint(row)}`];
    const details = { noun: 'address', subjects, see: `Get-ChildItem ${quote(folder)}` };
    if (holder === undefined) return [warn('not reserved: host-local may assign it to another pod', details)];
    if ([undefined, row.container?.toLowerCase()].includes(holder.container?.toLowerCase())) return [];
    return [warn('reserved for another container, and free once that ends', details)];
  });
}
