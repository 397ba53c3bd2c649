import type { HostComputeNetwork, Subnet } from '../hcn/documents.ts';
import { isOverlay, settingsOf, subnetsOf } from '../model/network-document.ts';
import type { HostAdapter } from '../net/host-adapter.ts';
import { contains, overlaps, parsePrefix } from '../net/prefix.ts';
import { adapterOf } from './adapter-use.ts';
import { isExternal } from './network-adapter.ts';

/** A subnet of one network that shares addresses with a subnet of another network on the same segment. */
export interface Overlap {
  readonly network: HostComputeNetwork;
  readonly prefix: string;
  readonly other: HostComputeNetwork;
  readonly otherPrefix: string;
  readonly segment: string;
}

/**
 * The segment that the endpoints of a subnet are on, such as `adapter "Ethernet"`. L2Bridge, L2Tunnel and Transparent networks on one
 * adapter are one segment, unless VLANs separate them. Overlay networks on one adapter are one segment if they have the same VSID.
 * Undefined for other types, whose addresses are valid only on their own switch, and if the adapter or the VSID is unknown.
 */
function segmentOf(
  network: HostComputeNetwork,
  subnet: Pick<Subnet, 'Policies'>,
  adapters: readonly HostAdapter[],
): string | undefined {
  const adapter = adapterOf(network, adapters);
  if (!isExternal(network.Type ?? '') || adapter === undefined) return undefined;
  const isolation = isOverlay(network) ? 'VSID' : 'VLAN';
  const settings = settingsOf(subnet.Policies, isolation) ?? settingsOf(network.Policies, isolation);
  const id = Number(settings?.['IsolationId'] ?? 0);
  if (id === 0) return isOverlay(network) ? undefined : `adapter "${adapter}"`;
  return `adapter "${adapter}" with ${isolation} ${id}`;
}

/** The segment that an address of a network is on; undefined if unknown. */
export function segmentOfAddress(
  network: HostComputeNetwork,
  address: string,
  adapters: readonly HostAdapter[],
): string | undefined {
  const subnet = subnetsOf(network).find(({ IpAddressPrefix }) => {
    const prefix = parsePrefix(IpAddressPrefix);
    return prefix !== undefined && contains(prefix, address);
  });
  return subnet && segmentOf(network, subnet, adapters);
}

/** Finds the subnets of other networks that overlap with those of a network on the same segment. */
export function findOverlaps(
  network: HostComputeNetwork,
  others: readonly HostComputeNetwork[],
  adapters: readonly HostAdapter[],
): readonly Overlap[] {
  const own = located(network, adapters);
  return others
    .flatMap((other) => located(other, adapters))
    .flatMap((theirs) =>
      own
        .filter((ours) => isSameSegment(ours.segment, theirs.segment) && overlaps(ours.prefix, theirs.prefix))
        .map((ours) => ({
          network,
          prefix: ours.text,
          other: theirs.network,
          otherPrefix: theirs.text,
          segment: ours.segment,
        })),
    );
}

function located(network: HostComputeNetwork, adapters: readonly HostAdapter[]) {
  return subnetsOf(network).flatMap((subnet) => {
    const segment = segmentOf(network, subnet, adapters);
    const prefix = parsePrefix(subnet.IpAddressPrefix);
    if (segment === undefined || prefix === undefined) return [];
    return [{ network, text: subnet.IpAddressPrefix, prefix, segment }];
  });
}

function isSameSegment(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/** `subnet 10.244.1.0/24 of network "b" overlaps with 10.244.0.0/16 of network "a" on adapter "Ethernet": …` */
export function describeOverlap({ network, prefix, other, otherPrefix, segment }: Overlap): string {
  return (
    `subnet ${prefix} of network "${network.Name}" overlaps with ${otherPrefix} of network "${other.Name}" on ${segment}: ` +
    'pods of both networks can get the same address'
  );
}
