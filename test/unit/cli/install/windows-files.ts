/** Files that behave as on Windows while programs run, and that a kill ends at a given change. */

import { lstatSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { InstallFiles } from '../../../../src/cli/install/files.ts';
import { systemError } from './bin-folder.ts';

/** What Windows refuses while a program runs. `any name`: to delete or replace any of its names, as Wine does. `nothing`: as on Linux. */
export type Refusal = 'nothing' | 'any name';

/** Wraps files: the programs that have these names now are running, whatever their names are later. */
export function whileRunning(
  files: InstallFiles,
  folder: string,
  names: readonly string[],
  refusal: Refusal,
): InstallFiles {
  const running = new Set(names.map((name) => lstatSync(join(folder, name)).ino));
  const refuse = (path: string) => {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found !== undefined && running.has(found.ino) && refusal === 'any name') throw systemError('EPERM');
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

class Killed extends Error {}

export interface Doomed extends InstallFiles {
  /** Whether the change with the number was reached. */
  readonly isOver: () => boolean;
}

/** Wraps files: before the change with this number, the process is killed, and makes no further change. A copy is half written then. */
export function killedAt(kill: number, files: InstallFiles): Doomed {
  let count = 0;
  const change = (half: () => void = () => undefined): void => {
    if (count === kill) half();
    if (count >= kill) {
      count = Number.POSITIVE_INFINITY;
      throw new Killed();
    }
    count += 1;
  };
  return {
    ...files,
    isOver: () => count === Number.POSITIVE_INFINITY,
    copyNew: (source, path) => {
      const bytes = readFileSync(source);
      change(() => writeFileSync(path, bytes.subarray(0, bytes.length / 2), { flag: 'wx' }));
      files.copyNew(source, path);
    },
    writeNew: (path, bytes) => {
      change(() => writeFileSync(path, bytes.subarray(0, bytes.length / 2), { flag: 'wx' }));
      files.writeNew(path, bytes);
    },
    link: (from, path) => {
      change();
      files.link(from, path);
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
      files.makeFolder(path);
    },
    run: async (...words) => {
      change();
      return files.run(...words);
    },
    pause: async (milliseconds) => {
      if (count > kill) throw new Killed();
      await files.pause(milliseconds);
    },
  };
}

/** Wraps files: the change with this number fails once, with half of a file written. */
export function failedAt(failure: number, code: string, files: InstallFiles): Doomed {
  const killed = killedAt(failure, files);
  let isOver = false;
  const change =
    <Words extends readonly unknown[], Result>(
      doomed: (...words: Words) => Result,
      whole: (...words: Words) => Result,
    ) =>
    (...words: Words): Result => {
      if (isOver) return whole(...words);
      try {
        return doomed(...words);
      } catch (error) {
        if (!(error instanceof Killed)) throw error;
        isOver = true;
        throw systemError(code);
      }
    };
  return {
    ...files,
    isOver: killed.isOver,
    copyNew: change(killed.copyNew, files.copyNew),
    writeNew: change(killed.writeNew, files.writeNew),
    link: change(killed.link, files.link),
    rename: change(killed.rename, files.rename),
    remove: change(killed.remove, files.remove),
    makeFolder: change(killed.makeFolder, files.makeFolder),
  };
}
