import { HcnError, HcnTimeout, HcnUnusable } from '../hcn/errors.ts';

/** Whether an error is that the Host Network Service does not answer, and not that it says no. */
export function isHnsUnavailable(error: unknown): boolean {
  return (
    error instanceof HcnUnusable ||
    error instanceof HcnTimeout ||
    (error instanceof HcnError && error.unavailable)
  );
}
