import ipaddr from 'ipaddr.js';

/** Six octets joined by dashes or colons, as `00-15-5D-0A-0B-0C`, the form HCN takes; undefined otherwise. */
export function parseMac(text: string): string | undefined {
  const isMac = /^[0-9a-f]{2}([-:][0-9a-f]{2}){5}$/i.test(text);
  return isMac ? text.replaceAll(':', '-').toUpperCase() : undefined;
}

/** Six octets in the form HCN takes; undefined for any other number of them. */
export function macFromBytes(bytes: Uint8Array): string | undefined {
  if (bytes.length !== 6) return undefined;
  return Array.from(bytes, (octet) => octet.toString(16).padStart(2, '0'))
    .join('-')
    .toUpperCase();
}

/** `00:15:5d:0a:0b:0c`, the form CNI results use. Takes any form that HCN returns. */
export function formatMac(mac: string): string {
  return mac.replaceAll('-', ':').toLowerCase();
}

/** A MAC address for an IPv4 address: two octets given (`0E-2A`), four from the address; of IPv6 the last four. */
export function macFromAddress(prefix: string, address: string): string {
  const octets = ipaddr.parse(address).toByteArray().slice(-4);
  return [prefix, ...octets.map((octet) => octet.toString(16).padStart(2, '0'))].join('-').toUpperCase();
}
