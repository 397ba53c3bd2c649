import { fstatSync, read, readSync, writeSync } from 'node:fs';
import { errorCode } from '../cni/error.ts';
import { maximumBytes } from '../cni/text.ts';

/**
 * Reads stdin to its end. Throws if it has more than `most` bytes, after reading one byte more. A closed or missing stdin is empty;
 * Windows reports the end of a pipe as an error.
 */
export function readStdin(most: number = maximumBytes): Uint8Array {
  return readToEnd(0, most, ['EOF', 'EISDIR', 'EBADF']);
}

/** Reads an open file to its end, or to an error whose code is in `ends`. Throws if it has more than `most` bytes, as `readStdin` does. */
export function readToEnd(descriptor: number, most: number, ends: readonly string[] = []): Uint8Array {
  const chunks: Buffer[] = [];
  const chunk = Buffer.alloc(65536);
  let total = 0;
  for (;;) {
    let length: number;
    try {
      length = readSync(descriptor, chunk, 0, Math.min(chunk.length, most + 1 - total), null);
    } catch (error) {
      if (errorCode(error) === 'EAGAIN') {
        pause();
        continue;
      }
      if (ends.some((one) => one === errorCode(error))) break;
      throw error;
    }
    if (length === 0) break;
    total += length;
    if (total > most) throw tooLong(most);
    chunks.push(Buffer.from(chunk.subarray(0, length)));
  }
  return Buffer.concat(chunks);
}

/** The error for input of more than `most` bytes. */
export function tooLong(most: number): Error {
  return new Error(`it exceeds ${most} bytes (${most / 2 ** 20} MiB)`);
}

/**
 * The bytes that stdin has within this time; never rejects. A console or another device counts as empty. A pipe that stays open keeps
 * the process alive.
 */
export function readStdinWithin(milliseconds: number): Promise<Uint8Array> {
  const kind = stdinKind();
  if (kind !== 'pipe') return Promise.resolve(kind === 'device' ? Buffer.alloc(0) : readStdin());
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const chunk = Buffer.alloc(65536);
    let total = 0;
    const finish = (): void => {
      clearTimeout(timeout);
      resolve(Buffer.concat(chunks));
    };
    const timeout = setTimeout(finish, milliseconds);
    const readNext = (): void =>
      read(0, chunk, 0, chunk.length, null, (error, length) => {
        if (errorCode(error) === 'EAGAIN') {
          setTimeout(readNext, 5).unref();
          return;
        }
        total += length;
        if (error !== null || length === 0 || total > maximumBytes) {
          finish();
          return;
        }
        chunks.push(Buffer.from(chunk.subarray(0, length)));
        readNext();
      });
    readNext();
  });
}

/** A pipe may never end. What cannot be examined, such as a pipe under Wine, counts as a file. */
function stdinKind(): 'pipe' | 'device' | 'file' {
  try {
    const stats = fstatSync(0);
    if (stats.isCharacterDevice()) return 'device';
    return stats.isFIFO() || stats.isSocket() ? 'pipe' : 'file';
  } catch {
    return 'file';
  }
}

/** Writes all of a text to stdout. Throws if the reader is gone. */
export function writeStdout(text: string): void {
  writeAll(1, text);
}

/** Writes synchronously: a Node stream may still hold the output when the process ends. */
function writeAll(descriptor: number, text: string | Buffer): void {
  let rest = Buffer.from(text);
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(descriptor, rest));
    } catch (error) {
      if (errorCode(error) !== 'EAGAIN') throw error;
      pause();
    }
  }
}

/** Ignores failures, such as a closed stderr. */
export function writeStderr(text: string | Buffer): void {
  try {
    writeAll(2, text);
  } catch {
    return;
  }
}

/** Waits 5 ms for the other end of a pipe. */
function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
}
