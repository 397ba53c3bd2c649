import { familyOf, formatPort } from '../../net/address.ts';
import { protocolName, protocolNumbers } from '../../net/protocols.ts';
import { type Destination, hasPorts } from '../traffic/destination.ts';

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

/** Packets between two addresses, as they are or after a translation. */
export interface FilteredTraffic {
  readonly source: string;
  readonly destination: string;
  /** IANA's number. */
  readonly protocol?: number;
  readonly port?: number;
}

export interface FilterRequest {
  /** The pod's; empty if unknown. */
  readonly macAddress: string;
  /** The pod's. */
  readonly addresses: readonly string[];
  /** Absent for all traffic of the pod. */
  readonly traffic?: readonly FilteredTraffic[];
  /** Destinations for which the source may be translated to an unknown address. */
  readonly anySource: readonly Destination[];
  readonly isOverlay: boolean;
}

/** Early builds support 8 filters, others 32: https://learn.microsoft.com/windows-server/networking/technologies/pktmon/pktmon-syntax */
export const maximumFilters = 8;

const { icmp, icmpv6 } = protocolNumbers;

/**
 * The filters for a pod's traffic, at most 8. With destinations: for the traffic to them, and for the pod's ARP and neighbor discovery. If
 * there are too many, the filters match all traffic of the pod.
 */
export function captureFilters(request: FilterRequest): readonly PacketFilter[] {
  const { macAddress, addresses, traffic, anySource, isOverlay } = request;
  const inside = isOverlay ? ({ encapsulated: true } as const) : {};
  const ofMac = macAddress === '' ? [] : [{ macAddress, ...inside }];
  const ofPod = [...ofMac, ...addresses.map((address) => ({ addresses: [address] as const, ...inside }))];
  if (traffic === undefined) return ofPod.slice(0, maximumFilters);
  const between = traffic.map(({ source, destination, protocol, port }) => ({
    ...(protocol !== undefined && { protocol }),
    addresses: [source, destination] as const,
    ...(port !== undefined && { port }),
    ...inside,
  }));
  const toDestination = anySource.map(({ address, protocol, port }) => ({
    ...(protocol !== undefined && { protocol }),
    addresses: [address] as const,
    ...(port !== undefined && { port }),
    ...inside,
  }));
  const used = new Set(traffic.map(({ destination }) => familyOf(destination)));
  const neighbors = ofMac.flatMap((one): readonly PacketFilter[] => [
    ...(used.has('IPv4') ? [{ ...one, arp: true } as const] : []),
    ...(used.has('IPv6') ? [{ ...one, protocol: icmpv6 }] : []),
  ]);
  const all = [...between, ...toDestination, ...neighbors];
  return (all.length <= maximumFilters ? all : ofPod).slice(0, maximumFilters);
}

/** pktmon's options for a filter: https://learn.microsoft.com/windows-server/administration/windows-commands/pktmon-filter-add */
export function filterOptions({
  macAddress,
  arp,
  protocol,
  addresses,
  port,
  encapsulated,
}: PacketFilter): readonly string[] {
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
  if (protocol === icmpv6) return 'ICMPv6';
  const isNamed = protocol === icmp || hasPorts(protocol);
  return isNamed ? protocolName(protocol).toUpperCase() : String(protocol);
}

/** A filter in words: `tcp 10.244.1.2 <-> 10.96.0.10:80`. */
export function filterText({ macAddress, arp, protocol, addresses, port }: PacketFilter): string {
  const [first, second] = addresses ?? [];
  const last = second ?? first;
  const ends = [
    ...(second === undefined ? [] : [first]),
    ...(last === undefined ? [] : [port === undefined ? last : formatPort(last, port)]),
  ];
  return [
    ...(macAddress === undefined ? [] : [`MAC ${macAddress}`]),
    ...(arp === true ? ['ARP'] : []),
    ...(protocol === undefined ? [] : [protocolName(protocol)]),
    ...(ends.length === 0 ? [] : [ends.join(' <-> ')]),
  ].join(' ');
}
