import { HcnError, HcnTimeout, HcnUnavailable } from '../hcn/errors.ts';

/** Whether the error, or its cause, is that the Host Network Service does not answer or is absent. */
export function isHnsUnavailable(error: unknown): boolean {
  return [error, error instanceof Error ? error.cause : undefined].some(
    (one) =>
      one instanceof HcnUnavailable ||
      one instanceof HcnTimeout ||
      (one instanceof HcnError && one.unavailable),
  );
}
