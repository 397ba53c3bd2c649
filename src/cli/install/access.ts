import { CniError, code, errorMessage } from '../../cni/error.ts';
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
import { ancestorFolders, isSamePath, joinPath, parentFolder } from '../terminal/windows-path.ts';
import { findConfigurations } from './configurations.ts';
import { binFilesIn } from './executables.ts';
import type { FileChange } from './file-changes.ts';
import type { InstallFiles } from './files.ts';
import type { Folder } from './folders.ts';
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
