#include "iphlpapi.h"

#include <stdlib.h>
#include <string.h>

/* The upper limit of a line without its texts. */
#define ROOM_OF_LINE 512

struct layout {
  const code_unit *line;
  uint8_t *free;
};

static uint32_t size_of(const code_unit *lines) {
  uint32_t size = 0;
  for (; *lines != 0; lines++) size += *lines == '\n' ? ROOM_OF_LINE : 2;
  return size;
}

static void *take_room(struct layout *layout, size_t size) {
  void *room = layout->free;
  memset(room, 0, size);
  layout->free += (size + 7) & ~(size_t)7;
  return room;
}

static int is_end(code_unit unit) { return unit == '\t' || unit == '\n'; }

static uint32_t take_number(struct layout *layout) {
  uint32_t number = 0;
  while (!is_end(*layout->line)) number = number * 10 + (uint32_t)(*layout->line++ - '0');
  layout->line++;
  return number;
}

static uint8_t digit(code_unit unit) { return (uint8_t)(unit <= '9' ? unit - '0' : unit - 'a' + 10); }

static uint32_t take_octets(struct layout *layout, uint8_t *octets) {
  uint32_t count = 0;
  for (; !is_end(*layout->line); layout->line += 2)
    octets[count++] = (uint8_t)(digit(layout->line[0]) << 4 | digit(layout->line[1]));
  layout->line++;
  return count;
}

static code_unit *take_text(struct layout *layout) {
  size_t length = 0;
  while (!is_end(layout->line[length])) length++;
  code_unit *text = take_room(layout, (length + 1) * 2);
  memcpy(text, layout->line, length * 2);
  layout->line += length + 1;
  return text;
}

static int32_t take_into(struct layout *layout, union socket_address *address) {
  uint8_t octets[16];
  if (take_octets(layout, octets) == 4) {
    address->family = AF_INET_;
    memcpy(address->v4.address, octets, 4);
    return 16;
  }
  address->family = AF_INET6_;
  memcpy(address->v6.address, octets, 16);
  return 28;
}

static struct address_pointer take_address(struct layout *layout) {
  union socket_address *address = take_room(layout, sizeof *address);
  int32_t length = take_into(layout, address);
  return (struct address_pointer){address, length};
}

static struct adapter_addresses *take_adapter(struct layout *layout) {
  struct adapter_addresses *adapter = take_room(layout, sizeof *adapter);
  adapter->length = sizeof *adapter;
  adapter->index = adapter->ipv6_index = take_number(layout);
  adapter->mtu = take_number(layout);
  adapter->type = take_number(layout);
  adapter->oper_status = (int32_t)take_number(layout);
  adapter->ipv4_metric = adapter->ipv6_metric = take_number(layout);
  adapter->physical_address_length = take_octets(layout, adapter->physical_address);
  adapter->friendly_name = take_text(layout);
  adapter->description = take_text(layout);
  return adapter;
}

static struct unicast_address *take_unicast(struct layout *layout) {
  struct unicast_address *unicast = take_room(layout, sizeof *unicast);
  unicast->length = sizeof *unicast;
  unicast->on_link_prefix_length = (uint8_t)take_number(layout);
  unicast->address = take_address(layout);
  return unicast;
}

static struct gateway_address *take_gateway(struct layout *layout) {
  struct gateway_address *gateway = take_room(layout, sizeof *gateway);
  gateway->length = sizeof *gateway;
  gateway->address = take_address(layout);
  return gateway;
}

uint32_t lay_out_adapters(const code_unit *lines, void *buffer, uint32_t size) {
  uint32_t needed = size_of(lines);
  if (size < needed) return needed;
  struct layout layout = {lines, buffer};
  struct adapter_addresses *first, **adapter = &first;
  struct unicast_address **unicast = NULL;
  struct gateway_address **gateway = NULL;
  while (*layout.line != 0) {
    code_unit kind = *layout.line;
    layout.line += 2;
    if (kind == 'A') {
      *adapter = take_adapter(&layout);
      unicast = &(*adapter)->first_unicast;
      gateway = &(*adapter)->first_gateway;
      adapter = &(*adapter)->next;
    } else if (kind == 'U') {
      *unicast = take_unicast(&layout);
      unicast = &(*unicast)->next;
    } else {
      *gateway = take_gateway(&layout);
      gateway = &(*gateway)->next;
    }
  }
  return needed;
}

struct forward_table *lay_out_routes(const code_unit *lines) {
  uint32_t count = 0;
  for (const code_unit *at = lines; *at != 0; at++) count += *at == '\n';
  struct forward_table *table = calloc(1, sizeof *table + count * sizeof(struct forward_row));
  if (table == NULL) abort();
  struct layout layout = {lines, NULL};
  for (; table->count < count; table->count++) {
    struct forward_row *row = &table->rows[table->count];
    row->index = take_number(&layout);
    row->luid = (uint64_t)row->index << 24 | 6ull << 48;
    row->destination.length = (uint8_t)take_number(&layout);
    take_into(&layout, &row->destination.address);
    take_into(&layout, &row->next_hop);
    row->metric = take_number(&layout);
    row->protocol = (int32_t)take_number(&layout);
  }
  return table;
}
