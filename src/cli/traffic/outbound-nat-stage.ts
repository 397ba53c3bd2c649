import { familyOf } from '../../net/address.ts';
import { formatPrefix, networkOf } from '../../net/prefix.ts';
import { natFlags } from '../../plan/policies.ts';
import { hasPorts } from './destination.ts';
import { prefixContains } from './match-traffic.ts';
import { findDecidingEntry, isTranslated, type NatEntry, natEntries } from './nat-entries.ts';
import { certainRule, type NatRule, numberedPolicies, outBoundNat, type Query, type Stage } from './query.ts';
import { distinctSources, nodeSource, podSource, type Source, translatedSource } from './sources.ts';

export interface NatStage extends Stage {
  /** The possible sources of the traffic outside the pod; one if it is certain. */
  readonly sources: readonly Source[];
}

/** Whether HNS translates the source address. `backends` are the addresses to which a load balancer redirects the traffic. */
export function outboundNatStage(query: Query, backends: readonly string[]): NatStage {
  const { address, protocol } = query.destination;
  const entries = natEntries(numberedPolicies(outBoundNat, query.endpoint), podSubnets(query));
  const deciding = findDecidingEntry(entries, address);
  const translated = isTranslated(deciding);
  const differs = (backend: string) =>
    !query.addresses.includes(backend) && isTranslated(findDecidingEntry(entries, backend)) !== translated;
  const differing = deciding?.kind === 'pod subnet' ? [] : backends.filter(differs);
  const source = sourceBy(deciding, query);
  const doubts = [
    ...(translated && !hasPorts(protocol) ? [doubtWithoutPorts] : []),
    ...(deciding !== undefined && lacksIPv6Flag(deciding, address) ? [doubtWithoutFlag] : []),
    ...(differing.length > 0 ? [doubtByBackends(differing, translated)] : []),
  ];
  return {
    sentences: [deciding === undefined ? withoutEntry(entries, query) : entrySentence(deciding), ...doubts],
    sources: doubts.length === 0 ? [source] : possibleSources(source, entries, query),
    uncertain: doubts.length > 0,
    rules: entries.map((entry) => entryRule(entry, address, entry === deciding)),
  };
}

/** The source of traffic for which an entry decides. */
function sourceBy(entry: NatEntry | undefined, query: Query): Source {
  if (entry === undefined) return isWindowsNat(query) ? nodeSource(query) : podSource(query);
  return isTranslated(entry) && 'policy' in entry ? translatedSource(entry.policy, query) : podSource(query);
}

/** The source that the entries lead to, and the one if HNS decides the opposite. */
function possibleSources(source: Source, entries: readonly NatEntry[], query: Query): readonly Source[] {
  const translating = entries.flatMap((entry) =>
    isTranslated(entry) && 'policy' in entry ? [translatedSource(entry.policy, query)] : [],
  );
  return distinctSources([source, ...(source.of === 'pod' ? translating : [podSource(query)])]);
}

const doubtWithoutPorts =
  'Without ports the translation is uncertain: Kubernetes documents that HNS translates only TCP and UDP, but users report working pings.';

const doubtWithoutFlag =
  'The translation of IPv6 is uncertain: this policy lacks the IPv6 flag, and HNS does not document whether it is required.';

/** The largest number of backends that a sentence names. */
const mostBackends = 10;

function doubtByBackends(backends: readonly string[], translated: boolean): string {
  const missing = translated ? 'the load balancer address' : 'the backends';
  const others = backends.length - mostBackends;
  const shown = [...backends.slice(0, mostBackends), ...(others > 0 ? [`${others} more`] : [])];
  return (
    `For the backends ${shown.join(' and ')} the policies give the opposite result, and HNS does not document which address it ` +
    `compares. Add ${missing} to the exceptions.`
  );
}

function lacksIPv6Flag(entry: NatEntry, address: string): boolean {
  if (!isTranslated(entry) || !('policy' in entry) || familyOf(address) === 'IPv4') return false;
  return (Number(entry.policy.settings['Flags']) & natFlags.ipv6) === 0;
}

function podSubnets({ endpoint }: Query): readonly string[] {
  return (endpoint.IpConfigurations ?? []).flatMap(({ IpAddress, PrefixLength }) =>
    PrefixLength === undefined ? [] : [formatPrefix(networkOf({ address: IpAddress, length: PrefixLength }))],
  );
}

function entrySentence(entry: NatEntry): string {
  switch (entry.kind) {
    case 'exception':
      return `${entry.prefix} is an OutBoundNAT exception (${entry.policy.label}).`;
    case 'pod subnet':
      return `${entry.prefix} is the pod subnet, which HNS reportedly excludes from OutBoundNAT.`;
    case 'destination':
      return `${entry.prefix} is an OutBoundNAT destination (${entry.policy.label}).`;
    case 'default':
      return `No OutBoundNAT exception matches (${entry.policy.label}).`;
  }
}

function withoutEntry(entries: readonly NatEntry[], query: Query): string {
  const reason = entries.length === 0 ? 'No OutBoundNAT policy' : 'No OutBoundNAT policy matches';
  if (!isWindowsNat(query)) return `${reason}.`;
  const { network } = query;
  return `${reason}, but network "${network?.Name}" has type ${network?.Type}: Windows translates outgoing traffic.`;
}

/** The NAT of Windows itself needs no policy. */
function isWindowsNat({ network }: Query): boolean {
  return ['nat', 'ics'].includes(network?.Type.toLowerCase() ?? '');
}

function entryRule(entry: NatEntry, address: string, decides: boolean): NatRule {
  const rule = (line: string, matches: boolean) => certainRule(outBoundNat, line, matches, decides);
  switch (entry.kind) {
    case 'pod subnet':
      return rule(`HNS default: exception ${entry.prefix}`, prefixContains(entry.prefix, address));
    case 'default':
      return rule(`${entry.policy.label}: all other destinations`, decides);
    case 'destination':
    case 'exception':
      return rule(
        `${entry.policy.label}: ${entry.kind} ${entry.prefix}`,
        prefixContains(entry.prefix, address),
      );
  }
}
