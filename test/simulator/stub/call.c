/*
 * Frames, little-endian as both ends are.
 * Call: u32 length of the rest, u32 client, u64 handle, u8 guid present, 16 bytes guid, u8 name length, name,
 *       u8 strings, per string: i32 code units or -1 for NULL, the code units.
 * Answer: u32 length of the rest, u32 hresult, u64 handle, value string, error record string.
 */
#include "call.h"

#include "connection.h"

#include <stdlib.h>
#include <string.h>

struct cursor {
  uint8_t *at;
  uint8_t *end;
};

static void put(struct cursor *cursor, const void *bytes, size_t size) {
  memcpy(cursor->at, bytes, size);
  cursor->at += size;
}

static size_t length_of(const code_unit *string) {
  size_t length = 0;
  while (string[length] != 0) length++;
  return length;
}

static void put_string(struct cursor *cursor, const code_unit *string) {
  int32_t length = string == NULL ? -1 : (int32_t)length_of(string);
  put(cursor, &length, 4);
  if (length > 0) put(cursor, string, (size_t)length * 2);
}

static uint8_t *encode(const struct request *request, uint32_t client, size_t *size) {
  uint8_t name_length = (uint8_t)strlen(request->function);
  uint8_t string_count = (uint8_t)request->string_count;
  *size = 4 + 4 + 8 + 1 + 16 + 1 + name_length + 1;
  for (int i = 0; i < request->string_count; i++)
    *size += 4 + (request->strings[i] == NULL ? 0 : length_of(request->strings[i]) * 2);
  uint8_t *frame = malloc(*size);
  if (frame == NULL) return NULL;
  static const uint8_t no_guid[16];
  struct cursor cursor = {frame, frame + *size};
  uint32_t rest = (uint32_t)(*size - 4);
  uint64_t handle = (uint64_t)(uintptr_t)request->handle;
  uint8_t has_guid = request->guid != NULL;
  put(&cursor, &rest, 4);
  put(&cursor, &client, 4);
  put(&cursor, &handle, 8);
  put(&cursor, &has_guid, 1);
  put(&cursor, has_guid ? request->guid : no_guid, 16);
  put(&cursor, &name_length, 1);
  put(&cursor, request->function, name_length);
  put(&cursor, &string_count, 1);
  for (int i = 0; i < request->string_count; i++) put_string(&cursor, request->strings[i]);
  return frame;
}

static int take(struct cursor *cursor, void *bytes, size_t size) {
  if ((size_t)(cursor->end - cursor->at) < size) return 0;
  memcpy(bytes, cursor->at, size);
  cursor->at += size;
  return 1;
}

static int take_string(struct cursor *cursor, code_unit **string) {
  int32_t length;
  if (!take(cursor, &length, 4)) return 0;
  if (length < 0) return 1;
  size_t size = (size_t)length * 2;
  if ((size_t)(cursor->end - cursor->at) < size) return 0;
  *string = CoTaskMemAlloc(size + 2);
  if (*string == NULL) return 0;
  (*string)[length] = 0;
  return take(cursor, *string, size);
}

static int decode(uint8_t *frame, size_t size, uint32_t *hresult, struct reply *reply) {
  struct cursor cursor = {frame, frame + size};
  uint64_t handle;
  if (!take(&cursor, hresult, 4) || !take(&cursor, &handle, 8)) return 0;
  reply->handle = (void *)(uintptr_t)handle;
  return take_string(&cursor, &reply->value) && take_string(&cursor, &reply->error_record);
}

static uint32_t exchange(const struct request *request, struct connection *connection, struct reply *reply) {
  size_t size;
  uint8_t *frame = encode(request, connection->client, &size);
  if (frame == NULL) return E_OUTOFMEMORY_;
  int sent = send_all(connection->socket, frame, size);
  free(frame);
  uint32_t length;
  if (!sent || !receive_all(connection->socket, (uint8_t *)&length, 4)) return RPC_S_CALL_FAILED_;
  frame = malloc(length);
  if (frame == NULL) return E_OUTOFMEMORY_;
  uint32_t hresult = RPC_S_CALL_FAILED_;
  if (!receive_all(connection->socket, frame, length) || !decode(frame, length, &hresult, reply)) {
    CoTaskMemFree(reply->value);
    CoTaskMemFree(reply->error_record);
    memset(reply, 0, sizeof *reply);
    hresult = RPC_S_CALL_FAILED_;
  } else {
    return_connection(connection);
    connection->socket = NO_SOCKET;
  }
  free(frame);
  return hresult;
}

uint32_t call_service(const struct request *request, struct reply *reply) {
  memset(reply, 0, sizeof *reply);
  struct connection connection;
  if (!take_connection(&connection)) return EPT_S_NOT_REGISTERED_;
  uint32_t hresult = exchange(request, &connection, reply);
  if (connection.socket != NO_SOCKET) close_socket(connection.socket);
  return hresult;
}
