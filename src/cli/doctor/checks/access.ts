import {
  accountName,
  type FileAccess,
  isTrusted,
  isWindowsFolder,
  restrictingCommands,
  writersOf,
} from '../../terminal/access.ts';
import { quote } from '../../terminal/powershell.ts';
import { countText } from '../../terminal/short-text.ts';
import { isInFolder, isSamePath } from '../../terminal/windows-path.ts';
import { type Check, type Diagnosis, fail, known, pass, unknown, warn } from '../finding.ts';
import type { Snapshot } from '../snapshot.ts';

/** Finds accounts other than administrators that can change what runs as SYSTEM or what it reads, or replace a parent folder of it. */
export const access: Check = {
  name: 'access',
  diagnose: (snapshot) => {
    const files = known(snapshot.files);
    if (files.length === 0) return [unknown('found no file or folder of win-hcn')];
    const open = files
      .map((file) => ({ file, accounts: writersOf(file, snapshot.parents.includes(file.path)) }))
      .filter(({ accounts }) => accounts.length > 0);
    if (open.length > 0)
      return open
        .filter((one) => !isInherited(one, open, snapshot))
        .map((one) => diagnoseOpenPath(one, snapshot));
    const what =
      snapshot.configuration.used === undefined
        ? 'the CNI plugins and configurations'
        : 'win-hcn, its configuration and its log';
    const checked = `${countText(files.length, 'path')} checked`;
    return [pass(`only administrators and SYSTEM can modify ${what} (${checked})`)];
  },
};

/** A path that accounts other than administrators can modify. */
interface OpenPath {
  readonly file: FileAccess;
  readonly accounts: readonly string[];
}

/** Whether restricting a path cannot break other software. Other folders may hold what other accounts write, such as pod volumes. */
function isFixable({ path, isFolder }: FileAccess, { containerd: { folders } }: Snapshot): boolean {
  if (isWindowsFolder(path)) return false;
  const own = [...folders.binDirs, folders.confDir];
  return !isFolder || own.some((folder) => isSamePath(folder, path)) || /\\win-hcn(\\|$)/i.test(path);
}

/** Whether a path is open only by inheritance from a folder that is reported, and fixed if possible, instead. */
function isInherited({ file, accounts }: OpenPath, open: readonly OpenPath[], snapshot: Snapshot): boolean {
  const hasOwnRule = file.allowed.some((rule) => !rule.isInherited && accounts.includes(rule.sid));
  if (hasOwnRule || !isTrusted(file.owner)) return false;
  const isNotFixable = !isFixable(file, snapshot);
  return open.some(
    (other) => isInFolder(file.path, other.file.path) && (isNotFixable || isFixable(other.file, snapshot)),
  );
}

/** The log is only a warning: nothing runs or reads it. */
function diagnoseOpenPath({ file, accounts }: OpenPath, snapshot: Snapshot): Diagnosis {
  const { path } = file;
  const report = snapshot.log.paths.includes(path) ? warn : fail;
  const action = snapshot.parents.includes(path) ? 'can be replaced with its contents' : 'can be modified';
  const seen = `${path} ${action} by ${accounts.map(accountName).join(', ')}`;
  if (isFixable(file, snapshot)) return report(seen, { fix: fixAccess(file) });
  const advice = isWindowsFolder(path) ? '' : '; remove this right unless other software needs it';
  return report(`${seen}${advice}`, { see: `icacls ${quote(path)}` });
}

/** The command that leaves access to administrators and SYSTEM only. */
function fixAccess({ path, isFolder }: FileAccess): string {
  return restrictingCommands(path, isFolder)
    .map((words) => `icacls ${words.map(quote).join(' ')}`)
    .join('; ');
}
