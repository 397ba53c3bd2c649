import ipaddr from 'ipaddr.js';

/** `00:15:5d:0a:0b:0c`, the form CNI results use. Takes any form that HCN returns. */
export function macWithColons(mac: string): string {
  return mac.replaceAll('-', ':').toLowerCase();
}

/** A MAC address for an IPv4 address: two octets given (`0E-2A`), four from the address. */
export function macFromIPv4(prefix: string, address: string): string {
  const octets = ipaddr.IPv4.parse(address).toByteArray();
  return [prefix, ...octets.map((octet) => octet.toString(16).padStart(2, '0'))].join('-').toUpperCase();
}
