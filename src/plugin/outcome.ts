import { renderError, toCniError } from '../cni/error.ts';
import { type CniVersion, latestVersion } from '../cni/version.ts';

/** What the process prints and ends with. */
export interface Outcome {
  readonly exitCode: 0 | 1;
  readonly stdout: string;
}

/** The outcome of a command without a result. */
export const noOutput: Outcome = { exitCode: 0, stdout: '' };

/** The result of a successful command. */
export function success(result: object): Outcome {
  return { exitCode: 0, stdout: `${JSON.stringify(result)}\n` };
}

/** The error object of any failure. */
export function failure(error: unknown, version: CniVersion = latestVersion): Outcome {
  return { exitCode: 1, stdout: `${JSON.stringify(renderError(toCniError(error), version))}\n` };
}
