import { code, toCniError } from '../cni/error.ts';
import { HcnError, HcnTimeout, HcnUnavailable } from '../hcn/errors.ts';
import { printable } from './output.ts';
import { type ExitCode, exitCode, ReadError } from './session.ts';

/** The message of a failed command for people, with details on further lines. */
export function failureMessage(error: unknown): string {
  const { message, details } = toCniError(error);
  return details === '' ? printable(message) : `${printable(message)}\n${details}`;
}

/** The exit code of a command that failed with this error. */
export function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof ReadError) return exitCode.wrongUsage;
  if (toCniError(error).code === code.invalidEnvironment) return exitCode.wrongUsage;
  return isHnsUnavailable(error) ? exitCode.hnsUnavailable : exitCode.problemFound;
}

/** Whether an error or its cause means that the Host Network Service does not respond or is not installed. */
export function isHnsUnavailable(error: unknown): boolean {
  return [error, error instanceof Error ? error.cause : undefined].some(
    (one) =>
      one instanceof HcnUnavailable ||
      one instanceof HcnTimeout ||
      (one instanceof HcnError && one.unavailable),
  );
}
