/* Differences between Linux and Windows: sockets, a lock, the environment, exported names. */
#ifndef PLATFORM_H
#define PLATFORM_H

#include <stddef.h>
#include <stdint.h>

/* A UTF-16 code unit: WCHAR of Windows. */
typedef uint16_t code_unit;

#ifdef _WIN32

#include <winsock2.h>
#include <ws2tcpip.h>
#include <windows.h>
#include <objbase.h>

#define EXPORT __declspec(dllexport)
typedef SOCKET socket_handle;
typedef SRWLOCK lock;
#define NO_SOCKET INVALID_SOCKET
#define LOCK_INITIALIZER SRWLOCK_INIT
#define acquire(l) AcquireSRWLockExclusive(l)
#define release(l) ReleaseSRWLockExclusive(l)
#define close_socket(s) closesocket(s)

#else

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))
typedef int socket_handle;
typedef pthread_mutex_t lock;
#define NO_SOCKET (-1)
#define LOCK_INITIALIZER PTHREAD_MUTEX_INITIALIZER
#define acquire(l) pthread_mutex_lock(l)
#define release(l) pthread_mutex_unlock(l)
#define close_socket(s) close(s)

EXPORT void *CoTaskMemAlloc(size_t size);
EXPORT void CoTaskMemFree(void *memory);

#endif

/* Reads an environment variable. Returns 0 if it is not set or does not fit. */
int read_environment(const char *name, char *value, size_t size);

#endif
