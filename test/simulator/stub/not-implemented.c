/* The exports of computenetwork.dll that no client calls: they return E_NOTIMPL and set out pointers to NULL. */
#include "call.h"

#define UNUSED __attribute__((unused))

#define NOT_IMPLEMENTED(name, ...) \
  FUNCTION(name, __VA_ARGS__) { return E_NOTIMPL_; }
/* `out` receives a handle or a string. */
#define NOT_IMPLEMENTED_OUT(name, ...) \
  FUNCTION(name, __VA_ARGS__) { \
    CLEAR(out); \
    return E_NOTIMPL_; \
  }
#define NOT_IMPLEMENTED_ERROR(name, ...) \
  FUNCTION(name, __VA_ARGS__, code_unit **error) { \
    CLEAR(error); \
    return E_NOTIMPL_; \
  }
#define NOT_IMPLEMENTED_OUT_ERROR(name, ...) \
  FUNCTION(name, __VA_ARGS__, code_unit **error) { \
    CLEAR(out); \
    CLEAR(error); \
    return E_NOTIMPL_; \
  }

#define GUID_ UNUSED const void *id
#define HANDLE_ UNUSED const void *handle
#define TEXT_ UNUSED const code_unit *text
#define CALLBACK_ UNUSED void *callback, UNUSED void *context

NOT_IMPLEMENTED_OUT_ERROR(HcnEnumerateGuestNetworkServices, TEXT_, code_unit **out)
NOT_IMPLEMENTED_OUT_ERROR(HcnCreateGuestNetworkService, GUID_, TEXT_, void **out)
NOT_IMPLEMENTED_OUT_ERROR(HcnOpenGuestNetworkService, GUID_, void **out)
NOT_IMPLEMENTED_ERROR(HcnModifyGuestNetworkService, HANDLE_, TEXT_)
NOT_IMPLEMENTED_OUT_ERROR(HcnQueryGuestNetworkServiceProperties, HANDLE_, TEXT_, code_unit **out)
NOT_IMPLEMENTED_ERROR(HcnDeleteGuestNetworkService, GUID_)
NOT_IMPLEMENTED(HcnCloseGuestNetworkService, HANDLE_)

NOT_IMPLEMENTED_OUT(HcnRegisterGuestNetworkServiceCallback, HANDLE_, CALLBACK_, void **out)
NOT_IMPLEMENTED(HcnUnregisterGuestNetworkServiceCallback, HANDLE_)
NOT_IMPLEMENTED_OUT(HcnRegisterNetworkCallback, HANDLE_, CALLBACK_, void **out)
NOT_IMPLEMENTED(HcnUnregisterNetworkCallback, HANDLE_)

/* HCN_PORT_PROTOCOL, HCN_PORT_ACCESS and HCN_PORT_RANGE_RESERVATION of ComputeNetwork.h */
#define PROTOCOL_ UNUSED int protocol
#define ACCESS_ UNUSED int access
struct port_range {
  uint16_t first;
  uint16_t last;
};

NOT_IMPLEMENTED_OUT(HcnReserveGuestNetworkServicePort, HANDLE_, PROTOCOL_, ACCESS_, UNUSED uint16_t port, void **out)
FUNCTION(HcnReserveGuestNetworkServicePortRange, HANDLE_, UNUSED uint16_t count, struct port_range *range, void **out) {
  if (range != NULL) *range = (struct port_range){0, 0};
  CLEAR(out);
  return E_NOTIMPL_;
}
NOT_IMPLEMENTED(HcnReleaseGuestNetworkServicePortReservationHandle, HANDLE_)
FUNCTION(HcnEnumerateGuestNetworkPortReservations, uint32_t *count, void **out) {
  if (count != NULL) *count = 0;
  CLEAR(out);
  return E_NOTIMPL_;
}
EXPORT void HcnFreeGuestNetworkPortReservations(void *entries);
void HcnFreeGuestNetworkPortReservations(UNUSED void *entries) {}

/* The parameters of these two are undocumented. */
NOT_IMPLEMENTED(HcnQueryFeatures, void)
NOT_IMPLEMENTED(HcnQueryMetrics, void)
