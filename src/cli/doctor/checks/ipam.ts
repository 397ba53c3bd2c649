import { addressesIn } from '../../../hcn/documents.ts';
import { findUnused, unusedTexts } from '../../../model/reservations.ts';
import { type AddressRange, countAddresses, isInRange } from '../../conflist/host-local-ranges.ts';
import { quote } from '../../terminal/powershell.ts';
import { countText, firstFew, shortContainer } from '../../terminal/short-text.ts';
import { fileName } from '../../terminal/windows-path.ts';
import { type Check, type Diagnosis, fail, NotObserved, pass, unknown, warn } from '../finding.ts';
import type { HostLocal } from '../host-local.ts';
import { noConfiguration } from '../plan.ts';
import type { Configuration } from '../runtime.ts';
import type { Snapshot } from '../snapshot.ts';
import { describeEndpoint } from './endpoints.ts';
import { podEndpoints } from './pods.ts';

/** Checks the addresses of host-local: whether the next pod gets one of its own, and whether deleted pods still hold some. */
export const ipamAddresses: Check = {
  name: 'IPAM addresses',
  diagnose: (snapshot) => {
    const { hostLocal, configuration } = snapshot;
    const { used, network } = configuration;
    if (hostLocal === undefined) {
      if (used !== undefined && network === undefined) throw new NotObserved(noConfiguration);
      return [];
    }
    const { folder, reservations, problems, rangeSets } = hostLocal;
    if (problems.length > 0)
      return [unknown(firstFew(problems, '; '), { see: `Get-ChildItem ${quote(folder)}` })];
    const gc = `win-hcn gc --conf ${quote(used?.path ?? '-')}`;
    const found = [
      ...diagnosePools(hostLocal, configuration),
      ...diagnoseStale(hostLocal, snapshot, gc),
      ...diagnoseUnreserved(hostLocal, snapshot),
    ];
    if (found.length > 0) return found;
    const total = rangeSets.map((set) => `${countReserved(set, hostLocal)} of ${countAddresses(set)}`);
    const counted =
      total.length === 0 ? countText(reservations.length, 'address') : `${total.join(' and ')} addresses`;
    return [pass(`${counted} reserved in ${folder}`)];
  },
};

function diagnosePools(hostLocal: HostLocal, { used, plugin }: Configuration): readonly Diagnosis[] {
  return hostLocal.rangeSets.flatMap((set) => {
    if (BigInt(countReserved(set, hostLocal)) < countAddresses(set)) return [];
    const ranges = set.map(({ start, end }) => `${start} to ${end}`);
    const place = used?.positionOf(`${plugin?.path}/ipam`, true);
    const where = place === undefined ? '' : ` (/ipam, line ${place.line} of ${fileName(used?.path ?? '')})`;
    const seen = `no free address in ${firstFew(ranges)}: the next pod cannot start; enlarge the range${where}`;
    return [fail(seen, { see: `Get-ChildItem ${quote(hostLocal.folder)}` })];
  });
}

function countReserved(set: readonly AddressRange[], { reservations }: HostLocal): number {
  return reservations.filter(({ address }) => set.some((range) => isInRange(range, address))).length;
}

/** A reservation whose endpoint is left over is not stale by itself: the check of leftover endpoints reports it. */
function diagnoseStale(
  { reservations, starting }: HostLocal,
  { inventory }: Snapshot,
  gc: string,
): readonly Diagnosis[] {
  if ('error' in inventory) return [];
  const reasonFor = findUnused(inventory.value, new Set());
  const stale = reservations.flatMap((reservation) => {
    const reason = reasonFor(reservation);
    if (reason === undefined || starting.includes(reservation.address)) return [];
    const { address, container } = reservation;
    const holder = container === undefined ? '' : ` (container ${shortContainer(container)})`;
    return [`${address}${holder}, ${unusedTexts[reason]}`];
  });
  if (stale.length === 0) return [];
  const seen = `${countText(stale.length, 'stale lease')}: ${firstFew(stale, '; ')}`;
  return [warn(seen, { see: gc })];
}

/**
 * Finds addresses of pods that host-local takes for free, in looks before and after HCN was read. Those outside of its ranges came from
 * elsewhere.
 */
function diagnoseUnreserved(
  { folder, rangeSets, reservations, reservedLater }: HostLocal,
  { configuration: { network }, inventory }: Snapshot,
): readonly Diagnosis[] {
  if (network === undefined || 'error' in inventory) return [];
  const reserved = [...reservations.map(({ address }) => address), ...reservedLater];
  const unreserved = podEndpoints(inventory.value)
    .filter(({ row }) => row.owner === 'win-hcn' && row.stale === undefined && row.network === network.name)
    .flatMap(({ endpoint, row }) =>
      addressesIn(endpoint)
        .filter((address) => rangeSets.flat().some((range) => isInRange(range, address)))
        .filter((address) => !reserved.includes(address))
        .map((address) => `${address} of ${describeEndpoint(row)}`),
    );
  if (unreserved.length === 0) return [];
  const many = unreserved.length > 1;
  const seen = `${firstFew(unreserved)} ${many ? 'are' : 'is'} not reserved in ${folder}: host-local may assign ${many ? 'them' : 'it'} again; recreate the ${many ? 'pods' : 'pod'}`;
  return [warn(seen, { see: `Get-ChildItem ${quote(folder)}` })];
}
