/* Connections to the service: one marks this process as present, each running call has one of its own. */
#ifndef CONNECTION_H
#define CONNECTION_H

#include "socket.h"

struct connection {
  socket_handle socket;
  uint32_t client;
  struct service *service;
};

/* Takes an idle connection or opens one; 0 when the service cannot be reached. */
int take_connection(struct connection *connection);
/* Gives a connection back for the next call. */
void return_connection(struct connection *connection);

#endif
