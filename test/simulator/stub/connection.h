/* Connections to the service: one marks this process as present; each running call has its own. */
#ifndef CONNECTION_H
#define CONNECTION_H

#include "socket.h"

struct connection {
  socket_handle socket;
  uint32_t client;
  struct service *service;
};

/* Takes an idle connection or opens one. Returns 0 if the service is unreachable. */
int take_connection(struct connection *connection);
/* Returns a connection to the pool. */
void return_connection(struct connection *connection);

#endif
