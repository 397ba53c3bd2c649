/* The exports of iphlpapi.dll that clients load; the service returns HRESULTs whose low 16 bits are the Win32 error. */
#include "iphlpapi.h"

#include <string.h>

#define ERROR_OF(hresult) ((hresult)&0xFFFFu)
#define ERROR_NO_DATA_ 232u

uint32_t ask(const struct request *request, code_unit **value) {
  struct reply reply;
  uint32_t hresult = call_service(request, &reply);
  CoTaskMemFree(reply.error_record);
  *value = reply.value;
  return ERROR_OF(hresult);
}

uint32_t tell(const struct request *request) {
  code_unit *value;
  uint32_t error = ask(request, &value);
  CoTaskMemFree(value);
  return error;
}

typedef code_unit number_text[11];

static const code_unit *write_number(number_text text, uint32_t number) {
  int at = 10;
  text[at] = 0;
  do text[--at] = (code_unit)('0' + number % 10);
  while ((number /= 10) > 0);
  return text + at;
}

FUNCTION(GetAdaptersAddresses, uint32_t family, uint32_t flags, void *reserved, void *adapters, uint32_t *size) {
  (void)family;
  (void)reserved;
  if (size == NULL) return ERROR_INVALID_PARAMETER_;
  number_text text;
  code_unit *lines;
  uint32_t error = ask(&(struct request){"GetAdaptersAddresses", NULL, NULL, {write_number(text, flags)}, 1}, &lines);
  if (error != 0) return error;
  uint32_t needed = lines == NULL || *lines == 0 ? 0 : lay_out_adapters(lines, adapters, adapters == NULL ? 0 : *size);
  CoTaskMemFree(lines);
  if (needed == 0) return ERROR_NO_DATA_;
  int fits = adapters != NULL && needed <= *size;
  *size = needed;
  return fits ? 0 : ERROR_BUFFER_OVERFLOW_;
}

/* The caller names the interface and marks members that stay the same as "unchanged". */
EXPORT void InitializeIpInterfaceEntry(struct interface_row *row);
void InitializeIpInterfaceEntry(struct interface_row *row) {
  memset(row, 0xFF, sizeof *row);
  row->family = 0;
  row->luid = 0;
  row->index = 0;
}

/* SitePrefixLength is 64 for IPv4 too, a value that SetIpInterfaceEntry refuses. */
FUNCTION(GetIpInterfaceEntry, struct interface_row *row) {
  if (row == NULL || row->luid != 0 || row->family != AF_INET_) return ERROR_INVALID_PARAMETER_;
  number_text index;
  code_unit *forwarding;
  uint32_t error =
      ask(&(struct request){"GetIpInterfaceEntry", NULL, NULL, {write_number(index, row->index)}, 1}, &forwarding);
  if (error == 0) {
    row->luid = (uint64_t)row->index << 24 | 6ull << 48;
    row->forwarding = forwarding != NULL && *forwarding == '1';
    row->site_prefix_length = 64;
    row->connected = 1;
  }
  CoTaskMemFree(forwarding);
  return error;
}

FUNCTION(SetIpInterfaceEntry, struct interface_row *row) {
  if (row == NULL || row->family != AF_INET_) return ERROR_INVALID_PARAMETER_;
  if (row->site_prefix_length != 0 || row->connected != 1) return ERROR_INVALID_PARAMETER_;
  number_text index, forwarding;
  return tell(&(struct request){"SetIpInterfaceEntry",
                                NULL,
                                NULL,
                                {write_number(index, row->index), write_number(forwarding, row->forwarding)},
                                2});
}
