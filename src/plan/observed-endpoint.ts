import type { HostComputeEndpoint } from '../hcn/documents.ts';
import type { Guid } from '../hcn/guid.ts';
import { describeHresult, remedyFor } from '../hcn/hresults.ts';

/** Whether the endpoint is in a namespace; HNS writes the zero GUID for none. */
export function isAttached<E extends HostComputeEndpoint>(
  endpoint: E,
): endpoint is E & { readonly HostComputeNamespace: Guid } {
  return /[1-9a-f]/i.test(endpoint.HostComputeNamespace ?? '');
}

const degraded = 5;
const degradedOperation = 0x803b0017;

/** What HNS itself says is wrong with an endpoint it has accepted, such as a policy it could not program. */
export function healthDifferences({ Health, State }: HostComputeEndpoint): readonly string[] {
  const error = Health?.Data?.LastErrorCode ?? 0;
  return [
    ...(error === 0 ? [] : [notHealthy(error >>> 0)]),
    ...(State === degraded ? [`HNS says the endpoint is degraded. ${remedyFor(degradedOperation)}`] : []),
  ];
}

function notHealthy(hresult: number): string {
  return `HNS says the endpoint is not healthy: ${describeHresult(hresult)}. ${remedyFor(hresult)}`;
}
