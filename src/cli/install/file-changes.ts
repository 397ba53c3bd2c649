import { CniError, code, errorMessage } from '../../cni/error.ts';
import { isObject } from '../../json/members.ts';
import { errorCode, fileProblem, isMissingFile } from '../terminal/files.ts';
import { fileName, joinPath, parentFolder } from '../terminal/windows-path.ts';
import type { InstallFiles } from './files.ts';
import { binFileOf, ending, retiredName } from './names.ts';

/** One change to the files of the node. */
export interface FileChange {
  /** What it does, to print. */
  readonly title: string;
  /** Returns what the user must know, if anything. If it throws, nothing is changed. */
  readonly run: (files: InstallFiles) => unknown;
  /** Undoes the change. Absent if it does no harm. */
  readonly undo?: (files: InstallFiles) => unknown;
}

/** Makes changes in order and returns what the user must know. If one fails, undoes those before it and throws CniError. */
export async function applyChanges(
  changes: readonly FileChange[],
  files: InstallFiles,
): Promise<readonly string[]> {
  const remarks: string[] = [];
  const done: FileChange[] = [];
  for (const change of changes) {
    try {
      const remark = await change.run(files);
      if (typeof remark === 'string') remarks.push(remark);
      done.push(change);
    } catch (cause) {
      const error = installError(change.title, cause);
      if (done.length === 0) throw error;
      const failed = error instanceof CniError ? error.code : code.ioFailure;
      throw new CniError(failed, `${errorMessage(error)} ${await undo(done, files)}`, { cause: error });
    }
  }
  return remarks;
}

/** Returns the outcome as a sentence. */
async function undo(done: readonly FileChange[], files: InstallFiles): Promise<string> {
  const problems: string[] = [];
  for (const change of done.toReversed()) {
    try {
      await change.undo?.(files);
    } catch (error) {
      problems.push(`cannot undo "${change.title}": ${errorMessage(error)}`);
    }
  }
  return problems.length === 0
    ? 'The completed steps were rolled back.'
    : `The rollback failed as well: ${problems.join('; ')}. Run this command again to repair the installation.`;
}

/** Writes a file whole or not at all. `previous`: the content that it has now. */
export function writeFile(path: string, bytes: Uint8Array, previous: Uint8Array | undefined): FileChange {
  return {
    title: `${previous === undefined ? 'write' : 'replace'} ${path}`,
    run: (files) => writeOver(path, bytes, files),
    undo: (files) => (previous === undefined ? files.remove(path) : writeOver(path, previous, files)),
  };
}

/** Copies a file over another one of the same folder. */
export function copyFile(path: string, to: string): FileChange {
  return {
    title: `copy ${path} to ${fileName(to)}`,
    run: (files) => writeOver(to, files.read(path), files),
  };
}

/** Renames a file over another one of the same folder. */
export function renameFile(path: string, to: string): FileChange {
  return {
    title: `rename ${path} to ${fileName(to)}`,
    run: (files) => retryWhileInUse(files, () => files.rename(path, to)),
    undo: (files) => files.rename(to, path),
  };
}

/** Deletes a file, or renames it if a program runs it. */
export function deleteFile(path: string): FileChange {
  return {
    title: `delete ${path}`,
    run: async (files) => {
      const retired = await deleteOrRetire(path, files);
      return (
        retired &&
        `${path} is running and was renamed to ${fileName(retired)}. Delete it later, or run this command again.`
      );
    },
  };
}

/** containerd never reads half a configuration, and reloads it: it ignores the creation of a file, and reacts to renames. */
async function writeOver(path: string, bytes: Uint8Array, files: InstallFiles): Promise<void> {
  const temporary = `${path}${ending.unfinished}`;
  try {
    files.remove(temporary);
    files.writeNew(temporary, bytes);
    await retryWhileInUse(files, () => files.rename(temporary, path));
  } catch (error) {
    discard(temporary, files);
    throw error;
  }
}

/** Whether Windows refused an operation because a program runs or reads the file, or because of its access rules. */
export function isInUse(error: unknown): boolean {
  return ['EACCES', 'EBUSY', 'EPERM', 'ETXTBSY'].some((one) => one === errorCode(error));
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
  if (errorCode(cause) === 'ENOSPC') return 'Free some space and run this command again.';
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
