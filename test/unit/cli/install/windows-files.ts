/** Files that behave as on Windows while a program runs, and that a kill or a full disk ends at a given change. */

import { lstatSync, readFileSync, writeFileSync } from 'node:fs';
import type { InstallFiles } from '../../../../src/cli/install/files.ts';

/** An error of node:fs, as writing to an open file has it: without a path. */
function systemError(code: string): Error {
  return Object.assign(new Error(`${code}: the text of the operating system`), { code, errno: -1 });
}

/** Wraps files: the program that has this path now is running, whatever its path is later. Windows neither deletes nor replaces it. */
export function whileRunning(files: InstallFiles, program: string): InstallFiles {
  const inode = (path: string) => lstatSync(path, { throwIfNoEntry: false })?.ino;
  const running = inode(program);
  const refuse = (path: string) => {
    if (running !== undefined && inode(path) === running) throw systemError('EPERM');
  };
  return {
    ...files,
    remove: (path) => {
      refuse(path);
      files.remove(path);
    },
    rename: (from, to) => {
      refuse(to);
      files.rename(from, to);
    },
  };
}

/** Files that end a command. */
export interface Doomed {
  readonly files: InstallFiles;
  /** Whether the change with the number was reached. */
  readonly isOver: () => boolean;
}

/**
 * Wraps files: the change with this number fails, and half of the file that it creates is written. `killed`: so do all changes after it, as
 * if the process were gone.
 */
export function failingAt(number: number, end: 'killed' | 'full disk', files: InstallFiles): Doomed {
  let count = 0;
  const change = (half: () => void = () => undefined): void => {
    if (count === number) half();
    const fails = end === 'killed' ? count >= number : count === number;
    count += 1;
    if (fails) throw end === 'killed' ? new Error('killed') : systemError('ENOSPC');
  };
  const writeHalf = (path: string, bytes: Uint8Array) => () =>
    writeFileSync(path, bytes.subarray(0, bytes.length / 2), { flag: 'wx' });
  return {
    isOver: () => count > number,
    files: {
      ...files,
      copyNew: (source, path) => {
        change(writeHalf(path, readFileSync(source)));
        files.copyNew(source, path);
      },
      writeNew: (path, bytes) => {
        change(writeHalf(path, bytes));
        files.writeNew(path, bytes);
      },
      rename: (from, to) => {
        change();
        files.rename(from, to);
      },
      remove: (path) => {
        change();
        files.remove(path);
      },
      makeFolder: (path) => {
        change();
        return files.makeFolder(path);
      },
    },
  };
}
