/* One call forwarded to the service. */
#ifndef CALL_H
#define CALL_H

#include "platform.h"

#define S_OK_ 0u
#define E_NOTIMPL_ 0x80004001u
#define E_POINTER_ 0x80004003u
#define E_OUTOFMEMORY_ 0x8007000Eu
#define RPC_S_CALL_FAILED_ 0x800706BEu
#define EPT_S_NOT_REGISTERED_ 0x800706D9u
#define RPC_X_NULL_REF_POINTER_ 0x800706F4u

struct request {
  const char *function;
  const void *handle;
  const void *guid; /* 16 bytes, or NULL when the function takes none */
  const code_unit *strings[3];
  int string_count;
};

/* Strings are allocated with CoTaskMemAlloc and belong to the caller. */
struct reply {
  void *handle;
  code_unit *value;
  code_unit *error_record;
};

/* An export. Microsoft's exports set every out pointer to NULL when a call fails. */
#define FUNCTION(name, ...) \
  EXPORT uint32_t name(__VA_ARGS__); \
  uint32_t name(__VA_ARGS__)

#define CLEAR(out) \
  if ((out) != NULL) *(out) = NULL

uint32_t call_service(const struct request *request, struct reply *reply);

#endif
