import { familyOf, parseAddress } from '../../net/address.ts';
import { protocolName, protocolNumbers } from '../../net/protocols.ts';

/** The far end of some traffic, as far as it was said. */
export interface Destination {
  /** Canonical. */
  readonly address: string;
  readonly port?: number;
  /** IANA's number; TCP where only a port was said. */
  readonly protocol?: number;
}

const { tcp, udp, icmp, icmpv6 } = protocolNumbers;

/** `ADDRESS`, `ADDRESS:PORT` or `[IPV6]:PORT`, each with or without `/PROTOCOL` behind it; undefined for anything else. */
export function parseDestination(text: string): Destination | undefined {
  const [place = '', word, ...others] = text.split('/');
  const [, inBrackets, plain, portText] = /^(?:\[([^\]]*:[^\]]*)\]|([^[\]:]*))(?::(\d+))?$/.exec(place) ?? [];
  const address = parseAddress(inBrackets ?? plain ?? place);
  if (address === undefined || others.length > 0) return undefined;
  const port = portText === undefined ? undefined : Number(portText);
  const unsaid = port === undefined ? undefined : tcp;
  const protocol = word === undefined ? unsaid : numberOf(word.toLowerCase(), address);
  if (word !== undefined && protocol === undefined) return undefined;
  if (portText !== undefined && !(hasPorts(protocol) && isPort(portText))) return undefined;
  return { address, ...(port !== undefined && { port }), ...(protocol !== undefined && { protocol }) };
}

/** What to write where `parseDestination` cannot read a text. */
export function expectedDestination(text: string): string {
  return (
    `"${text}" is not ADDRESS, ADDRESS:PORT or [IPV6]:PORT, as 10.96.0.10:53/udp: ` +
    `behind the slash can be ${Object.keys(protocolNumbers).join(', ')}, and only tcp and udp have ports, from 1 to 65535`
  );
}

/** A destination as it is written. */
export function formatDestination({ address, port, protocol }: Destination): string {
  const place = port === undefined ? address : formatPort(address, port);
  return protocol === undefined ? place : `${place}/${protocolName(protocol)}`;
}

/** An address with a port. */
export function formatPort(address: string, port: number): string {
  return familyOf(address) === 'IPv6' ? `[${address}]:${port}` : `${address}:${port}`;
}

/** Whether a text is a port, in decimal. */
export function isPort(text: string): boolean {
  return /^\d{1,5}$/.test(text) && Number(text) > 0 && Number(text) <= 65535;
}

/** Whether traffic of a protocol has ports; one that was not said may have. */
export function hasPorts(protocol: number | undefined): boolean {
  return protocol === undefined || protocol === tcp || protocol === udp;
}

/** IPv6 has an ICMP of its own. */
function numberOf(word: string, address: string): number | undefined {
  const number = Object.entries(protocolNumbers).find(([name]) => name === word)?.[1];
  return number === icmp && familyOf(address) === 'IPv6' ? icmpv6 : number;
}
