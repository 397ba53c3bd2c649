import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeSync,
} from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { readPieces, readWholeFile } from '../terminal/read-file.ts';
import { type Guard, startGuard } from './guard.ts';

export interface FileStatus {
  readonly kind: 'file' | 'folder' | 'link' | 'other';
  /** How many hard links the file has. */
  readonly links: number;
}

/** The content of a file, as far as an installation compares it. */
export interface FileIdentity {
  /** In hexadecimal. */
  readonly sha256: string;
  /** The name of the addon that a win-hcn.exe unpacks; undefined for any other file. */
  readonly addon: string | undefined;
}

/** What a program printed, and its exit code; or why it did not run. */
export type ProgramResult =
  | { readonly exitCode: number; readonly stdout: string; readonly stderr: string }
  | { readonly problem: string };

/** All that an installation does to the disk. Functions throw as node:fs does, unless they say otherwise. */
export interface InstallFiles {
  read(path: string): Uint8Array;
  identify(path: string): FileIdentity;
  list(folder: string): readonly string[];
  /** Of the path itself: a link is not followed. Undefined if nothing is there. */
  status(path: string): FileStatus | undefined;
  /** Changes when the file is written, replaced or locked; `missing` if nothing is there. Follows links. Never throws. */
  stamp(path: string): string;
  /** The path without links. */
  resolve(path: string): string;
  makeFolder(path: string): void;
  /** Removes an empty folder. */
  removeFolder(path: string): void;
  /** Creates a file that must not exist and flushes it to the disk. A failure can leave part of it. */
  writeNew(path: string, bytes: Uint8Array): void;
  /** The same with the content of another file, and nothing else of it: no attributes, no alternate streams. */
  copyNew(source: string, path: string): void;
  /** Gives a file a second name. */
  link(existing: string, path: string): void;
  /** Replaces a file of that name, if the system allows it. */
  rename(from: string, to: string): void;
  remove(path: string): void;
  /** Sets the time of a file to the present. */
  setTime(path: string): void;
  /** Runs a program and kills it after `seconds`. Never rejects. */
  run(program: string, args: readonly string[], seconds: number): Promise<ProgramResult>;
  pause(milliseconds: number): Promise<void>;
  /** Hexadecimal digits that are different each time, and greater than before in the order of texts. */
  unique(): string;
  /** Whether this process runs from the file, which Windows then does not replace. */
  isOwnProgram(path: string): boolean;
  /** Starts a process that restores a missing program of the folder if this process dies. Never rejects. */
  guard(folder: string): Promise<Guard>;
}

export const installFiles: InstallFiles = {
  read: (path) => readWholeFile(path),
  identify,
  list: (folder) => readdirSync(folder),
  status,
  stamp: (path) => {
    try {
      const found = statSync(path, { throwIfNoEntry: false });
      return found === undefined ? 'missing' : `${found.size} ${found.mtimeMs}`;
    } catch (error) {
      return String(error);
    }
  },
  resolve: (path) => realpathSync.native(path),
  makeFolder: (path) => {
    mkdirSync(path);
  },
  removeFolder: (path) => rmdirSync(path),
  writeNew: (path, bytes) => writePieces(path, [bytes]),
  copyNew: (source, path) => writePieces(path, readPieces(source)),
  link: (existing, path) => linkSync(existing, path),
  rename: (from, to) => renameSync(from, to),
  remove: (path) => rmSync(path),
  setTime: (path) => {
    const now = new Date();
    utimesSync(path, now, now);
  },
  run,
  pause: (milliseconds) => setTimeout(milliseconds),
  unique: () => `${Date.now().toString(16).padStart(12, '0')}-${crypto.randomUUID().slice(0, 8)}`,
  isOwnProgram: (path) => isSameFile(path, process.execPath),
  guard: startGuard,
};

function status(path: string): FileStatus | undefined {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return undefined;
  const { nlink: links } = found;
  if (found.isSymbolicLink()) return { kind: 'link', links };
  if (found.isDirectory()) return { kind: 'folder', links };
  return { kind: found.isFile() ? 'file' : 'other', links };
}

function isSameFile(path: string, other: string): boolean {
  try {
    const [one, another] = [lstatSync(path, { bigint: true }), lstatSync(other, { bigint: true })];
    return one.ino === another.ino && one.dev === another.dev;
  } catch {
    return false;
  }
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

const addonPrefix = 'win-hcn-koffi-';
const addonName = /^win-hcn-koffi-[0-9a-f]{16}\.node/;
const addonNameLength = `${addonPrefix}0123456789abcdef.node`.length;

function identify(path: string): FileIdentity {
  const hash = createHash('sha256');
  let addon: string | undefined;
  let end = Buffer.alloc(0);
  for (const piece of readPieces(path)) {
    hash.update(piece);
    if (addon !== undefined) continue;
    const start = Buffer.concat([end, piece.subarray(0, addonNameLength)]);
    const bytes = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
    addon = findAddon(start) ?? findAddon(bytes);
    end = Buffer.from(bytes.subarray(-addonNameLength));
  }
  return { sha256: hash.digest('hex'), addon };
}

/** The name of an addon in bytes. Searching bytes takes a fraction of the time that a regular expression takes. */
function findAddon(bytes: Buffer): string | undefined {
  for (let at = bytes.indexOf(addonPrefix); at !== -1; at = bytes.indexOf(addonPrefix, at + 1)) {
    const [name] = addonName.exec(bytes.toString('latin1', at, at + addonNameLength)) ?? [];
    if (name !== undefined) return name;
  }
  return undefined;
}

function run(program: string, args: readonly string[], seconds: number): Promise<ProgramResult> {
  const limits = { timeout: seconds * 1000, killSignal: 'SIGKILL', windowsHide: true } as const;
  return new Promise<ProgramResult>((resolve) => {
    const child = execFile(program, args, limits, (error, stdout, stderr) => {
      if (error === null) resolve({ exitCode: 0, stdout, stderr });
      else if (typeof error.code === 'number') resolve({ exitCode: error.code, stdout, stderr });
      else resolve({ problem: error.killed ? `it did not finish within ${seconds} s` : error.message });
    });
    child.stdin?.end();
  }).catch((error: unknown) => ({ problem: String(error) }));
}
