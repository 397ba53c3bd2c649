import type { HostComputeNetwork, Subnet } from '../hcn/documents.ts';
import { isOverlay, settingsOf, subnetsOf } from '../model/network-document.ts';
import type { HostAdapter } from '../net/host-adapter.ts';
import { contains, overlaps, type Prefix, parsePrefix } from '../net/prefix.ts';
import { adapterOf } from './adapter-use.ts';
import { isExternal, isSameName } from './network-adapter.ts';

/** A subnet of one network that shares addresses with a subnet of another network. */
export interface Overlap {
  readonly network: HostComputeNetwork;
  readonly subnet: LocatedSubnet;
  readonly other: HostComputeNetwork;
  readonly otherSubnet: LocatedSubnet;
}

/** A subnet, and the segment that it is on. */
interface LocatedSubnet {
  readonly text: string;
  readonly prefix: Prefix;
  readonly segment: Segment;
}

interface Segment {
  /** Such as `adapter "Ethernet" with VLAN 7`. */
  readonly text: string;
  /** Whether a VLAN or VSID separates it from the rest of the adapter. */
  readonly isIsolated: boolean;
}

/**
 * The segment that the endpoints of a subnet are on. L2Bridge, L2Tunnel and Transparent networks on one
 * adapter are one segment, unless VLANs separate them. Overlay networks on one adapter are one segment if they have the same VSID.
 * Undefined for other types, whose addresses are valid only on their own switch, and if the adapter or the VSID is unknown.
 */
function segmentOf(
  network: HostComputeNetwork,
  subnet: Pick<Subnet, 'Policies'>,
  adapters: readonly HostAdapter[],
): Segment | undefined {
  const adapter = adapterOf(network, adapters);
  if (!isExternal(network.Type ?? '') || adapter === undefined) return undefined;
  const isolation = isOverlay(network) ? 'VSID' : 'VLAN';
  const settings = settingsOf(subnet.Policies, isolation) ?? settingsOf(network.Policies, isolation);
  const id = Number(settings?.['IsolationId'] ?? 0);
  if (id === 0) return isOverlay(network) ? undefined : { text: `adapter "${adapter}"`, isIsolated: false };
  return { text: `adapter "${adapter}" with ${isolation} ${id}`, isIsolated: true };
}

/** The segment that an address of a network is on, such as `adapter "Ethernet" with VLAN 7`; undefined if unknown. */
export function segmentOfAddress(
  network: HostComputeNetwork,
  address: string,
  adapters: readonly HostAdapter[],
): string | undefined {
  const subnet = subnetsOf(network).find(({ IpAddressPrefix }) => {
    const prefix = parsePrefix(IpAddressPrefix);
    return prefix !== undefined && contains(prefix, address);
  });
  return subnet && segmentOf(network, subnet, adapters)?.text;
}

/**
 * Finds the subnets of other networks that overlap with those of a network: on the same segment, or on another adapter without a VLAN,
 * because the node's routes have only one of the two for an address.
 */
export function findOverlaps(
  network: HostComputeNetwork,
  others: readonly HostComputeNetwork[],
  adapters: readonly HostAdapter[],
): readonly Overlap[] {
  const own = locatedSubnets(network, adapters);
  return others.flatMap((other) =>
    locatedSubnets(other, adapters).flatMap((otherSubnet) =>
      own
        .filter(({ segment }) => isReachedTogether(segment, otherSubnet.segment))
        .filter((subnet) => overlaps(subnet.prefix, otherSubnet.prefix))
        .map((subnet) => ({ network, subnet, other, otherSubnet })),
    ),
  );
}

/** A network's subnets with a known segment, without placeholders such as 0.0.0.0/0. */
function locatedSubnets(
  network: HostComputeNetwork,
  adapters: readonly HostAdapter[],
): readonly LocatedSubnet[] {
  return subnetsOf(network).flatMap((subnet) => {
    const segment = segmentOf(network, subnet, adapters);
    const prefix = parsePrefix(subnet.IpAddressPrefix);
    return segment === undefined || prefix === undefined || prefix.length === 0
      ? []
      : [{ text: subnet.IpAddressPrefix, prefix, segment }];
  });
}

function isReachedTogether(one: Segment, other: Segment): boolean {
  return isSameName(one.text, other.text) || (!one.isIsolated && !other.isIsolated);
}

/** Whether the endpoints of both networks reach each other. */
export function isOnOneSegment({ subnet, otherSubnet }: Overlap): boolean {
  return isSameName(subnet.segment.text, otherSubnet.segment.text);
}

/** `subnet 10.244.1.0/24 of network "b" overlaps with 10.244.0.0/16 of network "a" on adapter "Ethernet": …` */
export function describeOverlap(overlap: Overlap): string {
  const { network, subnet, other, otherSubnet } = overlap;
  const isSame = isOnOneSegment(overlap);
  return (
    `subnet ${subnet.text} of network "${network.Name}"${isSame ? '' : ` on ${subnet.segment.text}`} overlaps with ${otherSubnet.text} ` +
    `of network "${other.Name}" on ${otherSubnet.segment.text}: ` +
    (isSame
      ? 'pods of both networks can get the same address'
      : 'the node sends traffic to an address in both through one of the adapters only')
  );
}

/** What HNS may do when pods of several NAT networks publish ports. */
const natNetworksFault =
  'HNS may hang when a third port is published, on Windows Server 2025 until the node restarts (microsoft/Windows-Containers#486)';

/** Warns about several NAT networks on a node; undefined if it has at most one. Windows Server 2019 refuses a second one. */
export function describeNatNetworks(networks: readonly HostComputeNetwork[]): string | undefined {
  const names = networks
    .filter(({ Type }) => Type?.toLowerCase() === 'nat')
    .map(({ Name }) => JSON.stringify(Name));
  if (names.length < 2) return undefined;
  return `${names.join(' and ')} are NAT networks: with more than one, ${natNetworksFault}; use one NAT network for all pods with host ports`;
}
