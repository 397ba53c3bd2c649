import { readSync, writeSync } from 'node:fs';
import { maximumBytes } from '../cni/text.ts';

/**
 * Reads stdin to its end. Throws if it exceeds `maximumBytes`, after reading one byte more. A closed or missing stdin is empty;
 * Windows reports the end of a pipe as an error.
 */
export function readStdin(): Uint8Array {
  const chunks: Buffer[] = [];
  const chunk = Buffer.alloc(65536);
  let total = 0;
  for (;;) {
    let length: number;
    try {
      length = readSync(0, chunk, 0, Math.min(chunk.length, maximumBytes + 1 - total), null);
    } catch (error) {
      if (errorCode(error) === 'EAGAIN') {
        pause();
        continue;
      }
      if (['EOF', 'EISDIR', 'EBADF'].includes(errorCode(error))) break;
      throw error;
    }
    if (length === 0) break;
    total += length;
    if (total > maximumBytes) throw new Error(`it exceeds ${maximumBytes} bytes (1 MiB)`);
    chunks.push(Buffer.from(chunk.subarray(0, length)));
  }
  return Buffer.concat(chunks);
}

export function readStdinWithin(milliseconds: number): Promise<Uint8Array> {
  const stdin = stdinStream();
  if (stdin === undefined) return Promise.resolve(readStdin());
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let total = 0;
    const finish = (): void => {
      clearTimeout(timeout);
      stdin.destroy();
      resolve(Buffer.concat(chunks));
    };
    const timeout = setTimeout(finish, milliseconds);
    stdin.on('data', (data: Buffer) => {
      chunks.push(data);
      total += data.length;
      if (total > maximumBytes) finish();
    });
    stdin.on('end', finish);
    stdin.on('error', finish);
  });
}

/** Undefined if Node does not recognize stdin as a console, file or pipe, such as a pipe under Wine. `readStdin` can read it. */
function stdinStream(): NodeJS.ReadStream | undefined {
  try {
    return process.stdin;
  } catch {
    return undefined;
  }
}

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

function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
