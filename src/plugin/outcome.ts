import { renderError, toCniError } from '../cni/error.ts';
import { decodeText, normalizeSpaces, parseJsonObject } from '../cni/text.ts';
import { type CniVersion, latestVersion, readVersion, supportedVersions } from '../cni/version.ts';
import { foldKeys } from '../json/members.ts';

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

/** Answers VERSION (specification, section 2, "VERSION"), with any stdin. src/main.ts and `run` call it. */
export async function answerVersion(
  readStdinWithin: (milliseconds: number) => Promise<Uint8Array>,
): Promise<Outcome> {
  return success({ cniVersion: await readStdinVersion(readStdinWithin), supportedVersions });
}

/** The caller's version if supported, otherwise the latest. stdin may never end. */
async function readStdinVersion(
  readStdinWithin: (milliseconds: number) => Promise<Uint8Array>,
): Promise<CniVersion> {
  try {
    const stdin = normalizeSpaces(decodeText(await readStdinWithin(200)));
    return readVersion(foldKeys(parseJsonObject(stdin, 'stdin'))['cniversion'] ?? latestVersion);
  } catch {
    return latestVersion;
  }
}
