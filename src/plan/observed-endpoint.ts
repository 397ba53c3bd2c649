import type { HostComputeEndpoint } from '../hcn/documents.ts';
import type { Guid } from '../hcn/guid.ts';
import { describeHresult, remedyFor } from '../hcn/hresults.ts';

/** Whether the endpoint is in a namespace; HNS writes the zero GUID for none. */
export function isAttached<E extends HostComputeEndpoint>(
  endpoint: E,
): endpoint is E & { readonly HostComputeNamespace: Guid } {
  return /[1-9a-f]/i.test(endpoint.HostComputeNamespace ?? '');
}

/** The namespace that the endpoint is in, undefined if none. */
export function attachedTo(endpoint: HostComputeEndpoint): Guid | undefined {
  return isAttached(endpoint) ? endpoint.HostComputeNamespace : undefined;
}

const failedStates: Readonly<Record<number, string>> = { 5: 'degraded', 6: 'destroyed' };
const degradedOperation = 0x803b0017;

/** One line if HNS reports the endpoint's state as degraded or destroyed, else none. */
export function stateDifferences({ State = 0 }: HostComputeEndpoint): readonly string[] {
  const failed = failedStates[State];
  return failed === undefined ? [] : [`HNS says the endpoint is ${failed}. ${remedyFor(degradedOperation)}`];
}

/** One line if HNS reports an error in the endpoint's health, else none. An error is not documented to mean that the endpoint fails. */
export function healthNotice({ Health }: HostComputeEndpoint): readonly string[] {
  const hresult = (Health?.Data?.LastErrorCode ?? 0) >>> 0;
  return hresult === 0
    ? []
    : [`HNS says the endpoint is not healthy: ${describeHresult(hresult)}. ${remedyFor(hresult)}`];
}
