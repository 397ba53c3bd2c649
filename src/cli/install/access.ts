import { resolve } from 'node:path';
import { CniError, code, errorMessage } from '../../cni/error.ts';
import { type FolderFlags, findRuntimeFolders } from '../containerd/runtime-folders.ts';
import {
  accountName,
  type FileAccess,
  fileAccess,
  isWindowsFolder,
  restrictingCommands,
  writersOf,
} from '../terminal/access.ts';
import { runQuery } from '../terminal/powershell.ts';
import type { Session } from '../terminal/session.ts';
import { ancestorFolders, fileName, isSamePath, joinPath, parentFolder } from '../terminal/windows-path.ts';
import { findConfigurations } from './configurations.ts';
import { binFilesIn } from './executables.ts';
import type { FileChange } from './file-changes.ts';
import type { InstallFiles } from './files.ts';
import { ending } from './names.ts';

/** What makes an installation safe from accounts other than administrators. */
export interface AccessChanges {
  readonly changes: readonly FileChange[];
  /** What the user must decide. */
  readonly remarks: readonly string[];
  /** The files that other accounts could have modified. They must not be executed. */
  readonly distrusted: readonly string[];
}

/** A path that these accounts, other than administrators, can modify or replace. */
interface OpenPath {
  readonly file: FileAccess;
  readonly accounts: readonly string[];
}

/**
 * Restricts access to folders and to an installation's files in them. A path that leads to another folder is never restricted, because its
 * maker would choose whose access changes: throws CniError if others than administrators can modify that folder.
 */
export async function accessChanges(
  folders: readonly Folder[],
  disk: InstallFiles,
  { system, terminal }: Pick<Session, 'system' | 'terminal'>,
): Promise<AccessChanges> {
  if (!system.windows) return { changes: [], remarks: [], distrusted: [] };
  const all = [
    ...new Set(folders.flatMap(({ given, path }) => (isSamePath(given, path) ? [path] : [given, path]))),
  ];
  const parents = [...new Set(all.flatMap(ancestorFolders))].filter((path) => !all.includes(path));
  const files = folders.flatMap(({ path }) => filesIn(path, disk));
  const found = await runQuery(terminal, fileAccess([...all, ...files, ...parents]));
  if ('error' in found)
    return {
      changes: [],
      remarks: [
        `The access lists of ${folders.map(({ given }) => given).join(', ')} are not checked: ${found.error}. Only administrators and SYSTEM may modify these folders.`,
      ],
      distrusted: [],
    };
  const open = found.value.flatMap((file): readonly OpenPath[] => {
    const accounts = writersOf(file, parents.includes(file.path));
    return accounts.length === 0 ? [] : [{ file, accounts }];
  });
  for (const folder of folders) refuseOpenLink(folder, open);
  const restricted = open.filter(
    ({ file: { path } }) => [...all, ...files].includes(path) && !isWindowsFolder(path),
  );
  return {
    changes: restricted.map(({ file, accounts }) => ({
      title: `restrict access to ${file.path} to administrators and SYSTEM`,
      run: (running) => restrict(file.path, restrictingCommands(file, accounts), running),
    })),
    remarks: open
      .filter((one) => !restricted.includes(one))
      .map(
        ({ file, accounts }) =>
          `${file.path} can be replaced or modified by ${namesOf(accounts)}. Remove this right unless other software needs it.`,
      ),
    distrusted: files.filter((path) =>
      restricted.some(({ file }) => isSamePath(file.path, path) || isSamePath(file.path, parentFolder(path))),
    ),
  };
}

/** The files of an installation in a folder, by their paths. */
function filesIn(folder: string, disk: InstallFiles): readonly string[] {
  const { active, parked } = findConfigurations(folder, disk);
  return [
    ...binFilesIn(folder, disk).map(({ path }) => path),
    ...active.map(({ name }) => joinPath(folder, name)),
    ...parked.map(({ name }) => joinPath(folder, `${name}${ending.original}`)),
  ];
}

