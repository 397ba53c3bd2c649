import { familyOf } from '../../net/address.ts';
import { longestMatch, prefixContains } from './match-traffic.ts';
import { listSetting, type NumberedPolicy } from './query.ts';

/** A rule by which HNS decides whether to translate the source address. */
export type NatEntry =
  | {
      readonly kind: 'destination' | 'exception';
      readonly policy: NumberedPolicy;
      readonly prefix: string;
    }
  /** Not in any document: HNS excludes the pod subnet. */
  | { readonly kind: 'pod subnet'; readonly prefix: string }
  /** The default of a policy without destinations. */
  | { readonly kind: 'default'; readonly policy: NumberedPolicy };

/** The entries of an endpoint's OutBoundNAT policies, with those HNS adds. */
export function natEntries(
  policies: readonly NumberedPolicy[],
  podSubnets: readonly string[],
): readonly NatEntry[] {
  const general = policies.filter((policy) => listSetting(policy, 'Destinations').length === 0);
  const entriesOf = (kind: 'destination' | 'exception', policy: NumberedPolicy, key: string) =>
    listSetting(policy, key).map((prefix) => ({ kind, policy, prefix }));
  return [
    ...policies.flatMap((policy) => [
      ...entriesOf('destination', policy, 'Destinations'),
      ...entriesOf('exception', policy, 'Exceptions'),
    ]),
    ...(general.length === 0 ? [] : podSubnets.map((prefix) => ({ kind: 'pod subnet' as const, prefix }))),
    ...general.map((policy) => ({ kind: 'default' as const, policy })),
  ];
}

/**
 * The entry that decides for an address; undefined if no policy applies. A policy with destinations applies to those only and takes
 * precedence: plugins rely on that when another policy has the pod prefix as an exception. An exception of any policy without
 * destinations counts for all of them.
 * https://learn.microsoft.com/virtualization/api/hcn/hns_schema#OutboundNatPolicySetting
 */
export function findDecidingEntry(entries: readonly NatEntry[], address: string): NatEntry | undefined {
  const applicable = entries.filter((entry) => !('policy' in entry) || canTranslate(entry.policy, address));
  const matchingOf = (kind: 'destination' | 'exception') =>
    applicable.flatMap((entry) =>
      entry.kind === kind && prefixContains(entry.prefix, address) ? [entry] : [],
    );
  const allExceptions = matchingOf('exception');
  const destinations = matchingOf('destination').filter(
    ({ policy }) => !allExceptions.some((exception) => exception.policy === policy),
  );
  const exceptions = allExceptions.filter(({ policy }) => listSetting(policy, 'Destinations').length === 0);
  const longest = (found: typeof destinations) => longestMatch(found, ({ prefix }) => prefix, address);
  return (
    longest(destinations) ??
    longest(exceptions) ??
    applicable.find((entry) => entry.kind === 'pod subnet' && prefixContains(entry.prefix, address)) ??
    applicable.find((entry) => entry.kind === 'default')
  );
}

/** Whether HNS translates the source address of traffic for which this entry decides. */
export function isTranslated(entry: NatEntry | undefined): boolean {
  return entry?.kind === 'destination' || entry?.kind === 'default';
}

/** The new source address if the policy names one; otherwise HNS uses a node address. */
export function virtualIp({ settings }: NumberedPolicy): string | undefined {
  const address = settings['VirtualIP'];
  return typeof address === 'string' && address !== '' ? address : undefined;
}

/** Source and destination need the same family. */
function canTranslate(policy: NumberedPolicy, address: string): boolean {
  const source = virtualIp(policy);
  return source === undefined || familyOf(source) === familyOf(address);
}
