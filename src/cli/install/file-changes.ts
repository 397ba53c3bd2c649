import { CniError, code, errorMessage } from '../../cni/error.ts';
import { fileName } from '../terminal/windows-path.ts';
import type { InstallFiles } from './files.ts';
import { deleteOrRetire, discard, installError, retryWhileInUse } from './in-use.ts';
import { ending } from './names.ts';

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
