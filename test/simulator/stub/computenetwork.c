/* The exports of computenetwork.dll that clients load. https://learn.microsoft.com/virtualization/api/hcn/reference */
#include "call.h"

/* Returns the strings that the caller requested and frees the others. */
static uint32_t forward(const struct request *request, void **handle, code_unit **value, code_unit **error_record) {
  struct reply reply;
  uint32_t hresult = call_service(request, &reply);
  if (handle != NULL) *handle = reply.handle;
  if (value != NULL) *value = reply.value;
  else CoTaskMemFree(reply.value);
  if (error_record != NULL) *error_record = reply.error_record;
  else CoTaskMemFree(reply.error_record);
  return hresult;
}

#define REQUIRE_GUID(id) \
  if ((id) == NULL) return RPC_X_NULL_REF_POINTER_
#define REQUIRE_OUT(out) \
  if ((out) == NULL) return E_POINTER_

#define ENUMERATE(name) \
  FUNCTION(name, const code_unit *query, code_unit **list, code_unit **error) { \
    CLEAR(list); \
    CLEAR(error); \
    REQUIRE_OUT(list); \
    return forward(&(struct request){#name, NULL, NULL, {query}, 1}, NULL, list, error); \
  }
#define CREATE(name) \
  FUNCTION(name, const void *id, const code_unit *settings, void **created, code_unit **error) { \
    CLEAR(created); \
    CLEAR(error); \
    REQUIRE_GUID(id); \
    REQUIRE_OUT(created); \
    return forward(&(struct request){#name, NULL, id, {settings}, 1}, created, NULL, error); \
  }
#define CREATE_IN(name) \
  FUNCTION(name, const void *parent, const void *id, const code_unit *settings, void **created, code_unit **error) { \
    CLEAR(created); \
    CLEAR(error); \
    REQUIRE_GUID(id); \
    REQUIRE_OUT(created); \
    return forward(&(struct request){#name, parent, id, {settings}, 1}, created, NULL, error); \
  }
#define OPEN(name) \
  FUNCTION(name, const void *id, void **opened, code_unit **error) { \
    CLEAR(opened); \
    CLEAR(error); \
    REQUIRE_GUID(id); \
    REQUIRE_OUT(opened); \
    return forward(&(struct request){#name, NULL, id, {NULL}, 0}, opened, NULL, error); \
  }
#define MODIFY(name) \
  FUNCTION(name, const void *handle, const code_unit *settings, code_unit **error) { \
    return forward(&(struct request){#name, handle, NULL, {settings}, 1}, NULL, NULL, error); \
  }
#define QUERY(name) \
  FUNCTION(name, const void *handle, const code_unit *query, code_unit **properties, code_unit **error) { \
    CLEAR(properties); \
    CLEAR(error); \
    REQUIRE_OUT(properties); \
    return forward(&(struct request){#name, handle, NULL, {query}, 1}, NULL, properties, error); \
  }
#define DELETE_(name) \
  FUNCTION(name, const void *id, code_unit **error) { \
    CLEAR(error); \
    REQUIRE_GUID(id); \
    return forward(&(struct request){#name, NULL, id, {NULL}, 0}, NULL, NULL, error); \
  }
#define CLOSE(name) \
  FUNCTION(name, const void *handle) { \
    return forward(&(struct request){#name, handle, NULL, {NULL}, 0}, NULL, NULL, NULL); \
  }

#define COMMON_VERBS(noun, nouns) \
  ENUMERATE(HcnEnumerate##nouns) \
  OPEN(HcnOpen##noun) \
  MODIFY(HcnModify##noun) \
  QUERY(HcnQuery##noun##Properties) \
  DELETE_(HcnDelete##noun) \
  CLOSE(HcnClose##noun)

COMMON_VERBS(Network, Networks)
CREATE(HcnCreateNetwork)
COMMON_VERBS(Namespace, Namespaces)
CREATE(HcnCreateNamespace)
COMMON_VERBS(Endpoint, Endpoints)
CREATE_IN(HcnCreateEndpoint)
COMMON_VERBS(LoadBalancer, LoadBalancers)
CREATE(HcnCreateLoadBalancer)
