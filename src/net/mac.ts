import { addressBytes } from './address.ts';

/** A MAC address with dashes or colons in HCN's form, `00-15-5D-0A-0B-0C`; undefined for any other text. */
export function parseMac(text: string): string | undefined {
  const isMac = /^[0-9a-f]{2}([-:][0-9a-f]{2}){5}$/i.test(text);
  return isMac ? text.replaceAll(':', '-').toUpperCase() : undefined;
}

/** Like `parseMac`, for the address of one interface: not all zeros, multicast or broadcast. */
export function parseUnicastMac(text: string): string | undefined {
  const mac = parseMac(text);
  return mac !== undefined && /^.[02468ACE]/.test(mac) && /[1-9A-F]/.test(mac) ? mac : undefined;
}

/** Six octets in HCN's form; undefined for any other number of octets. */
export function macFromBytes(bytes: Uint8Array): string | undefined {
  if (bytes.length !== 6) return undefined;
  return Array.from(bytes, (octet) => octet.toString(16).padStart(2, '0'))
    .join('-')
    .toUpperCase();
}

/** `00:15:5d:0a:0b:0c`, the form in CNI results, from any form that HCN returns. */
export function formatMac(mac: string): string {
  return mac.replaceAll('-', ':').toLowerCase();
}

/** A MAC address of two given octets (`0E-2A`) and the last four octets of an IP address. */
export function macFromAddress(prefix: string, address: string): string {
  const octets = addressBytes(address).slice(-4);
  return [prefix, ...octets.map((octet) => octet.toString(16).padStart(2, '0'))].join('-').toUpperCase();
}
