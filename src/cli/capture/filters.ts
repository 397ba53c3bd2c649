import { protocolName, protocolNumbers } from '../../net/protocols.ts';
import { type Destination, formatPort, hasPorts } from '../traffic/destination.ts';

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

/** The addresses of traffic, before or after a translation. */
export interface FilteredTraffic {
  readonly source: string;
  readonly destination: string;
  readonly port?: number;
}

export interface FilterRequest {
  readonly macAddress: string;
  /** The pod's addresses; with a destination those of its family. */
  readonly addresses: readonly string[];
  readonly destination?: Destination;
  /** The traffic to the destination after translations. */
  readonly translated: readonly FilteredTraffic[];
  /** Whether there may be other translations. */
  readonly mayTranslate: boolean;
  readonly isOverlay: boolean;
}

/** Early builds support 8 filters, others 32: https://learn.microsoft.com/windows-server/networking/technologies/pktmon/pktmon-syntax */
export const maximumFilters = 8;

const { icmp, icmpv6 } = protocolNumbers;

/**
 * The filters for a pod's traffic, at most 8. With a destination: for the traffic to it, also after translations, and for the pod's ARP
 * and neighbor discovery. If there are too many, the filters match all traffic of the pod.
 */
export function captureFilters(request: FilterRequest): readonly PacketFilter[] {
  const { macAddress, addresses, destination, translated, mayTranslate, isOverlay } = request;
  const inside = isOverlay ? ({ encapsulated: true } as const) : {};
  const ofPod = addresses.map((address) => ({ addresses: [address] as const, ...inside }));
  const ofMac = macAddress === '' ? [] : [{ macAddress, ...inside }];
  if (destination === undefined) return [...ofMac, ...ofPod].slice(0, maximumFilters);
  const { protocol } = destination;
  const port = portOf(destination);
  const direct = addresses.map((source) => ({ source, destination: destination.address, ...port }));
  const conditions = { ...(protocol !== undefined && { protocol }), ...inside };
  const pairs = [...direct, ...translated].map((one) => ({
    ...conditions,
    addresses: [one.source, one.destination] as const,
    ...(one.port !== undefined && { port: one.port }),
  }));
  const anySource = mayTranslate
    ? [{ ...conditions, addresses: [destination.address] as const, ...port }]
    : [];
  const neighbors: readonly PacketFilter[] = ofMac.map((one) =>
    destination.address.includes(':') ? { ...one, protocol: icmpv6 } : { ...one, arp: true },
  );
  const all = [...pairs, ...anySource, ...neighbors];
  return all.length <= maximumFilters ? all : [...ofMac, ...ofPod].slice(0, maximumFilters);
}

function portOf({ port, protocol }: Destination): { readonly port?: number } {
  return port !== undefined && hasPorts(protocol) ? { port } : {};
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
