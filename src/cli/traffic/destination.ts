import { addressesIn, type ObservedEndpoint } from '../../hcn/documents.ts';
import { type Family, familyOf, formatPort, isDecimal, isLoopback, parseAddress } from '../../net/address.ts';
import { protocolName, protocolNumbers } from '../../net/protocols.ts';

/** Where a packet is sent. */
export interface Destination {
  /** Canonical. */
  readonly address: string;
  readonly port?: number;
  /** IANA's number. Default: TCP with a port, otherwise absent. */
  readonly protocol?: number;
}

const { tcp, udp, icmp, icmpv6 } = protocolNumbers;

/** Reads `ADDRESS`, `ADDRESS:PORT` or `[IPV6]:PORT`, each with an optional `/PROTOCOL`; undefined for anything else. */
export function parseDestination(text: string): Destination | undefined {
  const [host = '', word, ...others] = text.split('/');
  const [, inBrackets, plain, portText] = /^(?:\[([^\]:]*:[^\]]*)\]|([^[\]:]*))(?::(\d+))?$/.exec(host) ?? [];
  const address = parseAddress(inBrackets ?? plain ?? host);
  if (address === undefined || others.length > 0) return undefined;
  const port = portText === undefined ? undefined : Number(portText);
  const defaultProtocol = port === undefined ? undefined : tcp;
  const protocol = word === undefined ? defaultProtocol : parseProtocol(word.toLowerCase(), address);
  if (word !== undefined && protocol === undefined) return undefined;
  if (portText !== undefined && !(hasPorts(protocol) && isPort(portText))) return undefined;
  return { address, ...(port !== undefined && { port }), ...(protocol !== undefined && { protocol }) };
}

/** The error for a text that `parseDestination` cannot read. */
export function invalidDestination(text: string): string {
  return (
    `invalid address "${text}". Use ADDRESS, ADDRESS:PORT or [IPV6]:PORT, with an optional /PROTOCOL: 10.96.0.10:53/udp. ` +
    `Protocols: ${Object.keys(protocolNumbers).join(', ')}. Only tcp and udp have ports, from 1 to 65535.`
  );
}

/** A destination as `parseDestination` reads it. */
export function formatDestination({ address, port, protocol }: Destination): string {
  const host = port === undefined ? address : formatPort(address, port);
  return protocol === undefined ? host : `${host}/${protocolName(protocol)}`;
}

/** Whether a text is a port number, in decimal without leading zeros. */
export function isPort(text: string): boolean {
  return isDecimal(text) && Number(text) >= 1 && Number(text) <= 65535;
}

/** Whether traffic of a protocol can have ports; true if the protocol is not given. */
export function hasPorts(protocol: number | undefined): boolean {
  return protocol === undefined || protocol === tcp || protocol === udp;
}

/** A sentence if traffic to an address does not leave a pod with these addresses; otherwise undefined. */
export function describeLocalDelivery(address: string, podAddresses: readonly string[]): string | undefined {
  if (podAddresses.includes(address)) return `${address} is the pod's own address: ${staysInPod}`;
  return isLoopback(address) ? `${address} is a loopback address: ${staysInPod}` : undefined;
}

const staysInPod = 'traffic to it does not leave the pod.';

/** `icmp` with an IPv6 address is ICMPv6. */
function parseProtocol(word: string, address: string): number | undefined {
  const number = new Map<string, number>(Object.entries(protocolNumbers)).get(word);
  return number === icmp && familyOf(address) === 'IPv6' ? icmpv6 : number;
}

/** An endpoint's addresses of a family. */
export function addressesOf(endpoint: ObservedEndpoint, family: Family): readonly string[] {
  return addressesIn(endpoint).filter((address) => familyOf(address) === family);
}
