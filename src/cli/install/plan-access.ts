import { runQuery } from '../doctor/powershell.ts';
import {
  accountName,
  isWindowsFolder,
  restrictingCommands,
  writersOf,
} from '../doctor/runtime/access-rule.ts';
import { fileAccess } from '../doctor/runtime/file-access.ts';
import { ancestorFolders } from '../doctor/windows-path.ts';
import type { Session } from '../session.ts';
import type { InstallStep } from './step.ts';

/** The steps that restrict folders which others than administrators can modify, and what the user must decide. */
export async function planAccess(
  folders: readonly string[],
  { system, terminal }: Pick<Session, 'system' | 'terminal'>,
): Promise<{ readonly steps: readonly InstallStep[]; readonly remarks: readonly string[] }> {
  if (!system.windows || folders.length === 0) return { steps: [], remarks: [] };
  const parents = [...new Set(folders.flatMap(ancestorFolders))].filter((path) => !folders.includes(path));
  const found = await runQuery(terminal, fileAccess([...folders, ...parents]));
  if ('error' in found)
    return {
      steps: [],
      remarks: [
        `The access lists of ${folders.join(', ')} are not checked: ${found.error}. Only administrators and SYSTEM may modify these folders.`,
      ],
    };
  const open = found.value.flatMap((file) => {
    const isParent = parents.includes(file.path);
    const accounts = writersOf(file, isParent);
    return accounts.length === 0 ? [] : [{ file, isParent, accounts }];
  });
  const own = open.filter(({ file, isParent }) => !isParent && !isWindowsFolder(file.path));
  return {
    steps: own.map(({ file, accounts }) => ({
      do: 'restrict access',
      path: file.path,
      commands: restrictingCommands(file, accounts),
    })),
    remarks: open
      .filter((one) => !own.includes(one))
      .map(
        ({ file, accounts }) =>
          `${file.path} can be replaced or modified by ${accounts.map(accountName).join(', ')}. Remove this right unless other software needs it.`,
      ),
  };
}
