import { CniError, code } from '../../cni/error.ts';
import { isObject } from '../../json/members.ts';
import { fileProblem, isMissingFile } from '../terminal/files.ts';
import { fileName, joinPath, parentFolder } from '../terminal/windows-path.ts';
import type { InstallFiles } from './files.ts';
import { binFileOf, retiredName } from './names.ts';

/** Whether Windows refused an operation because a program runs or reads the file, or because of its access rules. */
export function isInUse(error: unknown): boolean {
  return isObject(error) && ['EACCES', 'EBUSY', 'EPERM', 'ETXTBSY'].some((one) => one === error['code']);
}

const pauseMilliseconds = 25;

/**
 * Retries an operation while a file is in use. Default: for 5 s, because a scanner or an indexer opens a new file for some hundred
 * milliseconds. Throws what the last attempt threw.
 */
export async function retryWhileInUse<T>(
  { pause }: Pick<InstallFiles, 'pause'>,
  operation: () => T | Promise<T>,
  seconds = 5,
): Promise<T> {
  for (let left = (1000 * seconds) / pauseMilliseconds; ; left -= 1) {
    try {
      return await operation();
    } catch (error) {
      if (left <= 0 || !isInUse(error)) throw error;
      await pause(pauseMilliseconds);
    }
  }
}

/** Deletes a file if that is possible now: what stays is left for the next command. */
export function discard(path: string, files: Pick<InstallFiles, 'remove'>): void {
  try {
    files.remove(path);
  } catch {
    // In use.
  }
}

/** The path that an executable gets while a program may still run it. */
export function retiredPath(path: string): string {
  const name = fileName(path);
  return joinPath(parentFolder(path), retiredName(binFileOf(name)?.target || name));
}

/** Deletes a file. Windows does not delete one that a program runs, but renames it: returns the new path then. */
export async function deleteOrRetire(path: string, files: InstallFiles): Promise<string | undefined> {
  try {
    await retryWhileInUse(files, () => files.remove(path), 0.5);
    return undefined;
  } catch (error) {
    if (!isInUse(error)) throw error;
    const retired = retiredPath(path);
    files.rename(path, retired);
    return retired;
  }
}

/** A CniError with a fix for an error of node:fs. `work`: what failed, as in `write a.conflist`. Other errors stay. */
export function installError(work: string | undefined, cause: unknown): unknown {
  if (cause instanceof CniError || !isObject(cause) || typeof cause['path'] !== 'string') return cause;
  const reason = isMissingFile(cause) ? 'no such file or folder' : fileProblem(cause);
  const message = `cannot ${work ?? `use ${cause['path']}`}: ${reason}. ${fixOf(cause)}`;
  return new CniError(code.ioFailure, message, { cause });
}

function fixOf(cause: unknown): string {
  if (isObject(cause) && cause['code'] === 'ENOSPC') return 'Free some space and run this command again.';
  if (isInUse(cause))
    return 'Run this command as an administrator; if you do, another program, such as a virus scanner, uses the file.';
  return 'Fix this and run this command again.';
}

/** Runs a command's work and words the errors of node:fs. */
export async function withInstallErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw installError(undefined, error);
  }
}
