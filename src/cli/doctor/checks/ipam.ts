import { addressesIn } from '../../../hcn/documents.ts';
import { findUnused, unusedTexts } from '../../../model/reservations.ts';
import { type AddressRange, countAddresses, isInRange } from '../../conflist/host-local-ranges.ts';
import { quote } from '../../terminal/powershell.ts';
import { countText, firstFew, shortContainer } from '../../terminal/short-text.ts';
import { type Check, type Diagnosis, fail, noConfiguration, pass, unknown, warn } from '../check.ts';
import type { Facts } from '../facts.ts';
import { usedConf } from '../runtime/conf-owner.ts';
import type { HostLocal } from '../runtime/host-local.ts';
import { describeEndpoint } from './endpoints.ts';
import { podEndpoints } from './pods.ts';

/** Checks the addresses of host-local: whether the next pod gets one of its own, and whether deleted pods still hold some. */
export const ipamAddresses: Check = {
  name: 'IPAM addresses',
  diagnose: (facts) => {
    const { hostLocal } = facts;
    if (hostLocal === undefined)
      return facts.configuration.network === undefined ? [unknown(noConfiguration)] : [];
    const { folder, reservations, problems, rangeSets } = hostLocal;
    if (problems.length > 0)
      return [unknown(firstFew(problems, '; '), { see: `Get-ChildItem ${quote(folder)}` })];
    const gc = `win-hcn gc --conf ${quote(usedConf(facts)?.path ?? '-')}`;
    const found = [
      ...diagnosePools(hostLocal, gc),
      ...diagnoseStale(hostLocal, facts, gc),
      ...diagnoseUnreserved(hostLocal, facts),
    ];
    if (found.length > 0) return found;
    const total = rangeSets.map((set) => `${countReserved(set, hostLocal)} of ${countAddresses(set)}`);
    const counted =
      total.length === 0 ? countText(reservations.length, 'address') : `${total.join(' and ')} addresses`;
    return [pass(`${counted} reserved in ${folder}`)];
  },
};

function diagnosePools(hostLocal: HostLocal, see: string): readonly Diagnosis[] {
  return hostLocal.rangeSets.flatMap((set) => {
    if (BigInt(countReserved(set, hostLocal)) < countAddresses(set)) return [];
    const ranges = set.map(({ start, end }) => `${start} to ${end}`);
    return [fail(`no free address in ${firstFew(ranges)}: the next pod cannot start`, { see })];
  });
}

function countReserved(set: readonly AddressRange[], { reservations }: HostLocal): number {
  return reservations.filter(({ address }) => set.some((range) => isInRange(range, address))).length;
}

/** A reservation whose endpoint is left over is not stale by itself: the check of leftover endpoints reports it. */
function diagnoseStale(
  { reservations, starting }: HostLocal,
  { inventory }: Facts,
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
  return [warn(seen, { see: `${gc} --ipam` })];
}

/**
 * Finds addresses of pods that host-local takes for free, in looks before and after HCN was read. Those outside of its ranges came from
 * elsewhere.
 */
function diagnoseUnreserved(
  { folder, rangeSets, reservations, reservedLater }: HostLocal,
  { configuration: { network }, inventory }: Facts,
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
