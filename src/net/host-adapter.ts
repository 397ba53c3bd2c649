import type { Prefix } from './prefix.ts';

/**
 * A network adapter of the host, as GetAdaptersAddresses describes it.
 * https://learn.microsoft.com/windows/win32/api/iptypes/ns-iptypes-ip_adapter_addresses_lh
 */
export interface HostAdapter {
  /** 0 if Windows assigns no index, because no IP is bound to the adapter. */
  readonly index: number;
  /** The name in Get-NetAdapter, such as `Ethernet` or `vEthernet (Ethernet)`. */
  readonly alias: string;
  readonly description: string;
  /** Such as `00-15-5D-0A-0B-0C`; undefined if absent, as for a loopback. */
  readonly mac: string | undefined;
  readonly mtu: number;
  readonly isUp: boolean;
  /** One of `mediaType`, or another IfType. */
  readonly mediaType: number;
  /** In canonical text. */
  readonly addresses: readonly Prefix[];
  /** The next hops of its default routes, in canonical text. */
  readonly gateways: readonly string[];
  /** IPv4's interface metric. */
  readonly metric: number;
}

/** IANA's numbers of interface types (IfType). */
export const mediaType = { ethernet: 6, ppp: 23, loopback: 24, wifi: 71, tunnel: 131 } as const;

/** The X of `vEthernet (X)`, a virtual switch's adapter on the host, with a number if that name is taken; undefined for another alias. */
export function switchInAlias(alias: string): string | undefined {
  return /^vEthernet \((.*)\)(?: \d+)?$/i.exec(alias)?.[1];
}
