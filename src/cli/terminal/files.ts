import { win32 } from 'node:path';
import { errorCode, errorMessage } from '../../cni/error.ts';
import type { FileEnd } from './read-file.ts';

/** How commands read and write files. */
export interface Files {
  /** Reads a regular file of at most `most` bytes. Default: `maximumFileBytes`. Throws as node:fs does. */
  readFile(path: string, most?: number): Uint8Array;
  /** The last `most` bytes of a regular file, and when it was last written; undefined if it cannot be read. */
  readEnd(path: string, most: number): FileEnd | undefined;
  /** The names in a folder. Throws as node:fs does. */
  listFolder(path: string): readonly string[];
  /** Creates or replaces a file; removes it if writing fails midway. Throws as node:fs does. */
  writeFile(path: string, bytes: Uint8Array): void;
  /** Removes a file if it exists. Throws as node:fs does. */
  removeFile(path: string): void;
}

/** A file or folder that cannot be used: `cannot read net.conflist: no such file`. */
export class FileError extends Error {
  override readonly name = 'FileError';
  /** Node's code, such as ENOENT. */
  readonly code: unknown;
  /** As in `no such file`. */
  readonly reason: string;

  constructor(action: Action, path: string, cause: unknown) {
    const reason = reasonOf(action, cause);
    super(`cannot ${action} ${path}: ${reason}`, { cause });
    this.code = errorCode(cause);
    this.reason = reason;
  }
}

/** What was to be done with the file or folder. */
export type Action = 'read' | 'list' | 'write' | 'remove';

/** The reason of a failure in words, without the action and the path. */
export function fileProblem(error: unknown): string {
  return error instanceof FileError ? error.reason : reasonOf('read', error);
}

/** Whether an error means that the file or folder does not exist. */
export function isMissingFile(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR'].some((code) => code === errorCode(error));
}

/** The errors of node:fs. https://nodejs.org/docs/latest-v26.x/api/errors.html#common-system-errors */
const reasons: ReadonlyMap<unknown, string> = new Map([
  ['EACCES', 'permission denied'],
  ['EPERM', 'permission denied'],
  ['EBUSY', 'another program uses it'],
  ['EEXIST', 'it already exists'],
  ['EFBIG', 'the file would be too large'],
  ['EISDIR', 'it is a folder'],
  ['ELOOP', 'too many links'],
  ['EMFILE', 'too many open files'],
  ['ENAMETOOLONG', 'the path is too long'],
  ['ENFILE', 'too many open files'],
  ['ENOSPC', 'the disk is full'],
  ['EROFS', 'the disk is read-only'],
]);

/** What is missing if a path does not exist. A file that cannot be written lacks its folder. */
const missing: Readonly<Record<Action, string>> = {
  read: 'no such file',
  list: 'no such folder',
  write: 'no such folder',
  remove: 'no such file',
};

function reasonOf(action: Action, error: unknown): string {
  const code = errorCode(error);
  if (code === 'ENOTDIR') return action === 'list' ? 'it is not a folder' : missing[action];
  if (code === 'ENOENT') return missing[action];
  const message = errorMessage(error);
  // `unknown error` of `UNKNOWN: unknown error, open 'C:\net.conflist'`.
  return reasons.get(code) ?? /^[A-Z][A-Z0-9]+: (.*?), [a-z]+\b/.exec(message)?.[1] ?? message;
}

/** The sorted names in a folder; undefined if the folder does not exist. Throws other errors as node:fs does. */
export function listFolderIfExists(
  folder: string,
  { listFolder }: Pick<Files, 'listFolder'>,
): readonly string[] | undefined {
  try {
    return listFolder(folder).toSorted();
  } catch (error) {
    if (isMissingFile(error)) return undefined;
    throw error;
  }
}

/** Checks the path of a file to create, before a command works for it. Returns the problem; undefined if there is none. */
export function checkNewFile(file: string, force: boolean, terminal: Files): string | undefined {
  const { root, dir, base } = win32.parse(file);
  if (file.slice(root.length).includes(':')) return `${file} is not the name of a file: it contains a colon`;
  const folder = dir || '.';
  try {
    const names = listFolderIfExists(folder, terminal);
    if (names === undefined) return `folder ${folder} does not exist`;
    const exists = names.some((other) => other.toLowerCase() === base.toLowerCase());
    if (exists && !force) return `${file} already exists: replace it with --force`;
  } catch (error) {
    return errorMessage(error);
  }
  return undefined;
}

/** Wraps files: errors state which file cannot be read or written, and why. They keep the code of node:fs. */
export function withFileErrors(files: Files): Files {
  const worded =
    <Rest extends readonly unknown[], T>(action: Action, work: (path: string, ...rest: Rest) => T) =>
    (path: string, ...rest: Rest): T => {
      try {
        return work(path, ...rest);
      } catch (cause) {
        throw new FileError(action, path, cause);
      }
    };
  return {
    readFile: worded('read', files.readFile),
    readEnd: files.readEnd,
    listFolder: worded('list', files.listFolder),
    writeFile: worded('write', files.writeFile),
    removeFile: worded('remove', files.removeFile),
  };
}
