import { CniError, code } from '../../cni/error.ts';
import {
  accountName,
  isTrusted,
  isWindowsFolder,
  restrictingCommands,
  writersOf,
} from '../terminal/access-rule.ts';
import { type FileAccess, fileAccess } from '../terminal/file-access.ts';
import { runQuery } from '../terminal/powershell-query.ts';
import type { Session } from '../terminal/session.ts';
import { ancestorFolders, isSamePath, joinPath, parentFolder } from '../terminal/windows-path.ts';
import type { InstallFiles } from './files.ts';
import { binFileOf, confFileOf } from './layout.ts';
import { findOwnConfigurations } from './plan-configuration.ts';
import { findCopies, listIfPresent } from './plan-executables.ts';
import { planFolder } from './plan-folder.ts';
import type { InstallStep } from './step.ts';

/** What only administrators may modify. */
export interface Protected {
  /** As given: they can lead to other folders. */
  readonly folders: readonly string[];
  /** Files in them that are executed: each is replaced, or not used, if others could have modified it. */
  readonly programs: readonly string[];
  /** Files in them that stay as they are, with their access restricted. */
  readonly files: readonly string[];
}

export interface AccessPlan {
  /** Restricts what others than administrators can modify. */
  readonly steps: readonly InstallStep[];
  /** What the user must decide. */
  readonly remarks: readonly string[];
  /** The programs that accounts other than administrators could have modified. They must not be executed. */
  readonly distrusted: readonly string[];
}

/** A path that these accounts, other than administrators, can modify or replace. */
interface OpenPath {
  readonly file: FileAccess;
  readonly accounts: readonly string[];
}

/**
 * Plans to restrict folders and files. A path that leads to another folder is never restricted, because its maker would choose whose
 * access changes: throws CniError if others than administrators can modify that folder.
 */
export async function planAccess(
  { folders: given, programs, files: others }: Protected,
  disk: InstallFiles,
  { system, terminal }: Pick<Session, 'system' | 'terminal'>,
): Promise<AccessPlan> {
  if (!system.windows || given.length === 0) return { steps: [], remarks: [], distrusted: [] };
  const leads = given.map((path) => ({ path, to: planFolder(path, disk).path }));
  const all = [...new Set(leads.flatMap(({ path, to }) => (isSamePath(path, to) ? [to] : [path, to])))];
  const parents = [...new Set(all.flatMap(ancestorFolders))].filter((path) => !all.includes(path));
  const found = await runQuery(terminal, fileAccess([...all, ...programs, ...others, ...parents]));
  if ('error' in found)
    return {
      steps: [],
      remarks: [
        `The access lists of ${given.join(', ')} are not checked: ${found.error}. Only administrators and SYSTEM may modify these folders.`,
      ],
      distrusted: [],
    };
  const open = found.value.flatMap((file): readonly OpenPath[] => {
    const accounts = writersOf(file, parents.includes(file.path));
    return accounts.length === 0 ? [] : [{ file, accounts }];
  });
  for (const lead of leads) refuseOpenLead(lead, open);
  const restricted = open.filter(({ file: { path } }) => all.includes(path) && !isWindowsFolder(path));
  const isOpen = (path: string) =>
    [...open.filter(({ file }) => !file.isFolder), ...restricted].some(
      ({ file }) => isSamePath(file.path, path) || isSamePath(file.path, parentFolder(path)),
    );
  const restrictedFiles = open.filter(
    (one) => others.includes(one.file.path) && !restricted.some(({ file }) => isInherited(one, file)),
  );
  return {
    steps: [...restricted, ...restrictedFiles].map(({ file, accounts }) => ({
      do: 'restrict access',
      path: file.path,
      commands: restrictingCommands(file, accounts),
    })),
    remarks: open
      .filter(
        (one) =>
          !restricted.includes(one) && !programs.includes(one.file.path) && !others.includes(one.file.path),
      )
      .map(
        ({ file, accounts }) =>
          `${file.path} can be replaced or modified by ${namesOf(accounts)}. Remove this right unless other software needs it.`,
      ),
    distrusted: programs.filter(isOpen),
  };
}

/** Whether restricting the folder restricts the file as well. */
function isInherited({ file: { path, owner, allowed }, accounts }: OpenPath, folder: FileAccess): boolean {
  const hasOwnRule = allowed.some((rule) => !rule.isInherited && accounts.includes(rule.sid));
  return isSamePath(folder.path, parentFolder(path)) && isTrusted(owner) && !hasOwnRule;
}

function refuseOpenLead(
  { path, to }: { readonly path: string; readonly to: string },
  open: readonly OpenPath[],
): void {
  if (isSamePath(path, to)) return;
  const found = open.find(({ file }) => file.path === path || file.path === to);
  if (found === undefined) return;
  throw new CniError(
    code.ioFailure,
    `${path} leads to ${to}, and ${namesOf(found.accounts)} can modify ${found.file.path}. Restrict access to both, or specify ${to} instead, which is then restricted.`,
  );
}

function namesOf(accounts: readonly string[]): string {
  return accounts.map(accountName).join(', ');
}

/** What an installation in these folders protects. */
export function protectedFiles(
  { bin, conf }: { readonly bin: string; readonly conf?: string },
  disk: InstallFiles,
): Omit<Protected, 'folders'> {
  const kindOf = (name: string) => binFileOf(name)?.kind;
  const names = listIfPresent(bin, disk);
  const programs = names.filter((name) => ['executable', 'previous', 'addon'].includes(kindOf(name) ?? ''));
  const kept = names.filter((name) => kindOf(name) === 'kept');
  return {
    programs: filesAt([...programs, ...findCopies(bin, disk)], bin, disk),
    files: [...filesAt(kept, bin, disk), ...(conf === undefined ? [] : configurationsIn(conf, disk))],
  };
}

function configurationsIn(conf: string, disk: InstallFiles): readonly string[] {
  const parked = listIfPresent(conf, disk).filter((name) => confFileOf(name)?.kind === 'parked');
  return filesAt([...findOwnConfigurations(conf, disk).map(({ name }) => name), ...parked], conf, disk);
}

function filesAt(names: readonly string[], folder: string, disk: InstallFiles): readonly string[] {
  return names.map((name) => joinPath(folder, name)).filter((path) => disk.status(path)?.kind === 'file');
}
