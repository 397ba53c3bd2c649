import { createHash } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeSync,
} from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { readPieces, readWholeFile } from '../terminal/read-file.ts';
import { runProgram } from '../terminal/run-program.ts';

/** All that an installation does to the disk. Functions throw as Node does, unless they say otherwise. */
export const installFiles = {
  read: (path: string) => readWholeFile(path),
  /** The SHA-256 of a file in hexadecimal. */
  sha256: (path: string): string => {
    const hash = createHash('sha256');
    for (const piece of readPieces(path)) hash.update(piece);
    return hash.digest('hex');
  },
  /** The names in a folder; none if it does not exist. */
  list: (folder: string): readonly string[] => (kindOf(folder) === undefined ? [] : readdirSync(folder)),
  kindOf,
  /** Creates a link to a file. */
  link: (target: string, path: string): void => symlinkSync(target, path, 'file'),
  /** The path without links. */
  resolve: (path: string): string => realpathSync.native(path),
  /** Creates a folder and its missing parents, and returns the topmost new one. */
  makeFolder: (path: string): string | undefined => mkdirSync(path, { recursive: true }),
  /** Creates a file that must not exist and flushes it to the disk. A failure can leave part of it. */
  writeNew: (path: string, bytes: Uint8Array): void => writePieces(path, [bytes]),
  /** The same with the content of another file, and nothing else of it: no attributes, no alternate streams. */
  copyNew: (source: string, path: string): void => writePieces(path, readPieces(source)),
  /** Replaces a file of that name, if the system allows it. */
  rename: (from: string, to: string): void => renameSync(from, to),
  /** Deletes a file, which may be missing. */
  remove: (path: string): void => rmSync(path, { force: true }),
  /** Runs a program and kills it after `seconds`. Rejects if it did not start or end by itself. */
  run: async (program: string, args: readonly string[], seconds: number) => {
    const end = await runProgram(program, args, seconds);
    if ('problem' in end) throw new Error(end.problem);
    return { exitCode: end.exitCode, stderr: new TextDecoder().decode(end.stderr) };
  },
  pause: (milliseconds: number): Promise<void> => setTimeout(milliseconds),
};
/** The file system as install, upgrade and uninstall use it. */
export type InstallFiles = typeof installFiles;

/** What a path is, without following links; undefined if nothing is there. */
function kindOf(path: string): 'file' | 'folder' | 'link' | 'other' | undefined {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return undefined;
  if (found.isSymbolicLink()) return 'link';
  if (found.isDirectory()) return 'folder';
  return found.isFile() ? 'file' : 'other';
}

function writePieces(path: string, pieces: Iterable<Uint8Array>): void {
  const file = openSync(path, 'wx', 0o755);
  try {
    for (const piece of pieces)
      for (let written = 0; written < piece.length; ) written += writeSync(file, piece, written);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