function refuseOpenLink({ given, path }: Folder, open: readonly OpenPath[]): void {
  if (isSamePath(given, path)) return;
  const found = open.find(({ file }) => file.path === given || file.path === path);
  if (found === undefined) return;
  throw new CniError(
    code.ioFailure,
    `${given} leads to ${path}, and ${namesOf(found.accounts)} can modify ${found.file.path}. Restrict access to both, or specify ${path} instead, which is then restricted.`,
  );
}

function namesOf(accounts: readonly string[]): string {
  return accounts.map(accountName).join(', ');
}

/** Runs icacls with each of these arguments. https://learn.microsoft.com/windows-server/administration/windows-commands/icacls */
export async function restrict(
  path: string,
  commands: readonly (readonly string[])[],
  { run }: Pick<InstallFiles, 'run'>,
): Promise<void> {
  const program = `${process.env['SystemRoot'] ?? 'C:\\Windows'}\\System32\\icacls.exe`;
  for (const words of commands) {
    const problem = await run(program, words, 30).then(
      ({ exitCode, stderr }) =>
        exitCode !== 0 && `icacls ended with exit code ${exitCode}: ${stderr.trim().replace(/\.$/, '')}`,
      errorMessage,
    );
    if (problem)
      throw new CniError(
        code.ioFailure,
        `cannot restrict access to ${path}: ${problem}. Run this command as an administrator.`,
      );
  }
}

/** Creates missing folders. On Windows the topmost missing one is restricted: the others inherit its access list. */
export function createFolders(folders: readonly Folder[], windows: boolean): readonly FileChange[] {
  const created = folders.filter(({ missing }) => missing !== undefined);
  return created.map(({ path, missing = path }) => ({
    title: `create folder ${path}${windows ? ' and restrict access to administrators and SYSTEM' : ''}`,
    run: async (files) => {
      files.makeFolder(missing);
      // An administrator owns what an administrator creates.
      const access = { path: missing, isFolder: true, owner: 'S-1-5-32-544', allowed: [] };
      if (windows) await restrict(missing, restrictingCommands(access, []), files);
      files.makeFolder(path);
    },
  }));
}

/** A folder that an installation writes to. */
export interface Folder {
  /** As given: it can lead to another folder. */
  readonly given: string;
  /** Without links. */
  readonly path: string;
  /** The topmost missing folder of the path; undefined if it exists. */
  readonly missing: string | undefined;
}

/** The folders of an installation. */
export interface InstallFolders {
  readonly bin: Folder;
  readonly conf: Folder;
  /** How many configurations containerd uses; 0 for all. */
  readonly maxConfNum: number;
}

/**
 * Finds the folders of the runtime. Prints warnings. Throws CniError as `findRuntimeFolders` does, and if a path is not that of a folder.
 * `options`: those that the command has.
 */
export async function findFolders(
  flags: FolderFlags,
  session: Session,
  files: InstallFiles,
  options?: readonly (keyof FolderFlags)[],
): Promise<InstallFolders> {
  const { binDir, confDir, maxConfNum, warnings } = await findRuntimeFolders(flags, session, options);
  for (const warning of warnings) session.printStderr(`win-hcn: ${warning}`);
  const found = (path: string) => resolveFolder(fullPath(path, session), files);
  return { bin: found(binDir), conf: found(confDir), maxConfNum };
}

/** An absolute path. On other systems than Windows, a path of Windows already is one. */
function fullPath(path: string, { system }: Session): string {
  return system.windows && process.platform !== 'win32' ? path : resolve(path);
}

/** Follows links to a folder. Throws CniError if the path is not that of a folder. */
export function resolveFolder(given: string, files: InstallFiles): Folder {
  if (files.kindOf(given) === undefined) {
    const parent = parentFolder(given);
    if (parent === given || /^[\\/]*$/.test(parent)) return { given, path: given, missing: given };
    const above = resolveFolder(parent, files);
    const path = joinPath(above.path, fileName(given));
    return { given, path, missing: above.missing ?? path };
  }
  try {
    const path = files.resolve(given);
    if (files.kindOf(path) === 'folder') return { given, path, missing: undefined };
  } catch {
    // A link to nothing.
  }
  throw new CniError(
    code.ioFailure,
    `${given} does not lead to a folder. Rename it, or specify another folder with --bin-dir or --conf-dir.`,
  );
}
