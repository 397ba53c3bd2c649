import { zipSync } from 'fflate';
import { detectEncoding } from '../../cni/text.ts';
import type { BundleFile } from './collector.ts';
import { redact, redactToml } from './redact.ts';

/** The most that is kept of one file, and of all, in bytes. */
export interface Caps {
  readonly file: number;
  readonly all: number;
}

const mebibyte = 1024 * 1024;
export const caps: Caps = { file: 8 * mebibyte, all: 96 * mebibyte };

/** A file as a bundle has it. */
export interface PackedFile {
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly redacted: number;
  /** What it was before it was cut, in bytes; undefined for a whole one. */
  readonly cutFrom?: number;
}

/** Files without secrets and no larger than they may be, and the paths of those there is no room for. */
export function prepare(
  files: readonly BundleFile[],
  { file, all }: Caps,
): { readonly packed: readonly PackedFile[]; readonly leftOut: readonly string[] } {
  const packed: PackedFile[] = [];
  const leftOut: string[] = [];
  let left = all;
  for (const given of files) {
    const clean = withoutSecrets(given, file);
    if (clean.bytes.length > left) leftOut.push(given.path);
    else {
      packed.push(clean);
      left -= clean.bytes.length;
    }
  }
  return { packed, leftOut };
}

/** Cut where its secrets are gone, so that none is cut off from its name; what is far too long, before as well. */
function withoutSecrets({ path, bytes, newestLast = false }: BundleFile, most: number): PackedFile {
  const clean = redacted(path, cut(bytes, newestLast, 4 * most));
  const kept = cut(clean.bytes, newestLast, most);
  return { ...clean, bytes: kept, ...(kept.length < clean.bytes.length && { cutFrom: bytes.length }) };
}

/** Byte for byte as it was, but for the secrets. A page of HTML is made of what has none any more. */
function redacted(path: string, bytes: Uint8Array): PackedFile {
  if (path.endsWith('.html')) return { path, bytes, redacted: 0 };
  const { decode, encode } = codecs[detectEncoding(bytes)] ?? latin1;
  const { text, count } = (path.endsWith('.toml') ? redactToml : redact)(decode(Buffer.from(bytes)));
  return { path, bytes: count === 0 ? bytes : encode(text), redacted: count };
}

interface Codec {
  decode(bytes: Buffer): string;
  encode(text: string): Uint8Array;
}

/** To take UTF-8 for Latin-1 keeps every byte, of invalid UTF-8 too. */
const latin1: Codec = {
  decode: (bytes) => bytes.toString('latin1'),
  encode: (text) => Buffer.from(text, 'latin1'),
};
const codecs: Readonly<Record<string, Codec>> = {
  'utf-16le': {
    decode: (bytes) => bytes.toString('utf16le'),
    encode: (text) => Buffer.from(text, 'utf16le'),
  },
  'utf-16be': {
    decode: (bytes) =>
      bytes
        .subarray(0, bytes.length - (bytes.length % 2))
        .swap16()
        .toString('utf16le'),
    encode: (text) => Buffer.from(text, 'utf16le').swap16(),
  },
};

/** Where a line begins, unless that leaves nothing. */
function cut(bytes: Uint8Array, newestLast: boolean, most: number): Uint8Array {
  const { length } = bytes;
  if (length <= most) return bytes;
  const newline = 10;
  const last = bytes.lastIndexOf(newline, most - 1) + 1;
  const first = bytes.indexOf(newline, length - most - 1) + 1;
  return newestLast
    ? bytes.subarray(first > 0 && first < length ? first : length - most)
    : bytes.subarray(0, last > 0 ? last : most);
}

/** The files as a zip, each of that time. */
export function zip(files: readonly Pick<PackedFile, 'path' | 'bytes'>[], time: Date): Uint8Array {
  // A zip's time begins in 1980, and a node's clock may not.
  const mtime = Math.max(time.getTime(), Date.UTC(1980, 0, 2));
  return zipSync(Object.fromEntries(files.map(({ path, bytes }) => [path, bytes])), { mtime });
}
