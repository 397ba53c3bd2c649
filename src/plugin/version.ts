import { decodeText, normalizeSpaces, parseJsonObject } from '../cni/text.ts';
import { type CniVersion, latestVersion, readVersion, supportedVersions } from '../cni/version.ts';
import { foldKeys } from '../json/members.ts';
import { type Outcome, success } from './outcome.ts';

/** Answers VERSION (specification, section 4, "VERSION"), with any stdin. src/main.ts and `run` call it. */
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
