import { addressesIn, type ObservedEndpoint } from '../../hcn/documents.ts';
import { familyOf, formatPort } from '../../net/address.ts';
import { protocolName, protocolNumbers } from '../../net/protocols.ts';
import { type Destination, describeLocalDelivery, hasPorts } from '../traffic/destination.ts';
import type { Way } from '../traffic/path.ts';
import type { FlowEnds } from './hops.ts';

/** The predicted path of a packet from the pod. */
export type PredictedPath = Pick<Way, 'outcome' | 'because' | 'hops'>;

/** A filter of pktmon: a packet must match all conditions, in either direction. */
export interface PacketFilter {
  readonly macAddress?: string;
  /** Only ARP. */
  readonly arp?: true;
  /** IANA's number. */
  readonly protocol?: number;
  /** One address, or both ends of the traffic. */
  readonly addresses?: readonly [string] | readonly [string, string];
  readonly port?: number;
  /** Also matches inside VXLAN. */
  readonly encapsulated?: true;
}

/** The traffic to capture. */
export interface CapturedTraffic {
  readonly filters: readonly PacketFilter[];
  readonly ends: FlowEnds;
  /** The predicted paths; empty without a destination. */
  readonly paths: readonly PredictedPath[];
}

/** pktmon supports 32 filters, some builds of Windows Server 2022 only 8. */
const maximumFilters = 8;

/**
 * The filters for a pod's traffic, at most 8. With destinations: for the traffic to them, also as the predicted paths translate it, and for
 * the pod's ARP and neighbor discovery. If there are too many, the filters match all traffic of the pod. Returns a problem if no traffic
 * would leave the pod.
 */
export function captureTraffic(
  endpoints: readonly ObservedEndpoint[],
  destinations: readonly Destination[] | undefined,
  isOverlay: boolean,
  predict: (endpoint: ObservedEndpoint, destination: Destination) => readonly PredictedPath[],
): CapturedTraffic | { readonly problem: string } {
  const families = destinations?.map(({ address }) => familyOf(address));
  const isUsed = (address: string) => families?.includes(familyOf(address)) ?? true;
  const addresses = endpoints.flatMap(addressesIn).filter(isUsed);
  if (addresses.length === 0)
    return {
      problem: `the pod has no ${unique(families ?? [])
        .map((one) => `${one} `)
        .join('or ')}address`,
    };
  const local = destinations?.map(({ address }) => describeLocalDelivery(address, addresses)).find(Boolean);
  if (local !== undefined) return { problem: local.replace(/\.$/, '') };
  const inside = isOverlay ? ({ encapsulated: true } as const) : {};
  const macs = unique(endpoints.flatMap(({ MacAddress = '' }) => (MacAddress === '' ? [] : [MacAddress])));
  const ofPod = [
    ...macs.map((macAddress) => ({ macAddress, ...inside })),
    ...addresses.map((address) => ({ addresses: [address] as const, ...inside })),
  ].slice(0, maximumFilters);
  if (destinations === undefined) return { filters: ofPod, ends: { local: addresses }, paths: [] };
  const flows = endpoints.flatMap((endpoint) =>
    destinations.flatMap((destination) => {
      const isSame = (address: string) => familyOf(address) === familyOf(destination.address);
      const sources = addressesIn(endpoint).filter(isSame);
      const paths = sources.length === 0 ? [] : predict(endpoint, destination);
      return sources.map((source) => ({ source, destination, paths }));
    }),
  );
  const packets = unique(
    flows.flatMap(({ source, destination: { address, protocol, port }, paths }) => {
      const translated = paths.flatMap(({ hops }) => hops.map(({ packet }) => packet));
      return [{ source, destination: address, destinationPort: port }, ...translated].map((packet) => ({
        ...(protocol !== undefined && { protocol }),
        addresses: [packet.source, packet.destination] as const,
        ...(packet.destinationPort !== undefined && { port: packet.destinationPort }),
        ...inside,
      }));
    }),
  );
  const neighbors = macs.flatMap((macAddress): readonly PacketFilter[] => [
    ...(families?.includes('IPv4') ? [{ macAddress, arp: true, ...inside } as const] : []),
    ...(families?.includes('IPv6') ? [{ macAddress, protocol: protocolNumbers.icmpv6, ...inside }] : []),
  ]);
  const all = [...packets, ...neighbors];
  return {
    filters: all.length <= maximumFilters ? all : ofPod,
    ends: {
      local: unique([...addresses, ...packets.map(({ addresses: [source] }) => source)]),
      remote: unique(packets.map(({ addresses: [, destination] }) => destination)),
    },
    paths: flows.flatMap(({ paths }) => paths),
  };
}

/** The different values of a list. */
function unique<T>(list: readonly T[]): readonly T[] {
  return [...new Map(list.map((one) => [JSON.stringify(one), one])).values()];
}

/** pktmon's options for a filter: https://learn.microsoft.com/windows-server/administration/windows-commands/pktmon-filter-add */
export function filterOptions(filter: PacketFilter): readonly string[] {
  const { macAddress, arp, protocol, addresses, port, encapsulated } = filter;
  return [
    ...(macAddress === undefined ? [] : ['-m', macAddress]),
    ...(arp === true ? ['-d', 'ARP'] : []),
    ...(protocol === undefined ? [] : ['-t', transportName(protocol)]),
    ...(addresses === undefined ? [] : ['-i', ...addresses]),
    ...(port === undefined ? [] : ['-p', String(port)]),
    ...(encapsulated === true ? ['-e'] : []),
  ];
}

/** TCP, UDP, ICMP and ICMPv6 by name, all others by number. */
function transportName(protocol: number): string {
  if (protocol === protocolNumbers.icmpv6) return 'ICMPv6';
  const isNamed = protocol === protocolNumbers.icmp || hasPorts(protocol);
  return isNamed ? protocolName(protocol).toUpperCase() : String(protocol);
}

/** A filter in words: `tcp 10.244.1.2 <-> 10.96.0.10:80`. */
export function filterText({ macAddress, arp, protocol, addresses, port }: PacketFilter): string {
  const all: readonly string[] = addresses ?? [];
  const ends = all.map((address, index) =>
    port === undefined || index < all.length - 1 ? address : formatPort(address, port),
  );
  return [
    ...(macAddress === undefined ? [] : [`MAC ${macAddress}`]),
    ...(arp === true ? ['ARP'] : []),
    ...(protocol === undefined ? [] : [protocolName(protocol)]),
    ...(ends.length === 0 ? [] : [ends.join(' <-> ')]),
  ].join(' ');
}
