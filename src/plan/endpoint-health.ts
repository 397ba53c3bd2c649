import type { HostComputeEndpoint } from '../hcn/documents.ts';
import { describeHresult, hresultOf, remedyFor } from '../hcn/hresults.ts';

const failedStates: Readonly<Record<number, string>> = { 5: 'degraded', 6: 'destroyed' };

/** One line if HNS reports the endpoint's state as degraded or destroyed, else none. */
export function stateDifferences({ State = 0 }: HostComputeEndpoint): readonly string[] {
  const failed = failedStates[State];
  return failed === undefined
    ? []
    : [`HNS says the endpoint is ${failed}. ${remedyFor(hresultOf('HCN_E_DEGRADED_OPERATION'))}`];
}

/** One line if HNS reports an error in the endpoint's health, else none. An error is not documented to mean that the endpoint fails. */
export function healthNotice({ Health }: HostComputeEndpoint): readonly string[] {
  const hresult = (Health?.Data?.LastErrorCode ?? 0) >>> 0;
  return hresult === 0
    ? []
    : [`HNS says the endpoint is not healthy: ${describeHresult(hresult)}. ${remedyFor(hresult)}`];
}
