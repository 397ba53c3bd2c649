/* The functions of iphlpapi.dll for routes. iphlpapi.h describes the lines of text. */
#include "iphlpapi.h"

#include <stdlib.h>
#include <string.h>

#define LONGEST_LINE 160
#define NOT_SET 0xFFFFFFFFu

/* How many tables clients have not freed. */
static uint32_t tables;

EXPORT uint32_t SimulatedOpenTables(void);
uint32_t SimulatedOpenTables(void) { return __atomic_load_n(&tables, __ATOMIC_SEQ_CST); }

/* The caller names the route and replaces illegal values. */
EXPORT void InitializeIpForwardEntry(struct forward_row *row);
void InitializeIpForwardEntry(struct forward_row *row) {
  memset(row, 0, sizeof *row);
  row->site_prefix_length = 0xFF;
  row->valid_lifetime = row->preferred_lifetime = NOT_SET;
  row->metric = NOT_SET;
  row->protocol = -1;
  row->loopback = row->autoconfigured = row->published = row->immortal = 1;
}

static int width_of(const union socket_address *address) {
  return address->family == AF_INET_ ? 4 : address->family == AF_INET6_ ? 16 : 0;
}

static const uint8_t *octets_of(const union socket_address *address) {
  return address->family == AF_INET_ ? address->v4.address : address->v6.address;
}

static code_unit *put_number(code_unit *at, uint32_t number) {
  code_unit digits[10];
  int count = 0;
  do digits[count++] = (code_unit)('0' + number % 10);
  while ((number /= 10) > 0);
  while (count > 0) *at++ = digits[--count];
  *at++ = '\t';
  return at;
}

static code_unit *put_address(code_unit *at, const union socket_address *address) {
  static const char hexadecimal[] = "0123456789abcdef";
  const uint8_t *octets = octets_of(address);
  for (int i = 0; i < width_of(address); i++) {
    *at++ = (code_unit)hexadecimal[octets[i] >> 4];
    *at++ = (code_unit)hexadecimal[octets[i] & 15];
  }
  *at++ = '\t';
  return at;
}

/* The row's interface, prefix and next hop must be given, by the interface's index only. */
static int is_route(const struct forward_row *row) {
  if (row == NULL || row->luid != 0 || row->index == 0) return 0;
  int width = width_of(&row->destination.address);
  return width != 0 && width == width_of(&row->next_hop) && row->destination.length <= 8 * width;
}

static uint32_t send_row(const char *function, const struct forward_row *row) {
  code_unit line[LONGEST_LINE], *at = line;
  at = put_number(at, row->index);
  at = put_number(at, row->destination.length);
  at = put_address(at, &row->destination.address);
  at = put_address(at, &row->next_hop);
  at = put_number(at, row->metric);
  at = put_number(at, (uint32_t)row->protocol);
  *at = 0;
  return tell(&(struct request){function, NULL, NULL, {line}, 1});
}

FUNCTION(CreateIpForwardEntry2, const struct forward_row *row) {
  if (!is_route(row) || row->metric == NOT_SET || row->protocol < 0) return ERROR_INVALID_PARAMETER_;
  if (row->site_prefix_length > row->destination.length) return ERROR_INVALID_PARAMETER_;
  if (row->preferred_lifetime > row->valid_lifetime || row->valid_lifetime == 0) return ERROR_INVALID_PARAMETER_;
  return send_row("CreateIpForwardEntry2", row);
}

FUNCTION(DeleteIpForwardEntry2, const struct forward_row *row) {
  return is_route(row) ? send_row("DeleteIpForwardEntry2", row) : ERROR_INVALID_PARAMETER_;
}

FUNCTION(GetIpForwardTable2, uint16_t family, struct forward_table **table) {
  if (table == NULL || family != 0) return ERROR_INVALID_PARAMETER_;
  code_unit *lines;
  uint32_t error = ask(&(struct request){"GetIpForwardTable2", NULL, NULL, {0}, 0}, &lines);
  if (error != 0) return error;
  *table = lay_out_routes(lines);
  CoTaskMemFree(lines);
  __atomic_add_fetch(&tables, 1, __ATOMIC_SEQ_CST);
  return 0;
}

EXPORT void FreeMibTable(void *table);
void FreeMibTable(void *table) {
  free(table);
  __atomic_sub_fetch(&tables, 1, __ATOMIC_SEQ_CST);
}
