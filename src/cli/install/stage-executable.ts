import { CniError, code } from '../../cni/error.ts';
import { joinPath } from '../terminal/windows-path.ts';
import type { InstallFiles, ProgramResult } from './files.ts';
import { discard, installError, retryWhileInUse } from './in-use.ts';
import { previousName, stagedName } from './layout.ts';

/** A program to stage beside the one in force. */
export interface Staging {
  readonly source: string;
  readonly folder: string;
  /** The name in force: `win-hcn.exe`, or that of a peer. */
  readonly target: string;
  readonly sha256: string;
}

/** How long a new version may take to print its version, also while a scanner examines it. */
const firstRunSeconds = 60;

/** How often to retry, every 100 ms, a start that a scanner prevents. */
const startAttempts = 50;

/**
 * Writes a new version beside the one in force, checks its content and runs it once. Throws CniError, and leaves nothing then. The
 * previous version gets a second name instead of a copy, so that a rollback needs no space.
 */
export async function stageExecutable(
  { source, folder, target, sha256 }: Staging,
  files: InstallFiles,
): Promise<void> {
  const path = joinPath(folder, stagedName(target, sha256));
  try {
    if (files.status(path) !== undefined) await retryWhileInUse(files, () => files.remove(path));
    if (source !== joinPath(folder, previousName(target)) || !hasLinked(source, path, files))
      files.copyNew(source, path);
  } catch (cause) {
    discard(path, files);
    throw installError('write', path, cause);
  }
  const problem = await problemOf(path, sha256, files);
  if (problem === undefined) return;
  discard(path, files);
  throw new CniError(
    code.ioFailure,
    `${source} cannot be installed: its copy ${problem}. Download win-hcn again, or allow it in your security software.`,
  );
}

function hasLinked(source: string, path: string, files: InstallFiles): boolean {
  try {
    files.link(source, path);
    return true;
  } catch {
    return false;
  }
}

async function problemOf(path: string, sha256: string, files: InstallFiles): Promise<string | undefined> {
  try {
    if ((await retryWhileInUse(files, () => files.identify(path))).sha256 !== sha256)
      return 'differs from it';
  } catch (cause) {
    return `cannot be read (${String(cause)})`;
  }
  const result = await firstRun(path, files);
  if ('problem' in result) return `does not start (${result.problem})`;
  return result.exitCode === 0 ? undefined : `exits with code ${result.exitCode}`;
}

/** Scanners and indexers open a new program, for some hundred milliseconds, and Windows does not start it then. */
async function firstRun(path: string, files: InstallFiles): Promise<ProgramResult> {
  for (let attempt = 1; ; attempt += 1) {
    const result = await files.run(path, ['version'], firstRunSeconds);
    const isHeld = 'problem' in result && /\b(EACCES|EBUSY|EPERM|ETXTBSY)\b/.test(result.problem);
    if (!isHeld || attempt >= startAttempts) return result;
    await files.pause(100);
  }
}
