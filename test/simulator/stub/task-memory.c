/* CoTaskMem for Linux, with a count of allocated blocks. */
#include "platform.h"

#ifndef _WIN32

#include <stdatomic.h>
#include <stdlib.h>

static atomic_llong live;

void *CoTaskMemAlloc(size_t size) {
  void *memory = malloc(size);
  if (memory != NULL) atomic_fetch_add(&live, 1);
  return memory;
}

void CoTaskMemFree(void *memory) {
  if (memory == NULL) return;
  atomic_fetch_sub(&live, 1);
  free(memory);
}

EXPORT int64_t SimulatedLiveStrings(void);
int64_t SimulatedLiveStrings(void) { return atomic_load(&live); }

/* Uses that much of the caller's stack, as RPC and hooks of these calls may. Returns the number of bytes written. */
EXPORT int32_t SimulatedStackUse(uint32_t bytes);
int32_t SimulatedStackUse(uint32_t bytes) {
  volatile char block[bytes];
  int32_t written = 0;
  for (uint32_t at = bytes; at > 0; at -= at < 1024 ? at : 1024) {
    block[at - 1] = 1;
    written += block[at - 1];
  }
  return written;
}

#endif
