import { toCniError } from '../commands/failures.ts';
import { HcnError, HcnTimeout, HcnUnavailable } from '../hcn/errors.ts';

/** Whether what failed did so because the Host Network Service does not answer, or is not there. */
export function isHnsUnavailable(error: unknown): boolean {
  const { cause } = toCniError(error);
  return (
    cause instanceof HcnUnavailable ||
    cause instanceof HcnTimeout ||
    (cause instanceof HcnError && cause.unavailable)
  );
}
