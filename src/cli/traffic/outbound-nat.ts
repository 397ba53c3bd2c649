import type { ObservedEndpoint, Policy } from '../../hcn/documents.ts';
import { isPolicyOf } from '../../model/network-document.ts';
import { familyOf, parseAddress } from '../../net/address.ts';
import { formatPrefix, networkOf } from '../../net/prefix.ts';
import { hasPorts } from './destination.ts';
import { certainRule, longestMatches, prefixContains, type Rule } from './match.ts';
import type { Packet } from './packet.ts';

/** What the OutBoundNAT policies of an endpoint do with a packet. */
export interface Nat {
  /** The source that the packet gets; undefined if it is an address of the node, which is not known. */
  readonly source: string | undefined;
  /** The rule that leads to it. */
  readonly rule: string;
  /** Whether its destination is one of OutBoundNAT, as for loopbackDSR. */
  readonly isDestination: boolean;
  /** A sentence if it is not certain. */
  readonly caveat?: string;
  readonly rules: readonly Rule[];
}

/** Returns the source that a packet for a destination gets: that before a load balancer changes it. */
export function outboundNat(
  endpoint: ObservedEndpoint,
  { source, destination, protocol }: Packet,
  nodeAddress: string | undefined,
): Nat {
  const entries = natEntries(endpoint);
  const deciding = decidingEntry(entries, destination);
  const isTranslated = deciding?.kind === 'destination' || deciding?.kind === 'default';
  return {
    source: isTranslated ? (deciding.virtualIp ?? nodeAddress) : source,
    rule: deciding === undefined ? 'no OutBoundNAT policy' : `OutBoundNAT ${deciding.text}`,
    isDestination: deciding?.kind === 'destination',
    ...(isTranslated && !hasPorts(protocol) && { caveat: withoutPorts }),
    rules: entries.map((entry) =>
      certainRule(
        'OutBoundNAT',
        entry.text,
        entry === deciding || isIn(entry, destination),
        entry === deciding,
      ),
    ),
  };
}

const withoutPorts =
  'Kubernetes documents that HNS translates only TCP and UDP, but users report that pings get the translated source too.';

/** A rule by which HNS decides whether to translate the source address. */
interface NatEntry {
  /** HNS excludes the pod subnet, which is in no document. A default is that of a policy without destinations. */
  readonly kind: 'destination' | 'exception' | 'pod subnet' | 'default';
  readonly text: string;
  /** Absent for a default. */
  readonly prefix?: string;
  /** Absent for the pod subnet. */
  readonly policy?: Policy;
  /** Whether the policy translates only its destinations. */
  readonly isNarrow?: boolean;
  /** The new source if the policy has one. */
  readonly virtualIp?: string;
}

function natEntries({ Policies = [], IpConfigurations = [] }: ObservedEndpoint): readonly NatEntry[] {
  const ofPolicies = Policies.flatMap((policy, index): readonly NatEntry[] => {
    if (!isPolicyOf('OutBoundNAT', policy)) return [];
    const { Destinations, Exceptions, VirtualIP } = policy.Settings ?? {};
    const virtualIp = parseAddress(String(VirtualIP));
    const isNarrow = listOf(Destinations).length > 0;
    const about = { policy, isNarrow, ...(virtualIp !== undefined && { virtualIp }) };
    const label = `policy ${index + 1}:`;
    const entry = (kind: 'destination' | 'exception') => (prefix: string) => ({
      ...about,
      kind,
      prefix,
      text: `${label} ${kind} ${prefix}`,
    });
    return [
      ...listOf(Destinations).map(entry('destination')),
      ...listOf(Exceptions).map(entry('exception')),
      ...(isNarrow ? [] : [{ ...about, kind: 'default' as const, text: `${label} all other destinations` }]),
    ];
  });
  const ofSubnets = IpConfigurations.flatMap(
    ({ IpAddress: address, PrefixLength: length }): readonly NatEntry[] => {
      if (length === undefined) return [];
      const prefix = formatPrefix(networkOf({ address, length }));
      return [{ kind: 'pod subnet', prefix, text: `HNS default: exception ${prefix}` }];
    },
  );
  return [...ofPolicies, ...(ofPolicies.some(({ kind }) => kind === 'default') ? ofSubnets : [])];
}

function listOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

/**
 * The entry that decides for an address; undefined if no policy applies. A policy with destinations applies to those only and takes
 * precedence: plugins rely on that when another policy has the pod prefix as an exception. An exception of any policy without
 * destinations counts for all of them.
 * https://learn.microsoft.com/virtualization/api/hcn/hns_schema#OutboundNatPolicySetting
 */
function decidingEntry(entries: readonly NatEntry[], address: string): NatEntry | undefined {
  const applicable = entries.filter(
    ({ virtualIp }) => virtualIp === undefined || familyOf(virtualIp) === familyOf(address),
  );
  const matching = applicable.filter((entry) => isIn(entry, address));
  const exceptions = matching.filter(({ kind }) => kind === 'exception');
  const destinations = matching.filter(
    ({ kind, policy }) => kind === 'destination' && !exceptions.some((one) => one.policy === policy),
  );
  const longest = (found: readonly NatEntry[]) =>
    longestMatches(found, ({ prefix = '' }) => prefix, address)[0];
  return (
    longest(destinations) ??
    longest(exceptions.filter(({ isNarrow }) => isNarrow === false)) ??
    matching.find(({ kind }) => kind === 'pod subnet') ??
    applicable.find(({ kind }) => kind === 'default')
  );
}

function isIn({ prefix }: NatEntry, address: string): boolean {
  return prefix !== undefined && prefixContains(prefix, address);
}
