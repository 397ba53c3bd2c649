import { familyOf } from '../../net/address.ts';
import { isIn, mostExact } from '../traffic/prefixes.ts';
import { listIn, type PlacedPolicy } from './question.ts';

/** Something by which HNS decides whose address what is sent has as its source. */
export type NatEntry =
  | {
      readonly kind: 'destination' | 'exception';
      readonly policy: PlacedPolicy;
      readonly prefix: string;
    }
  /** In no document: HNS excepts the prefix of the gateway by itself. */
  | { readonly kind: 'own subnet'; readonly prefix: string }
  /** What a policy without destinations does with all that nothing else is for. */
  | { readonly kind: 'everything else'; readonly policy: PlacedPolicy };

/** The entries of an endpoint's OutBoundNAT policies, HNS's own among them. */
export function natEntries(
  policies: readonly PlacedPolicy[],
  ownSubnets: readonly string[],
): readonly NatEntry[] {
  const general = policies.filter((policy) => listIn(policy, 'Destinations').length === 0);
  return [
    ...policies.flatMap((policy) => [
      ...listIn(policy, 'Destinations').map((prefix) => ({ kind: 'destination' as const, policy, prefix })),
      ...listIn(policy, 'Exceptions').map((prefix) => ({ kind: 'exception' as const, policy, prefix })),
    ]),
    ...(general.length === 0 ? [] : ownSubnets.map((prefix) => ({ kind: 'own subnet' as const, prefix }))),
    ...general.map((policy) => ({ kind: 'everything else' as const, policy })),
  ];
}

/**
 * The entry that decides for an address; undefined where no policy is for it. A policy with destinations is for those alone, and counts
 * before the others, as plugins rely on that have the pod's prefix among the exceptions of another policy. Of those without, an exception
 * of any counts for all.
 * https://learn.microsoft.com/virtualization/api/hcn/hns_schema#OutboundNatPolicySetting
 */
export function decidingEntry(entries: readonly NatEntry[], address: string): NatEntry | undefined {
  const able = entries.filter((entry) => !('policy' in entry) || canTranslate(entry.policy, address));
  const ofKind = (kind: 'destination' | 'exception') =>
    able.flatMap((entry) => (entry.kind === kind && isIn(entry.prefix, address) ? [entry] : []));
  const destinations = ofKind('destination').filter(
    ({ policy }) => !ofKind('exception').some((exception) => exception.policy === policy),
  );
  const exceptions = ofKind('exception').filter(({ policy }) => listIn(policy, 'Destinations').length === 0);
  const most = (found: typeof destinations) => mostExact(found, ({ prefix }) => prefix, address);
  return (
    most(destinations) ??
    most(exceptions) ??
    able.find((entry) => entry.kind === 'own subnet' && isIn(entry.prefix, address)) ??
    able.find((entry) => entry.kind === 'everything else')
  );
}

/** Whether what the entry is for gets another source address. */
export function isTranslated(entry: NatEntry | undefined): boolean {
  return entry?.kind === 'destination' || entry?.kind === 'everything else';
}

/** The address that becomes the source, where the policy names one; otherwise it is one of the node's. */
export function virtualIp({ settings }: PlacedPolicy): string | undefined {
  const address = settings['VirtualIP'];
  return typeof address === 'string' && address !== '' ? address : undefined;
}

/** A source and a destination are of one family. */
function canTranslate(policy: PlacedPolicy, address: string): boolean {
  const source = virtualIp(policy);
  return source === undefined || familyOf(source) === familyOf(address);
}
