import { HcnError, HcnTimeout, HcnUnusable } from '../hcn/errors.ts';

/** Whether an error says that the Host Network Service does not answer, or is not there. */
export function isHnsUnavailable(error: unknown): boolean {
  return (
    error instanceof HcnUnusable ||
    error instanceof HcnTimeout ||
    (error instanceof HcnError && error.unavailable)
  );
}
