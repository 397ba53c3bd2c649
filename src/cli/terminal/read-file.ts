import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from 'node:fs';
import { win32 } from 'node:path';
import { readToEnd, tooLong } from '../../system/stdio.ts';

/** The default size limit of a file. A list of 5,000 nodes with the images of the kubelet is smaller. */
export const maximumFileBytes = 64 * 1024 * 1024;

/** The end of a file. */
export interface FileEnd {
  readonly bytes: Uint8Array;
  /** The size of the file. */
  readonly size: number;
  readonly modified: Date;
}

/** Reads a file of at most `most` bytes. Throws as node:fs does, and for anything but a regular file, which might never end. */
export function readWholeFile(path: string, most: number = maximumFileBytes): Uint8Array {
  const { file, stats } = openFile(path);
  try {
    if (stats.size > most) throw tooLong(most);
    return readToEnd(file, most);
  } finally {
    closeSync(file);
  }
}

/** The last `most` bytes of a file, and when it was last written. Throws as `readWholeFile` does. */
export function readFileEnd(path: string, most: number): FileEnd {
  const { file, stats } = openFile(path);
  try {
    const bytes = new Uint8Array(Math.min(stats.size, most));
    const length = readSync(file, bytes, 0, bytes.length, stats.size - bytes.length);
    return { bytes: bytes.subarray(0, length), size: stats.size, modified: stats.mtime };
  } finally {
    closeSync(file);
  }
}

const pieceBytes = 1024 * 1024;

/** The bytes that a file had when it was opened, in pieces. The next piece overwrites the one before. Throws as `readWholeFile` does. */
export function* readPieces(path: string): Generator<Uint8Array> {
  const { file, stats } = openFile(path);
  try {
    const piece = Buffer.allocUnsafeSlow(pieceBytes);
    for (let left = stats.size; left > 0; ) {
      const length = readSync(file, piece, 0, Math.min(left, pieceBytes), null);
      if (length === 0) return;
      left -= length;
      yield piece.subarray(0, length);
    }
  } finally {
    closeSync(file);
  }
}

/** Opens a regular file without waiting. The caller closes it. */
function openFile(path: string): { readonly file: number; readonly stats: Stats } {
  if (isDevicePath(path)) throw new Error('it is a Windows device or pipe, not a file');
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stats = fstatSync(file);
    if (stats.isDirectory()) throw Object.assign(new Error('it is a folder'), { code: 'EISDIR' });
    if (!stats.isFile()) throw new Error('it is not a regular file');
    return { file, stats };
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

/**
 * Whether a path names a device or a pipe of Windows, which would block or have side effects when it is opened. Of the device namespace,
 * only drives and shares are files. A name such as `NUL` counts, although node:fs opens it as a file: it is typed by mistake. With an
 * extension it is a file. https://learn.microsoft.com/windows/win32/fileio/naming-a-file
 */
export function isDevicePath(path: string): boolean {
  const plain = win32.normalize(path);
  if (/^\\\\[.?]\\(?![A-Z]:\\|UNC\\)|^\\\?\?\\/i.test(plain)) return true;
  if (/^\\\\(?:[.?]\\UNC\\)?[^\\]+\\(?:pipe|mailslot)(?:\\|$)/i.test(plain)) return true;
  return !plain.startsWith('\\\\') && deviceName.test(plain);
}

const deviceName = /(?:^|[\\:])(?:CON|PRN|AUX|NUL|CONIN\$|CONOUT\$|(?:COM|LPT)[0-9¹²³])[ .]*(?::[^\\]*)?$/i;
