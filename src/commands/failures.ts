import { CniError, code } from '../cni/error.ts';
import { HcnError, HcnInvalidResponse, HcnTimeout, HcnUnavailable } from '../hcn/errors.ts';
import { IpHelperError, IpHelperTimeout } from '../iphlpapi/errors.ts';

/** The one table from any error to a CNI error. What HCN did not answer may be there or not: the caller is to try again. */
export function toCniError(error: unknown): CniError {
  if (error instanceof CniError) return error;
  if (error instanceof HcnTimeout || error instanceof HcnInvalidResponse || error instanceof IpHelperTimeout)
    return new CniError(code.tryAgainLater, error.message, { cause: error });
  if (error instanceof HcnError) {
    const number = error.unavailable || error.ambiguous ? code.tryAgainLater : code.hcnFailure;
    return new CniError(number, error.message, { details: error.record, cause: error });
  }
  if (error instanceof IpHelperError) {
    const number = error.passing ? code.tryAgainLater : code.hcnFailure;
    return new CniError(number, error.message, { cause: error });
  }
  if (error instanceof HcnUnavailable) return new CniError(code.hcnMissing, error.message, { cause: error });
  const message = error instanceof Error ? error.message : String(error);
  return new CniError(code.internal, `win-hcn failed in a way it should not: ${message}`, {
    details: 'report it with the configuration and what cmd /c ver shows',
    cause: error,
  });
}

/**
 * The error to report when a call was refused and the look-up of the reason failed too. If HNS is unavailable, that failure comes
 * first, so that the runtime retries; otherwise the refusal does. The other one is in the details.
 */
export function afterRefusal(refusal: Error, looking: unknown): CniError {
  const failure = toCniError(looking);
  return failure.code === code.tryAgainLater
    ? withDetails(looking, refusal.message)
    : withDetails(refusal, failure.message);
}

/** The error with further failures in its details. */
export function withDetails(error: unknown, ...failures: readonly (string | undefined)[]): CniError {
  const first = toCniError(error);
  if (!failures.some(Boolean)) return first;
  const details = [first.details, ...failures].filter(Boolean).join('; ');
  const { unquoted } = first;
  return new CniError(first.code, first.message, { details, unquoted, cause: first.cause ?? first });
}
