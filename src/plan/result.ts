import { readDnsSettings } from '../cni/dns.ts';
import type { Attachment } from '../cni/request.ts';
import type { Dns, Result } from '../cni/result.ts';
import type { Dns as HcnDns, HostComputeEndpoint } from '../hcn/documents.ts';
import { defaultGateways } from '../model/network-document.ts';
import { familyOf, isUnspecified } from '../net/address.ts';
import { formatMac } from '../net/mac.ts';
import { bitsOf, contains, formatPrefix } from '../net/prefix.ts';

/**
 * Returns the CNI result for an endpoint that HNS created: one interface with CNI_IFNAME and all addresses. `netns` is CNI_NETNS unchanged;
 * `mtu` is the configured one, because HNS does not report the effective MTU.
 */
export function resultOf(
  endpoint: HostComputeEndpoint,
  attachment: Attachment,
  netns: string,
  mtu?: number,
): Result {
  const routes = endpoint.Routes ?? [];
  return {
    interfaces: [
      {
        name: attachment.ifname,
        ...(endpoint.MacAddress && { mac: formatMac(endpoint.MacAddress) }),
        ...(mtu !== undefined && { mtu }),
        sandbox: netns,
      },
    ],
    ips: (endpoint.IpConfigurations ?? []).map(({ IpAddress, PrefixLength }) => {
      const family = familyOf(IpAddress);
      const length = PrefixLength ?? bitsOf(family);
      const gateway = defaultGateways(routes).find((nextHop) =>
        contains({ address: IpAddress, length }, nextHop),
      );
      return {
        address: formatPrefix({ address: IpAddress, length }),
        ...(gateway !== undefined && { gateway }),
        interface: 0,
      };
    }),
    routes: routes.map(({ DestinationPrefix: dst, NextHop: gw }) =>
      isUnspecified(gw) ? { dst } : { dst, gw },
    ),
    dns: cniDns(endpoint.Dns),
  };
}

/** Converts HCN's DNS settings to CNI's, without invalid entries. */
export function cniDns({ ServerList = [], Domain = '', Search = [], Options = [] }: HcnDns = {}): Dns {
  const given = { nameservers: ServerList, domain: Domain, search: Search, options: Options };
  return readDnsSettings(given, () => undefined);
}
