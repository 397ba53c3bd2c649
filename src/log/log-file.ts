import {
  type BigIntStats,
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname, isAbsolute, join, parse, resolve } from 'node:path';

/** A log file that reaches this size in bytes is rotated by the next request. This many files are kept. */
const maximumSize = 10 * 1024 * 1024;
const maximumFiles = 5;

/**
 * Appends text to the file at a full path, and creates its folder if missing. Links anywhere in the path are refused, and so is a file
 * with a second hard link: an account that may create links in the folder could otherwise choose the file. The returned function
 * returns whether the text was written, never throws, and does nothing after a failure.
 */
export function openLogFile(path: string, clock: () => Date): (text: string) => boolean {
  let descriptor: number | undefined;
  let failed = false;
  return (text) => {
    if (failed) return false;
    try {
      descriptor ??= open(path, clock);
      const bytes = Buffer.from(text);
      failed = writeSync(descriptor, bytes) < bytes.length;
    } catch {
      failed = true;
    }
    return !failed;
  };
}

function open(path: string, clock: () => Date): number {
  // On Windows a path without a drive could be on another machine.
  if (process.platform === 'win32' ? !/^[A-Za-z]:[\\/](?![\\/])/.test(path) : !isAbsolute(path))
    throw new Error('not a full path');
  createFolder(dirname(path));
  const before = lstatSync(path, { throwIfNoEntry: false, bigint: true });
  if (before !== undefined) requireRegularFile(before);
  if (before !== undefined && before.size >= BigInt(maximumSize)) ignoreFailure(() => rotate(path, clock()));
  try {
    return openRegularFile(path);
  } catch {
    // Another request may have rotated the file between two checks; that happens once.
    return openRegularFile(path);
  }
}

function openRegularFile(path: string): number {
  const { O_APPEND, O_CREAT, O_WRONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
  const descriptor = openSync(path, O_APPEND | O_CREAT | O_WRONLY | O_NOFOLLOW | O_NONBLOCK, 0o640);
  try {
    const opened = fstatSync(descriptor, { bigint: true });
    const named = lstatSync(path, { bigint: true });
    requireRegularFile(opened);
    requireRegularFile(named);
    if (opened.ino !== named.ino || opened.dev !== named.dev) throw new Error('the file was replaced');
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
  return descriptor;
}

/** Creates missing folders below a folder that has no link in its path. */
function createFolder(folder: string): void {
  let existing = folder;
  while (!existsSync(existing) && existing !== dirname(existing)) existing = dirname(existing);
  requireNoLink(existing);
  if (existing === folder) return;
  mkdirSync(folder, { recursive: true, mode: 0o750 });
  requireNoLink(folder);
}

function requireNoLink(folder: string): void {
  const comparable = (path: string) => (process.platform === 'win32' ? path.toLowerCase() : path);
  if (comparable(realpathSync(folder)) !== comparable(resolve(folder))) throw new Error('a link in the path');
}

function requireRegularFile(stats: BigIntStats): void {
  if (!stats.isFile() || stats.nlink !== 1n) throw new Error('not a regular file with one name');
}

/**
 * Renames the log to a name with the time, unless that exists, and deletes the oldest rotated files. Checks the size again, because another
 * request may have rotated the log. Between two requests at the same moment this is no guarantee: a small file is then rotated too.
 */
function rotate(path: string, now: Date): void {
  if (lstatSync(path).size < maximumSize) return;
  const { dir, name, ext } = parse(path);
  const rotated = join(dir, `${name}-${now.toISOString().replace(/[-:.]/g, '')}${ext}`);
  if (existsSync(rotated)) return;
  renameSync(path, rotated);
  const isOld = (other: string) =>
    other.startsWith(`${name}-`) &&
    /^\d{8}T\d{9}Z$/.test(other.slice(name.length + 1, -ext.length || undefined));
  const old = readdirSync(dir).filter((other) => other.endsWith(ext) && isOld(other));
  for (const other of old.sort().slice(0, -(maximumFiles - 1))) {
    ignoreFailure(() => rmSync(join(dir, other), { force: true }));
  }
}

/** For work that the next request can repeat. */
function ignoreFailure(work: () => void): void {
  try {
    work();
  } catch {
    return;
  }
}
