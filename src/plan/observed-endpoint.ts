import type { HostComputeEndpoint } from '../hcn/documents.ts';
import type { Guid } from '../hcn/guid.ts';

/** Whether the endpoint is in a namespace; HNS writes the zero GUID for none. */
export function isAttached<E extends HostComputeEndpoint>(
  endpoint: E,
): endpoint is E & { readonly HostComputeNamespace: Guid } {
  return /[1-9a-f]/i.test(endpoint.HostComputeNamespace ?? '');
}
