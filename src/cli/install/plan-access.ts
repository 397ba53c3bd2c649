import { runQuery } from '../doctor/powershell.ts';
import {
  accountName,
  isTrusted,
  isWindowsFolder,
  restrictingCommands,
  writersOf,
} from '../doctor/runtime/access-rule.ts';
import { type FileAccess, fileAccess } from '../doctor/runtime/file-access.ts';
import { ancestorFolders, isSamePath, joinPath, parentFolder } from '../doctor/windows-path.ts';
import type { Session } from '../session.ts';
import type { InstallFiles } from './files.ts';
import { binFileOf, confFileOf } from './layout.ts';
import { findOwnConfigurations } from './plan-configuration.ts';
import { findCopies, listIfPresent } from './plan-executables.ts';
import { planFolder } from './plan-folder.ts';
import type { InstallStep } from './step.ts';

/** What only administrators may modify. */
export interface Protected {
  /** Paths with links. The steps never follow one: whoever made it would choose whose access changes. */
  readonly folders: readonly string[];
  /** The installation's own files in them: what SYSTEM runs or reads. */
  readonly files: readonly string[];
}

/** The steps that restrict what others than administrators can modify, and what the user must decide. */
export async function planAccess(
  { folders: given, files: own }: Protected,
  files: InstallFiles,
  { system, terminal }: Pick<Session, 'system' | 'terminal'>,
): Promise<{ readonly steps: readonly InstallStep[]; readonly remarks: readonly string[] }> {
  if (!system.windows || given.length === 0) return { steps: [], remarks: [] };
  const resolved = given.map((path) => planFolder(path, files).path);
  const folders = given.filter((path, index) => isSamePath(path, resolved[index] ?? ''));
  const targets = resolved.filter((path) => !folders.some((folder) => isSamePath(folder, path)));
  const parents = [...new Set([...given, ...resolved].flatMap(ancestorFolders))].filter(
    (path) => !resolved.includes(path),
  );
  const found = await runQuery(terminal, fileAccess([...folders, ...own, ...targets, ...parents]));
  if ('error' in found)
    return {
      steps: [],
      remarks: [
        `The access lists of ${given.join(', ')} are not checked: ${found.error}. Only administrators and SYSTEM may modify these folders.`,
      ],
    };
  const open = found.value.flatMap((file) => {
    const accounts = writersOf(file, parents.includes(file.path));
    return accounts.length === 0 ? [] : [{ file, accounts }];
  });
  const restricted = open.filter(({ file: { path } }) => folders.includes(path) && !isWindowsFolder(path));
  const isInherited = ({ path, owner, allowed }: FileAccess, accounts: readonly string[]) =>
    restricted.some(({ file }) => isSamePath(file.path, parentFolder(path))) &&
    isTrusted(owner) &&
    !allowed.some((rule) => !rule.isInherited && accounts.includes(rule.sid));
  const ownOpen = open.filter(
    ({ file, accounts }) => own.includes(file.path) && !isInherited(file, accounts),
  );
  return {
    steps: [...restricted, ...ownOpen].map(({ file, accounts }) => ({
      do: 'restrict access',
      path: file.path,
      commands: restrictingCommands(file, accounts),
    })),
    remarks: open
      .filter((one) => !restricted.includes(one) && !own.includes(one.file.path))
      .map(
        ({ file, accounts }) =>
          `${file.path} can be replaced or modified by ${accounts.map(accountName).join(', ')}. Remove this right unless other software needs it.`,
      ),
  };
}

/** The programs and the addon of an installation, without what the next repair deletes. */
export function ownPrograms(bin: string, files: InstallFiles): readonly string[] {
  const kinds: readonly (string | undefined)[] = ['executable', 'previous', 'kept', 'addon'];
  const names = listIfPresent(bin, files).filter((name) => kinds.includes(binFileOf(name)?.kind));
  return filesAt([...names, ...findCopies(bin, files)], bin, files);
}

/** The configurations of an installation, also those that it has parked. */
export function ownConfigurations(conf: string, files: InstallFiles): readonly string[] {
  const parked = listIfPresent(conf, files).filter((name) => confFileOf(name)?.kind === 'parked');
  return filesAt([...findOwnConfigurations(conf, files).map(({ name }) => name), ...parked], conf, files);
}

function filesAt(names: readonly string[], folder: string, files: InstallFiles): readonly string[] {
  return names.map((name) => joinPath(folder, name)).filter((path) => files.status(path)?.kind === 'file');
}
