import { CniError, code, errorMessage } from '../../cni/error.ts';
import {
  accountName,
  fileAccess,
  isWindowsFolder,
  restrictingCommands,
  writersOf,
} from '../terminal/access.ts';
import { runQuery } from '../terminal/powershell.ts';
import type { Session } from '../terminal/session.ts';
import type { FileChange } from './file-changes.ts';
import type { InstallFiles } from './files.ts';
import type { Folder } from './folders.ts';

/**
 * Restricts access to folders. Creates missing ones. `remarks` are for the user to decide; of a folder that `isOpen`, other accounts could have
 * modified the files, which must not be executed. A folder behind a link is not restricted, because the link's maker would choose whose
 * access changes: throws CniError if others than administrators can modify it or the link.
 */
export async function accessChanges(
  folders: readonly Folder[],
  { system, terminal }: Pick<Session, 'system' | 'terminal'>,
) {
  const creations = folders
    .filter(({ isMissing }) => isMissing)
    .map((one) => createFolder(one, system.windows));
  const existing = folders.filter(({ isMissing }) => !isMissing);
  if (!system.windows || existing.length === 0)
    return { changes: creations, remarks: [], isOpen: () => false };
  const paths = existing.flatMap(({ given, path }) => [given, path]);
  const found = await runQuery(terminal, fileAccess([...new Set(paths)]));
  if ('error' in found) {
    const remark = `Access to ${existing.map(({ path }) => path).join(', ')} is not checked: ${found.error}. Only administrators and SYSTEM may modify these folders.`;
    return { changes: creations, remarks: [remark], isOpen: () => false };
  }
  const accountsOf = ({ given, path }: Folder) => {
    const files = found.value.filter((file) => file.path === given || file.path === path);
    return [...new Set(files.flatMap((file) => writersOf(file, false)))].map(accountName).join(', ');
  };
  const open = existing.filter((folder) => accountsOf(folder) !== '');
  const link = open.find(({ given, path }) => given !== path);
  if (link !== undefined)
    throw new CniError(
      code.ioFailure,
      `${link.given} leads to ${link.path}, and ${accountsOf(link)} can modify one of them. Specify ${link.path} instead, which is then restricted.`,
    );
  const [kept, restricted] = [true, false].map((ofWindows) =>
    open.filter(({ path }) => isWindowsFolder(path) === ofWindows),
  );
  return {
    changes: [...creations, ...(restricted ?? []).map(restrictFolder)],
    remarks: (kept ?? []).map(
      (folder) => `${folder.path} can be modified by ${accountsOf(folder)}. Specify another folder.`,
    ),
    isOpen: (folder: Folder) => open.includes(folder),
  };
}

const restricted = 'restrict access to administrators and SYSTEM';

/** Creates a folder with its missing parents. On Windows the topmost one is restricted: the others inherit its access list. */
function createFolder({ path }: Folder, windows: boolean): FileChange {
  return {
    title: `create folder ${path}${windows ? ` and ${restricted}` : ''}`,
    run: async (files) => {
      const top = files.makeFolder(path);
      if (windows && top !== undefined) await restrict(top, files);
    },
  };
}

function restrictFolder({ path }: Folder): FileChange {
  return { title: `${restricted}: ${path}`, run: (files) => restrict(path, files) };
}

/** Runs icacls. https://learn.microsoft.com/windows-server/administration/windows-commands/icacls */
async function restrict(path: string, { run }: Pick<InstallFiles, 'run'>): Promise<void> {
  const program = `${process.env['SystemRoot'] ?? 'C:\\Windows'}\\System32\\icacls.exe`;
  for (const words of restrictingCommands(path, true)) {
    const problem = await run(program, words, 30).then(
      ({ exitCode, stderr }) => exitCode !== 0 && `exit code ${exitCode}: ${stderr.trim()}`,
      errorMessage,
    );
    if (problem)
      throw new CniError(
        code.ioFailure,
        `cannot restrict access to ${path}: icacls failed with ${problem}. Run this command as an administrator.`,
      );
  }
}
