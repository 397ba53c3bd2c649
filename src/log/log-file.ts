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

/** A file of this many bytes is put aside before the next request writes, and this many are kept in all. */
const limit = 10 * 1024 * 1024;
const files = 5;
/** A claim that is older is one of a request that was killed. */
const claimMilliseconds = 60_000;

/**
 * Appends text to the file at a full path, whose folder is made where it is missing. A link is never followed, at no place of
 * the path, and a file that has a second name is not written to: who may make links in the folder could otherwise choose the
 * file. Answers whether the text was written; it never throws, and what failed once is not tried again.
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
  if (!isFullPath(path)) throw new Error('not a full path');
  makeFolder(dirname(path));
  const before = lstatSync(path, { throwIfNoEntry: false, bigint: true });
  if (before !== undefined) requireOwn(before);
  if (before !== undefined && before.size >= BigInt(limit)) unlessItFails(() => putAside(path, clock()));
  try {
    return openOwn(path);
  } catch {
    // Another request may have put the file aside between two looks at it; that happens once.
    return openOwn(path);
  }
}

function openOwn(path: string): number {
  const { O_APPEND, O_CREAT, O_WRONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
  const descriptor = openSync(path, O_APPEND | O_CREAT | O_WRONLY | O_NOFOLLOW | O_NONBLOCK, 0o640);
  try {
    const opened = fstatSync(descriptor, { bigint: true });
    const named = lstatSync(path, { bigint: true });
    requireOwn(opened);
    requireOwn(named);
    if (opened.ino !== named.ino || opened.dev !== named.dev) throw new Error('another file by now');
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
  return descriptor;
}

/** What is missing is made below a folder that has no link in its path. */
function makeFolder(folder: string): void {
  let existing = folder;
  while (!existsSync(existing) && existing !== dirname(existing)) existing = dirname(existing);
  requireNoLink(existing);
  mkdirSync(folder, { recursive: true, mode: 0o750 });
  requireNoLink(folder);
}

function requireNoLink(folder: string): void {
  const comparable = (path: string) => (process.platform === 'win32' ? path.toLowerCase() : path);
  if (comparable(realpathSync(folder)) !== comparable(resolve(folder))) throw new Error('a link in the path');
}

function requireOwn(stats: BigIntStats): void {
  if (!stats.isFile() || stats.nlink !== 1n) throw new Error('no file of its own');
}

/**
 * One request at a time does this, and looks again first: of two that saw the full file the second would put aside what the
 * first began anew. Nobody waits for the other; the file is used once more.
 */
function putAside(path: string, now: Date): void {
  const claim = `${path}.claim`;
  const left = lstatSync(claim, { throwIfNoEntry: false });
  if (left !== undefined && now.getTime() - left.mtimeMs > claimMilliseconds) rmSync(claim);
  closeSync(openSync(claim, 'wx', 0o640));
  try {
    if (lstatSync(path).size >= limit) rename(path, now);
  } finally {
    rmSync(claim);
  }
}

/** To a name that has the time, unless there is one. The oldest files that were put aside go. */
function rename(path: string, now: Date): void {
  const { dir, name, ext } = parse(path);
  const aside = join(dir, `${name}-${now.toISOString().replace(/[-:.]/g, '')}${ext}`);
  if (existsSync(aside)) return;
  renameSync(path, aside);
  const isOld = (other: string) =>
    other.startsWith(`${name}-`) &&
    /^\d{8}T\d{9}Z$/.test(other.slice(name.length + 1, -ext.length || undefined));
  const old = readdirSync(dir).filter((other) => other.endsWith(ext) && isOld(other));
  for (const other of old.sort().slice(0, -(files - 1))) {
    unlessItFails(() => rmSync(join(dir, other), { force: true }));
  }
}

/** What is not needed for the next line may wait for the next request. */
function unlessItFails(work: () => void): void {
  try {
    work();
  } catch {
    return;
  }
}

/** On Windows a path without a drive could be on another machine. */
function isFullPath(path: string): boolean {
  return process.platform === 'win32' ? /^[A-Za-z]:[\\/](?![\\/])/.test(path) : isAbsolute(path);
}
