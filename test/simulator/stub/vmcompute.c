/* The export of vmcompute.dll that calls the Host Network Service. */
#include "call.h"

EXPORT uint32_t HNSCall(const code_unit *method, const code_unit *path, const code_unit *request, code_unit **response);

uint32_t HNSCall(const code_unit *method, const code_unit *path, const code_unit *request, code_unit **response) {
  if (response == NULL) return E_POINTER_;
  struct reply reply;
  uint32_t hresult = call_service(&(struct request){"HNSCall", NULL, NULL, {method, path, request}, 3}, &reply);
  CoTaskMemFree(reply.error_record);
  *response = reply.value;
  return hresult;
}
