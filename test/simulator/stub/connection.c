#include "connection.h"

#include <stdlib.h>
#include <string.h>

#define IDLE_LIMIT 16

struct service {
  char address[64];
  socket_handle presence;
  uint32_t client;
  socket_handle idle[IDLE_LIMIT];
  int idle_count;
  struct service *next;
};

static struct service *services;
static lock services_lock = LOCK_INITIALIZER;

static struct service *find_service(const char *address) {
  struct service *found = services;
  while (found != NULL && strcmp(found->address, address) != 0) found = found->next;
  if (found != NULL) return found;
  found = calloc(1, sizeof *found);
  if (found == NULL) return NULL;
  strcpy(found->address, address);
  found->presence = NO_SOCKET;
  found->next = services;
  services = found;
  return found;
}

static void forget(struct service *service) {
  if (service->presence != NO_SOCKET) close_socket(service->presence);
  service->presence = NO_SOCKET;
  while (service->idle_count > 0) close_socket(service->idle[--service->idle_count]);
}

/* The presence connection sends four zero bytes and receives the number of this process. */
static int attach(struct service *service) {
  if (service->presence != NO_SOCKET && !is_stale(service->presence)) return 1;
  forget(service);
  service->presence = connect_to(service->address);
  if (service->presence == NO_SOCKET) return 0;
  static const uint8_t hello[4];
  uint8_t client[4];
  if (!send_all(service->presence, hello, 4) || !receive_all(service->presence, client, 4)) {
    forget(service);
    return 0;
  }
  memcpy(&service->client, client, 4);
  return 1;
}

int take_connection(struct connection *connection) {
  char address[64];
  if (!read_environment("WIN_HCN_SIMULATED_HNS", address, sizeof address)) return 0;
  connection->socket = NO_SOCKET;
  acquire(&services_lock);
  struct service *service = find_service(address);
  if (service == NULL || !attach(service)) {
    release(&services_lock);
    return 0;
  }
  while (connection->socket == NO_SOCKET && service->idle_count > 0) {
    socket_handle idle = service->idle[--service->idle_count];
    if (is_stale(idle)) close_socket(idle);
    else connection->socket = idle;
  }
  connection->client = service->client;
  connection->service = service;
  release(&services_lock);
  if (connection->socket == NO_SOCKET) connection->socket = connect_to(address);
  return connection->socket != NO_SOCKET;
}

void return_connection(struct connection *connection) {
  struct service *service = connection->service;
  acquire(&services_lock);
  if (service->client == connection->client && service->idle_count < IDLE_LIMIT) {
    service->idle[service->idle_count++] = connection->socket;
    connection->socket = NO_SOCKET;
  }
  release(&services_lock);
  if (connection->socket != NO_SOCKET) close_socket(connection->socket);
}
