/* Structures of iptypes.h and netioapi.h as 64-bit Windows lays them out: ULONG has 32 bits there. */
#ifndef IPHLPAPI_H
#define IPHLPAPI_H

#include "call.h"

#define AF_INET_ 2
#define AF_INET6_ 23
#define ERROR_INVALID_PARAMETER_ 87u
#define ERROR_BUFFER_OVERFLOW_ 111u

/* SOCKADDR_INET */
union socket_address {
  uint16_t family;
  struct {
    uint16_t family, port;
    uint8_t address[4];
  } v4;
  struct {
    uint16_t family, port;
    uint32_t flow;
    uint8_t address[16];
    uint32_t scope;
  } v6;
};

/* SOCKET_ADDRESS */
struct address_pointer {
  union socket_address *address;
  int32_t length;
};

/* IP_ADAPTER_UNICAST_ADDRESS_LH */
struct unicast_address {
  uint32_t length, flags;
  struct unicast_address *next;
  struct address_pointer address;
  int32_t prefix_origin, suffix_origin, dad_state;
  uint32_t valid_lifetime, preferred_lifetime, lease_lifetime;
  uint8_t on_link_prefix_length;
};

/* IP_ADAPTER_GATEWAY_ADDRESS_LH */
struct gateway_address {
  uint32_t length, reserved;
  struct gateway_address *next;
  struct address_pointer address;
};

/* IP_ADAPTER_ADDRESSES_LH */
struct adapter_addresses {
  uint32_t length, index;
  struct adapter_addresses *next;
  char *name;
  struct unicast_address *first_unicast;
  void *first_anycast, *first_multicast, *first_dns_server;
  code_unit *dns_suffix, *description, *friendly_name;
  uint8_t physical_address[8];
  uint32_t physical_address_length, flags, mtu, type;
  int32_t oper_status;
  uint32_t ipv6_index, zone_indices[16];
  void *first_prefix;
  uint64_t transmit_link_speed, receive_link_speed;
  void *first_wins_server;
  struct gateway_address *first_gateway;
  uint32_t ipv4_metric, ipv6_metric;
  uint64_t luid;
  struct address_pointer dhcpv4_server;
  uint32_t compartment;
  uint8_t network_guid[16];
  int32_t connection_type, tunnel_type;
  struct address_pointer dhcpv6_server;
  uint8_t dhcpv6_client_duid[130];
  uint32_t dhcpv6_client_duid_length, dhcpv6_iaid;
  void *first_dns_suffix;
};

/* MIB_IPINTERFACE_ROW */
struct interface_row {
  uint16_t family;
  uint64_t luid;
  uint32_t index, max_reassembly_size;
  uint64_t identifier;
  uint32_t min_router_advertisement_interval, max_router_advertisement_interval;
  uint8_t advertising, forwarding, weak_host_send, weak_host_receive, automatic_metric, neighbor_unreachability;
  uint8_t managed_address, other_stateful, advertise_default_route;
  int32_t router_discovery;
  uint32_t dad_transmits, base_reachable_time, retransmit_time, path_mtu_discovery_timeout;
  int32_t link_local_behavior;
  uint32_t link_local_timeout, zone_indices[16], site_prefix_length, metric, mtu;
  uint8_t connected, wake_up_patterns, neighbor_discovery, supports_router_discovery;
  uint32_t reachable_time;
  uint8_t transmit_offload, receive_offload, disable_default_routes;
};

/* MIB_IPFORWARD_ROW2 */
struct forward_row {
  uint64_t luid;
  uint32_t index;
  struct {
    union socket_address address;
    uint8_t length;
  } destination;
  union socket_address next_hop;
  uint8_t site_prefix_length;
  uint32_t valid_lifetime, preferred_lifetime, metric;
  int32_t protocol;
  uint8_t loopback, autoconfigured, published, immortal;
  uint32_t age;
  int32_t origin;
};

/* MIB_IPFORWARD_TABLE2 */
struct forward_table {
  uint32_t count;
  struct forward_row rows[];
};

_Static_assert(sizeof(struct adapter_addresses) == 448, "IP_ADAPTER_ADDRESSES_LH");
_Static_assert(sizeof(struct unicast_address) == 64, "IP_ADAPTER_UNICAST_ADDRESS_LH");
_Static_assert(sizeof(struct gateway_address) == 32, "IP_ADAPTER_GATEWAY_ADDRESS_LH");
_Static_assert(sizeof(struct interface_row) == 168, "MIB_IPINTERFACE_ROW");
_Static_assert(sizeof(struct forward_row) == 104, "MIB_IPFORWARD_ROW2");

/*
 * Turns the service's text about the adapters into structures. Each field ends with a tab, the last of a line with a newline:
 *   A, index, MTU, IfType, OperStatus, IPv4 metric, MAC, alias, description
 *   U, prefix length, address      (of the adapter above)
 *   G, address of a gateway
 * Addresses are hexadecimal. Returns the needed size, and writes nothing if the buffer is smaller.
 */
uint32_t lay_out_adapters(const code_unit *lines, void *buffer, uint32_t size);

/*
 * Turns the service's text about routes into a table that the caller frees. A line is a route: interface index, prefix length, address,
 * next hop, metric, protocol. A client's route is one such line.
 */
struct forward_table *lay_out_routes(const code_unit *lines);

/* Calls the service, and returns the Win32 error. The caller frees the value with CoTaskMemFree. */
uint32_t ask(const struct request *request, code_unit **value);
uint32_t tell(const struct request *request);

#endif
