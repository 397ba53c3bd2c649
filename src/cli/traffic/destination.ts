import { addressesIn, type ObservedEndpoint } from '../../hcn/documents.ts';
import { type Family, familyOf, isDecimal, parseAddress } from '../../net/address.ts';
import { protocolNumbers } from '../../net/protocols.ts';

/** Where a packet is sent. */
export interface Destination {
  /** Canonical. */
  readonly address: string;
  /** IANA's number. */
  readonly protocol: number;
  /** Only with TCP and UDP, and always with them. */
  readonly port?: number;
}

const { tcp, udp, icmp, icmpv6 } = protocolNumbers;

/**
 * Reads `ADDRESS:PORT` or `[IPV6]:PORT`, by default of TCP, or `ADDRESS`, by default of ICMP, each with an optional `/PROTOCOL`; undefined for
 * anything else.
 */
export function parseDestination(text: string): Destination | undefined {
  const [host = '', word, ...others] = text.split('/');
  const [, inBrackets, plain, portText] = /^(?:\[([^\]:]*:[^\]]*)\]|([^[\]:]*))(?::(\d+))?$/.exec(host) ?? [];
  const address = parseAddress(inBrackets ?? plain ?? host);
  if (address === undefined || others.length > 0) return undefined;
  const protocol = protocolOf(word?.toLowerCase() ?? (portText === undefined ? 'icmp' : 'tcp'), address);
  if (protocol === undefined || hasPorts(protocol) !== (portText !== undefined)) return undefined;
  if (portText === undefined) return { address, protocol };
  return isPort(portText) ? { address, protocol, port: Number(portText) } : undefined;
}

/** The error for a text that `parseDestination` cannot read. */
export function invalidDestination(text: string): string {
  return (
    `invalid address "${text}". Use ADDRESS, ADDRESS:PORT or [IPV6]:PORT, with an optional /PROTOCOL: 10.96.0.10:53/udp. ` +
    `Protocols: ${Object.keys(protocolNumbers).join(', ')}. tcp and udp, and only they, need a port from 1 to 65535.`
  );
}

/** Whether a text is a port number, in decimal without leading zeros. */
export function isPort(text: string): boolean {
  return isDecimal(text) && Number(text) >= 1 && Number(text) <= 65535;
}

/** Whether traffic of a protocol has ports. */
export function hasPorts(protocol: number): boolean {
  return protocol === tcp || protocol === udp;
}

/** `icmp` with an IPv6 address is ICMPv6. */
function protocolOf(word: string, address: string): number | undefined {
  const number = new Map<string, number>(Object.entries(protocolNumbers)).get(word);
  return number === icmp && familyOf(address) === 'IPv6' ? icmpv6 : number;
}

/** An endpoint's addresses of a family. */
export function addressesOf(endpoint: ObservedEndpoint, family: Family): readonly string[] {
  return addressesIn(endpoint).filter((address) => familyOf(address) === family);
}
