#include "socket.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef _WIN32
static lock winsock_lock = LOCK_INITIALIZER;

int read_environment(const char *name, char *value, size_t size) {
  DWORD length = GetEnvironmentVariableA(name, value, (DWORD)size);
  return length > 0 && length < size;
}

/* Sockets must not be inherited: a child would keep this process present for the service. */
static socket_handle open_socket(void) {
  static int started;
  acquire(&winsock_lock);
  if (!started) {
    WSADATA data;
    started = WSAStartup(MAKEWORD(2, 2), &data) == 0;
  }
  release(&winsock_lock);
  return WSASocketW(AF_INET, SOCK_STREAM, IPPROTO_TCP, NULL, 0, WSA_FLAG_OVERLAPPED | WSA_FLAG_NO_HANDLE_INHERIT);
}

int is_stale(socket_handle socket) {
  WSAPOLLFD state = {.fd = socket, .events = POLLRDNORM, .revents = 0};
  return WSAPoll(&state, 1, 0) != 0;
}
#else
int read_environment(const char *name, char *value, size_t size) {
  const char *found = getenv(name);
  if (found == NULL || found[0] == 0 || strlen(found) >= size) return 0;
  strcpy(value, found);
  return 1;
}

/* Sockets must not be inherited: a child would keep this process present for the service. */
static socket_handle open_socket(void) { return socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0); }

int is_stale(socket_handle socket) {
  struct pollfd state = {.fd = socket, .events = POLLIN, .revents = 0};
  return poll(&state, 1, 0) != 0;
}
#endif

socket_handle connect_to(const char *address) {
  unsigned parts[4], port;
  if (sscanf(address, "%u.%u.%u.%u:%u", &parts[0], &parts[1], &parts[2], &parts[3], &port) != 5) return NO_SOCKET;
  if (parts[0] != 127 || port > 65535) return NO_SOCKET;
  struct sockaddr_in peer;
  memset(&peer, 0, sizeof peer);
  peer.sin_family = AF_INET;
  peer.sin_port = htons((uint16_t)port);
  peer.sin_addr.s_addr = htonl(parts[0] << 24 | (parts[1] & 255) << 16 | (parts[2] & 255) << 8 | (parts[3] & 255));
  socket_handle socket = open_socket();
  if (socket == NO_SOCKET) return NO_SOCKET;
  if (connect(socket, (struct sockaddr *)&peer, sizeof peer) != 0) {
    close_socket(socket);
    return NO_SOCKET;
  }
  int on = 1;
  setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, (const char *)&on, sizeof on);
  return socket;
}

#ifdef _WIN32
#define SEND_FLAGS 0
static int interrupted(void) { return 0; }
#else
#define SEND_FLAGS MSG_NOSIGNAL
static int interrupted(void) { return errno == EINTR; }
#endif

int send_all(socket_handle socket, const uint8_t *bytes, size_t size) {
  while (size > 0) {
    int sent = (int)send(socket, (const char *)bytes, (int)size, SEND_FLAGS);
    if (sent < 0 && interrupted()) continue;
    if (sent <= 0) return 0;
    bytes += sent;
    size -= (size_t)sent;
  }
  return 1;
}

int receive_all(socket_handle socket, uint8_t *bytes, size_t size) {
  while (size > 0) {
    int received = (int)recv(socket, (char *)bytes, (int)size, 0);
    if (received < 0 && interrupted()) continue;
    if (received <= 0) return 0;
    bytes += received;
    size -= (size_t)received;
  }
  return 1;
}
