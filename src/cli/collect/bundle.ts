import { zipSync } from 'fflate';
import { detectEncoding } from '../../cni/text.ts';
import { codeCache, version } from '../../version.ts';
import type { BundleFile, Outcome } from './collector.ts';
import { type KnownSecrets, newKnownSecrets } from './known-secrets.ts';
import { redact } from './redact.ts';
import { secretNamesText } from './secret-names.ts';
import { type Learn, type Redacted, redactedMark } from './secret-shapes.ts';

/** Size limits for one file and for all files, in bytes. */
interface SizeLimits {
  readonly file: number;
  readonly all: number;
}

const mebibyte = 1024 * 1024;
export const sizeLimits: SizeLimits = { file: 8 * mebibyte, all: 96 * mebibyte };

/** A file without secrets and within its size limit. */
interface PackedFile {
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly redacted: number;
  /** Its size before truncation, in bytes; undefined if it is complete. */
  readonly truncatedFrom?: number;
}

/**
 * Removes secrets and truncates files. `leftOut` has the paths of the files that exceed the limit for all. `hide` removes the secrets of
 * all files from a text.
 */
export function packFiles(
  files: readonly BundleFile[],
  { file, all }: SizeLimits,
): {
  readonly packed: readonly PackedFile[];
  readonly leftOut: readonly string[];
  readonly hide: KnownSecrets['hide'];
} {
  const { learn, hide } = newKnownSecrets();
  const clean = files.map((given) => withoutSecrets(given, file, learn));
  const packed: PackedFile[] = [];
  const leftOut: string[] = [];
  let free = all;
  for (const given of clean) {
    const hidden = withText(given, hide);
    if (hidden.bytes.length > free) leftOut.push(given.path);
    else {
      packed.push(hidden);
      free -= hidden.bytes.length;
    }
  }
  return { packed, leftOut, hide };
}

/**
 * Truncates after removing secrets, so that no secret is separated from its name. A file four times too long is truncated before as well,
 * to save time.
 */
function withoutSecrets(given: BundleFile, max: number, learn: Learn): PackedFile {
  const { path, bytes, size = bytes.length, newestLast = false } = given;
  const start = { path, bytes: truncate(bytes, newestLast, 4 * max), redacted: 0 };
  const clean = withText(start, (text) => (given.redact ?? redact)(text, learn));
  const kept = truncate(clean.bytes, newestLast, max);
  return {
    ...clean,
    bytes: kept,
    ...((kept.length < clean.bytes.length || bytes.length < size) && { truncatedFrom: size }),
  };
}

/** Replaces secrets and changes no other byte. */
function withText(file: PackedFile, remove: (text: string) => Redacted): PackedFile {
  const { decode, encode } = codecs[detectEncoding(file.bytes)] ?? latin1;
  const { text, count } = remove(decode(Buffer.from(file.bytes)));
  return count === 0 ? file : { ...file, bytes: encode(text), redacted: file.redacted + count };
}

interface Codec {
  decode(bytes: Buffer): string;
  encode(text: string): Uint8Array;
}

/** Reading UTF-8 as Latin-1 preserves every byte, even of invalid UTF-8. */
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

/** Truncates at a line break, unless that leaves nothing. */
function truncate(bytes: Uint8Array, newestLast: boolean, max: number): Uint8Array {
  const { length } = bytes;
  if (length <= max) return bytes;
  const newline = 10;
  const last = bytes.lastIndexOf(newline, max - 1) + 1;
  const first = bytes.indexOf(newline, length - max - 1) + 1;
  return newestLast
    ? bytes.subarray(first > 0 && first < length ? first : length - max)
    : bytes.subarray(0, last > 0 ? last : max);
}

/** The files as a zip, with `time` as the time of each. */
export function zip(files: readonly Pick<PackedFile, 'path' | 'bytes'>[], time: Date): Uint8Array {
  // Times in a zip start in 1980; a node's clock may be before that.
  const mtime = Math.max(time.getTime(), Date.UTC(1980, 0, 2));
  return zipSync(Object.fromEntries(files.map(({ path, bytes }) => [path, bytes])), { mtime });
}

interface Bundle {
  readonly computer: string;
  /** When collecting started. */
  readonly time: Date;
  readonly outcomes: readonly Outcome[];
  readonly packed: readonly PackedFile[];
  /** The paths of the files that exceed the size limit. */
  readonly leftOut: readonly string[];
}

/** README.txt: describes the files of a bundle, what was redacted, and what is missing. */
export function readmeText({ computer, time, outcomes, packed, leftOut }: Bundle): string {
  const redacted = packed.reduce((sum, file) => sum + file.redacted, 0);
  const failed = outcomes.flatMap(({ collector, collected }) =>
    (collected.problems ?? []).map((problem) => `  ${collector.name}: ${redact(problem).text}`),
  );
  const absent = outcomes.flatMap(({ collector, collected }) =>
    collected.absent === undefined ? [] : [`  ${collector.name}: ${collected.absent}`],
  );
  const described = outcomes.flatMap(({ collector, collected }) => {
    const own = packed.filter(({ path }) => collected.files.some((file) => file.path === path));
    return own.length === 0 ? [] : [`  ${collector.about}`, ...own.map(fileLine)];
  });
  return [
    `Support bundle of win-hcn ${version}, created by win-hcn collect. Code cache: ${describeCodeCache(codeCache, process.arch)}.`,
    `Computer ${computer}, ${time.toISOString()}.`,
    'Start with doctor.txt and ls.txt.',
    '',
    'REDACTED',
    ...paragraph(
      `${redacted === 1 ? '1 value was' : `${redacted} values were`} replaced. ${redactedMark} replaces ${secretNamesText}; ` +
        'users and passwords in URLs and before @; parameters of URLs; PEM blocks; tokens of known formats; Base64 of a user and a ' +
        'password; and up to 100 of these secrets wherever they occur again. In the configurations of other programs, command lines and settings ' +
        'of HNS, <omitted: ...> replaces every value that is not known to be harmless. Secrets in other text are recognized by name and ' +
        'format only: review the files before you share them. They contain addresses and the names of containers and of this ' +
        'computer. Environment variables and kubeconfigs are not collected.',
    ),
    ...section('FAILED', failed),
    ...section('NOT FOUND', absent),
    ...section(
      'OVER THE SIZE LIMIT',
      leftOut.map((path) => `  ${path}`),
    ),
    '',
    'FILES',
    ...described,
    '',
  ].join('\n');
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ['', title, ...lines];
}

function fileLine({ path, bytes, redacted, truncatedFrom }: PackedFile): string {
  const notes = [
    `${bytes.length} bytes`,
    ...(truncatedFrom === undefined ? [] : [`truncated from ${truncatedFrom}`]),
    ...(redacted === 0 ? [] : [`${redacted} redacted`]),
  ];
  return `    ${path} (${notes.join(', ')})`;
}

/** Lines of at most 100 characters, indented. */
function paragraph(text: string): readonly string[] {
  return text.match(/.{1,98}(?= |$)/g)?.map((line) => `  ${line.trim()}`) ?? [];
}

/** The state of the code cache. Without one, each request starts more slowly: only for arm64 that is expected. */
export function describeCodeCache(state: string, arch: string): string {
  return state === 'none' && arch === 'arm64' ? 'none, as in every release for arm64' : state;
}
