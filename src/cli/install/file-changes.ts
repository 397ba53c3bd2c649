import { CniError, code, errorCode, errorMessage } from '../../cni/error.ts';
import { isObject } from '../../json/members.ts';
import { fileProblem, isMissingFile } from '../terminal/files.ts';
import { fileName, joinPath } from '../terminal/windows-path.ts';
import type { InstallFiles } from './files.ts';

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

/** The end of the name of a file that is not yet, or no longer, in force. containerd ignores it, and each command deletes it. */
const leftoverEnding = '.win-hcn-tmp';

/** A new path beside a file, for a file that is not in force. */
export function leftoverPath(path: string): string {
  return `${path}.${crypto.randomUUID().slice(0, 8)}${leftoverEnding}`;
}

/** Deletes what earlier commands left in a folder, unless a program runs it. */
export function deleteLeftovers(folder: string, files: InstallFiles): void {
  for (const name of files.list(folder))
    if (name.endsWith(leftoverEnding)) discard(joinPath(folder, name), files);
}

/** Deletes a file if that is possible now: what stays is left for the next command. */
export function discard(path: string, files: InstallFiles): void {
  try {
    files.remove(path);
  } catch {
    // In use.
  }
}

/** Writes a file whole or not at all. `previous`: the content that it has now. */
export function writeFile(path: string, bytes: Uint8Array, previous?: Uint8Array): FileChange {
  return {
    title: `${previous === undefined ? 'write' : 'replace'} ${path}`,
    run: (files) => writeOver(path, bytes, files),
    undo: (files) => (previous === undefined ? files.remove(path) : writeOver(path, previous, files)),
  };
}

/** containerd never reads half a configuration, and reloads it: it ignores the creation of a file, and reacts to renames. */
async function writeOver(path: string, bytes: Uint8Array, files: InstallFiles): Promise<void> {
  const temporary = leftoverPath(path);
  try {
    files.writeNew(temporary, bytes);
    await retryWhileInUse(files, () => files.rename(temporary, path));
  } catch (error) {
    discard(temporary, files);
    throw error;
  }
}

/** Renames a file over another one of the same folder. */
export function renameFile(path: string, to: string): FileChange {
  return {
    title: `rename ${path} to ${fileName(to)}`,
    run: (files) => retryWhileInUse(files, () => files.rename(path, to)),
    undo: (files) => files.rename(to, path),
  };
}

/** Deletes a file, or renames it if a program runs it. What stays is reported, because it cannot be undone. */
export function deleteFile(path: string): FileChange {
  return {
    title: `delete ${path}`,
    run: (files) =>
      deleteOrRename(path, files).then(
        (retired) =>
          retired &&
          `${path} is running and was renamed to ${fileName(retired)}. Delete it later, or run this command again.`,
        (error: unknown) => `${errorMessage(installError(`delete ${path}`, error))}`,
      ),
  };
}

/** Deletes a file. Windows does not delete one that a program runs, but renames it: returns the new path then. */
export async function deleteOrRename(path: string, files: InstallFiles): Promise<string | undefined> {
  try {
    await retryWhileInUse(files, () => files.remove(path), 0.5);
    return undefined;
  } catch (error) {
    if (!isInUse(error)) throw error;
    const retired = leftoverPath(path);
    files.rename(path, retired);
    return retired;
  }
}

/** Whether Windows refused an operation because a program runs or reads the file, or because of its access rules. */
function isInUse(error: unknown): boolean {
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

/** A CniError with a fix for an error of node:fs. `work`: what failed, as in `write a.conflist`. Other errors stay. */
export function installError(work: string | undefined, cause: unknown): unknown {
  if (cause instanceof CniError || !isObject(cause) || typeof cause['errno'] !== 'number') return cause;
  const isMissing = isMissingFile(cause) && !String(cause['syscall']).startsWith('spawn');
  const reason = isMissing ? `${cause['path']} is gone` : fileProblem(cause);
  const inUse =
    'Run this command as an administrator; if you do, another program, such as a virus scanner, uses the file.';
  const moved =
    'Another install, upgrade or uninstall may run at the same time: wait until it ends, then run this command again.';
  const fix = isMissing ? moved : isInUse(cause) ? inUse : 'Fix this and run this command again.';
  const message = `cannot ${work ?? `use ${cause['path'] ?? 'a file'}`}: ${reason}. ${fix}`;
  return new CniError(code.ioFailure, message, { cause });
}
