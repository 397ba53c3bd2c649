import { CniError, code } from '../../cni/error.ts';
import { isObject } from '../../json/members.ts';
import { fileProblem, isMissingFile } from '../terminal/file-error.ts';
import { fileName, joinPath, parentFolder } from '../terminal/windows-path.ts';
import type { InstallFiles } from './files.ts';
import { binFileOf, retiredName } from './layout.ts';

/** How often to retry, and the pause between two attempts. */
interface Attempts {
  readonly most: number;
  readonly milliseconds: number;
}

/** For what a scanner or an indexer holds for a moment: 5 s. */
const usualAttempts: Attempts = { most: 50, milliseconds: 100 };

/** Whether Windows refused an operation because a program runs or reads the file, or because of its access rules. */
export function isInUse(error: unknown): boolean {
  return isObject(error) && ['EACCES', 'EBUSY', 'EPERM'].some((one) => one === error['code']);
}

/** Retries an operation while a file is in use, by default for 5 s. Throws what the last attempt threw. */
export async function retryWhileInUse<T>(
  { pause }: Pick<InstallFiles, 'pause'>,
  operation: () => T,
  { most, milliseconds }: Attempts = usualAttempts,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return operation();
    } catch (error) {
      if (attempt >= most || !isInUse(error)) throw error;
      await pause(milliseconds);
    }
  }
}

/** Removes a file that may be missing. */
export function removeIfPresent(path: string, { remove }: Pick<InstallFiles, 'remove'>): void {
  try {
    remove(path);
  } catch (error) {
    if (!isMissingFile(error)) throw error;
  }
}

/** Removes a file if that is possible now. What stays is left for the next repair. */
export function discard(path: string, files: Pick<InstallFiles, 'remove'>): void {
  try {
    removeIfPresent(path, files);
  } catch {
    // In use.
  }
}

/** Gives a program a second name; where the file system has no hard links, a copy. */
export function linkOrCopy(from: string, path: string, files: InstallFiles): void {
  try {
    files.link(from, path);
  } catch {
    files.copyNew(from, path);
  }
}

/** Removes an exe, which may be missing. Windows does not delete one that runs, but renames it: returns the new path then. */
export async function removeOrRetire(path: string, files: InstallFiles): Promise<string | undefined> {
  try {
    await retryWhileInUse(files, () => removeIfPresent(path, files), { most: 5, milliseconds: 100 });
    return undefined;
  } catch (error) {
    if (!isInUse(error)) throw error;
    const name = fileName(path);
    const file = binFileOf(name);
    const target = file !== undefined && 'target' in file ? file.target : name;
    const retired = joinPath(parentFolder(path), retiredName(target, files.unique()));
    files.rename(path, retired);
    return retired;
  }
}

/** An operation on a file failed. `fix` is a sentence; by default the one for the reason. */
export function installError(action: string, path: string, cause: unknown, fix = fixOf(cause)): CniError {
  const message = `cannot ${action} ${path}: ${isMissingFile(cause) ? 'no such file or folder' : fileProblem(cause)}. ${fix}`;
  return new CniError(code.ioFailure, message.trim(), { cause });
}

function fixOf(cause: unknown): string {
  const found = isObject(cause) ? cause['code'] : undefined;
  if (found === 'ENOSPC') return 'Free some space and run this command again.';
  if (found === 'EBUSY')
    return 'Close the program that uses it, such as a virus scanner, and run this command again.';
  if (isInUse(cause))
    return 'Run this command as an administrator; if you do, another program, such as a virus scanner, uses the file.';
  return 'Fix this and run this command again.';
}

/** Runs a command's work and words the errors of node:fs. */
export async function withInstallErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof CniError || !isObject(error) || typeof error['path'] !== 'string') throw error;
    throw installError('use', error['path'], error);
  }
}
