/* A blocking TCP connection to a loopback address. */
#ifndef SOCKET_H
#define SOCKET_H

#include "platform.h"

/* Connects to "127.0.0.1:PORT". Returns NO_SOCKET if the connection is refused. */
socket_handle connect_to(const char *address);
int send_all(socket_handle socket, const uint8_t *bytes, size_t size);
int receive_all(socket_handle socket, uint8_t *bytes, size_t size);
/* Returns whether an idle connection is readable, which means that its peer closed it. */
int is_stale(socket_handle socket);

#endif
