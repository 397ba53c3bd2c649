import type { EndpointId } from '../../hcn/guid.ts';
import { formatPort } from '../../net/address.ts';
import { protocolName } from '../../net/protocols.ts';
import type { Destination } from './destination.ts';

/** An IP packet; addresses in canonical text. */
export interface Packet {
  readonly source: string;
  readonly destination: string;
  /** IANA's number. */
  readonly protocol: number;
  readonly sourcePort?: number;
  readonly destinationPort?: number;
}

/** The outer headers of a VXLAN packet. */
export interface Tunnel {
  readonly source: string;
  readonly destination: string;
  /** The VXLAN network identifier (VSID). */
  readonly vsid: number;
  /** The UDP port. */
  readonly port: number;
  /** The destination MAC address of the inner frame, in HCN's form; absent if unknown. */
  readonly macAddress?: string;
}

/** A packet on the physical network. */
export interface Frame {
  /** The index of the interface that sends it. */
  readonly interfaceIndex: number;
  /** The address whose MAC address the frame is sent to. */
  readonly nextHop: string;
  readonly packet: Packet;
  readonly tunnel?: Tunnel;
}

/** An address translation that a node remembers, to reverse it for replies. */
export interface Translation {
  /** The port of the virtual switch that translates. */
  readonly endpoint: EndpointId;
  /** Such as `OutBoundNAT` or `load balancer`. */
  readonly by: string;
  readonly before: Packet;
  readonly after: Packet;
}

/** A packet to a destination. An empty source lets the node choose it. */
export function packetTo({ address, port, protocol }: Destination, source: string): Packet {
  const packet = { source, destination: address, protocol };
  return port === undefined ? packet : { ...packet, destinationPort: port };
}

/** The reply to a packet. */
export function replyTo({ source, destination, sourcePort, destinationPort, ...rest }: Packet): Packet {
  return {
    ...rest,
    source: destination,
    destination: source,
    ...(destinationPort !== undefined && { sourcePort: destinationPort }),
    ...(sourcePort !== undefined && { destinationPort: sourcePort }),
  };
}

/** Whether two packets have the same addresses, protocol and ports. */
export function isSamePacket(one: Packet, other: Packet): boolean {
  return packetText(one) === packetText(other);
}

/** The first wanted translation whose translated packet `reply` answers; undefined if there is none. */
export function findReversed(
  translations: readonly Translation[],
  reply: Packet,
  isWanted: (translation: Translation) => boolean,
): Translation | undefined {
  return translations.find((one) => isWanted(one) && isSamePacket(replyTo(one.after), reply));
}

/** `10.244.1.2 -> 10.96.0.10:80/tcp`; the source of a packet whose source the node has not chosen is `this node`. */
export function packetText({ source, destination, protocol, sourcePort, destinationPort }: Packet): string {
  const end = (address: string, port: number | undefined) =>
    port === undefined ? address : formatPort(address, port);
  return `${end(source || 'this node', sourcePort)} -> ${end(destination, destinationPort)}/${protocolName(protocol)}`;
}
