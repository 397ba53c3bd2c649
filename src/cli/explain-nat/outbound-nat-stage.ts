import { familyOf } from '../../net/address.ts';
import { formatPrefix, networkOf } from '../../net/prefix.ts';
import { natFlags } from '../../plan/policies.ts';
import { hasPorts } from '../traffic/destination.ts';
import { isIn } from '../traffic/prefixes.ts';
import { decidingEntry, isTranslated, type NatEntry, natEntries, virtualIp } from './nat-entries.ts';
import { type NatLine, policiesOf, type Question, type Stage } from './question.ts';

const stage = 'OutBoundNAT';

/** Whose address what is sent has as its source. `backends` are where a load balancer sends it. */
export function outboundNatStage(question: Question, backends: readonly string[]): Stage {
  const { address, protocol } = question.destination;
  const entries = natEntries(policiesOf(stage, question.endpoint), ownSubnets(question));
  const deciding = decidingEntry(entries, address);
  const translated = isTranslated(deciding);
  const isOtherwise = (backend: string) =>
    !question.addresses.includes(backend) && isTranslated(decidingEntry(entries, backend)) !== translated;
  const others = deciding?.kind === 'own subnet' ? [] : backends.filter(isOtherwise);
  const doubts = [
    ...(translated && !hasPorts(protocol) ? [onlyPorts] : []),
    ...(deciding !== undefined && isDoubtfulIPv6(deciding, address) ? [withoutFlag] : []),
    ...(others.length > 0 ? [disagreement(others, translated)] : []),
  ];
  return {
    says: [
      deciding === undefined ? withoutPolicy(entries, question) : sentence(deciding, address),
      ...doubts,
    ],
    open: doubts.length > 0,
    lines: entries.map((entry) => natLine(entry, address, entry === deciding)),
  };
}

const onlyPorts =
  'Without ports that is uncertain: Kubernetes documents that HNS translates TCP and UDP only, and there are reports of pings that work.';

const withoutFlag =
  'Whether HNS translates IPv6 by a policy without the flag IPv6 is not documented: this one has none.';

function isDoubtfulIPv6(entry: NatEntry, address: string): boolean {
  if (!isTranslated(entry) || !('policy' in entry) || familyOf(address) === 'IPv4') return false;
  return (Number(entry.policy.settings['Flags'] ?? 0) & natFlags.ipv6) === 0;
}

function ownSubnets({ endpoint }: Question): readonly string[] {
  return (endpoint.IpConfigurations ?? []).flatMap(({ IpAddress, PrefixLength }) =>
    PrefixLength === undefined ? [] : [formatPrefix(networkOf({ address: IpAddress, length: PrefixLength }))],
  );
}

function sentence(entry: NatEntry, address: string): string {
  switch (entry.kind) {
    case 'exception':
      return `${entry.prefix} is an exception of OutBoundNAT (${entry.policy.place}): ${keeps(address)}.`;
    case 'own subnet':
      return `${entry.prefix} is the pod's own subnet, which HNS is reported to except from OutBoundNAT by itself: ${keeps(address)}.`;
    case 'destination':
      return `${entry.prefix} is a destination of OutBoundNAT (${entry.policy.place}): ${gets(address, entry.policy)}.`;
    case 'everything else':
      return `No exception of OutBoundNAT (${entry.policy.place}) matches: ${gets(address, entry.policy)}.`;
  }
}

function withoutPolicy(entries: readonly NatEntry[], { destination, network }: Question): string {
  const why = entries.length === 0 ? 'There is no OutBoundNAT policy' : 'No OutBoundNAT policy is for it';
  // Windows' own NAT needs no policy.
  if (['nat', 'ics'].includes(network?.Type.toLowerCase() ?? ''))
    return `${why}, but network "${network?.Name}" is of type ${network?.Type}: Windows gives what leaves it an address of the node's.`;
  return `${why}: ${keeps(destination.address)}.`;
}

function keeps(address: string): string {
  return `traffic to ${address} keeps the pod's address`;
}

function gets(address: string, policy: Parameters<typeof virtualIp>[0]): string {
  const source = virtualIp(policy);
  return `traffic to ${address} gets ${source === undefined ? "an address of the node's" : `the policy's VirtualIP ${source}`}`;
}

function disagreement(backends: readonly string[], translated: boolean): string {
  const remedy = translated
    ? "make the load balancer's address an exception as well"
    : 'make the backends exceptions as well';
  return (
    `For the backends, ${backends.join(' and ')}, the policies say the opposite, and which of the two addresses HNS compares is not ` +
    `documented: ${remedy}.`
  );
}

function natLine(entry: NatEntry, address: string, decides: boolean): NatLine {
  switch (entry.kind) {
    case 'own subnet':
      return line(`HNS's own: exception ${entry.prefix}`, isIn(entry.prefix, address), decides);
    case 'everything else':
      return line(`${entry.policy.place}: everything else`, decides, decides);
    default:
      return line(
        `${entry.policy.place}: ${entry.kind} ${entry.prefix}`,
        isIn(entry.prefix, address),
        decides,
      );
  }
}

function line(text: string, isFor: boolean, decides: boolean): NatLine {
  return { stage, line: text, matches: isFor ? 'yes' : 'no', decides: decides ? 'yes' : 'no' };
}
