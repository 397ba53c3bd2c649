/**
 * Offsets in bytes of members in Windows' structures, for every 64-bit Windows. All numbers are little-endian. Headers: iptypes.h and
 * netioapi.h of the Windows SDK.
 */

/** https://learn.microsoft.com/windows/win32/api/iptypes/ns-iptypes-ip_adapter_addresses_lh */
export const adapterAddresses = {
  structure: 'IP_ADAPTER_ADDRESSES_LH',
  size: 448,
  at: {
    IfIndex: 4,
    Next: 8,
    FirstUnicastAddress: 24,
    Description: 64,
    FriendlyName: 72,
    PhysicalAddress: 80,
    PhysicalAddressLength: 88,
    Mtu: 96,
    IfType: 100,
    OperStatus: 104,
    Ipv6IfIndex: 108,
    FirstGatewayAddress: 208,
    Ipv4Metric: 216,
  },
} as const;

/** https://learn.microsoft.com/windows/win32/api/iptypes/ns-iptypes-ip_adapter_unicast_address_lh */
export const unicastAddress = {
  structure: 'IP_ADAPTER_UNICAST_ADDRESS_LH',
  size: 64,
  at: { Next: 8, Address: 16, OnLinkPrefixLength: 56 },
} as const;

/** https://learn.microsoft.com/windows/win32/api/iptypes/ns-iptypes-ip_adapter_gateway_address_lh */
export const gatewayAddress = {
  structure: 'IP_ADAPTER_GATEWAY_ADDRESS_LH',
  size: 32,
  at: { Next: 8, Address: 16 },
} as const;

/** https://learn.microsoft.com/windows/win32/api/netioapi/ns-netioapi-mib_ipinterface_row */
export const ipInterfaceRow = {
  structure: 'MIB_IPINTERFACE_ROW',
  size: 168,
  at: { Family: 0, InterfaceIndex: 16, ForwardingEnabled: 41, SitePrefixLength: 144 },
} as const;

/** https://learn.microsoft.com/windows/win32/api/netioapi/ns-netioapi-mib_ipforward_row2 */
export const ipForwardRow = {
  structure: 'MIB_IPFORWARD_ROW2',
  size: 104,
  at: {
    InterfaceIndex: 8,
    DestinationPrefix: 12,
    NextHop: 44,
    SitePrefixLength: 72,
    Metric: 84,
    Protocol: 88,
  },
} as const;

/** A prefix is an address, then its length. https://learn.microsoft.com/windows/win32/api/netioapi/ns-netioapi-ip_address_prefix */
export const addressPrefix = {
  structure: 'IP_ADDRESS_PREFIX',
  size: 32,
  at: { PrefixLength: 28 },
} as const;

/** With room for one row. https://learn.microsoft.com/windows/win32/api/netioapi/ns-netioapi-mib_ipforward_table2 */
export const ipForwardTable = {
  structure: 'MIB_IPFORWARD_TABLE2',
  size: 112,
  at: { NumEntries: 0, Table: 8 },
} as const;

/** SOCKADDR_IN and SOCKADDR_IN6, which both begin with the family. */
export const socketAddress = {
  IPv4: { family: 2, at: 4, length: 4 },
  IPv6: { family: 23, at: 8, length: 16 },
} as const;
