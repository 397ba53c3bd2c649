import {
  accountName,
  type FileAccess,
  isTrusted,
  isWindowsFolder,
  restrictingCommands,
  writersOf,
} from '../../terminal/access.ts';
import { type Query, quote } from '../../terminal/powershell.ts';
import { countText } from '../../terminal/short-text.ts';
import { isInFolder, isSamePath, parentFolder } from '../../terminal/windows-path.ts';
import {
  type Check,
  type Diagnosis,
  fail,
  pass,
  type QueryCheck,
  unknown,
  warn,
  withValue,
} from '../check.ts';
import type { Facts } from '../facts.ts';

/** The account that runs win-hcn. */
export interface Account {
  readonly name: string;
  /** SYSTEM, or an administrator whose process is elevated. */
  readonly isElevated: boolean;
}

/** https://learn.microsoft.com/dotnet/api/system.security.principal.windowsprincipal.isinrole */
const account: Query<Account> = {
  script: `
$identity = [Security.Principal.WindowsIdentity]::GetCurrent()
$principal = New-Object Security.Principal.WindowsPrincipal($identity)
$administrator = [Security.Principal.WindowsBuiltInRole]::Administrator
ConvertTo-Json -Compress @{
  name = $identity.Name
  elevated = $identity.IsSystem -or $principal.IsInRole($administrator)
}`,
  read: (output) => ({
    name: output.read('name', 'a string'),
    isElevated: output.read('elevated', 'true or false'),
  }),
};

/** HCN requires an elevated caller. */
export const elevation: QueryCheck<Account> = {
  name: 'elevation',
  query: account,
  diagnose: (_, result) =>
    withValue(
      result,
      ({ name, isElevated }) => [
        isElevated
          ? pass(`${name} is elevated`)
          : fail(`${name} is not elevated, and HCN requires administrator rights`, {
              fix: 'Start-Process powershell -Verb RunAs',
            }),
      ],
      'whoami /groups',
    ),
};

/** Finds accounts other than administrators that can change what runs as SYSTEM or what it reads, or replace a parent folder of it. */
export const access: Check = {
  name: 'access',
  diagnose: (facts) =>
    withValue(
      facts.files,
      (files) => {
        const open = files
          .map((file) => ({
            file,
            accounts: writersOf(file, facts.parents.includes(file.path)),
            isFixable: isFixable(file, facts),
          }))
          .filter(({ accounts }) => accounts.length > 0);
        if (files.length === 0) return [unknown('found no file or folder of win-hcn')];
        if (open.length > 0)
          return open
            .filter((one) => !isInherited(one, open))
            .map((one) => diagnoseOpenPath(one, open, facts));
        const seen = `only administrators and SYSTEM can modify win-hcn, its configuration and its log (${countText(files.length, 'path')} checked)`;
        return [pass(seen)];
      },
      `icacls ${quote(parentFolder(facts.executable))}`,
    ),
};

/** A path that accounts other than administrators can modify. */
interface OpenPath {
  readonly file: FileAccess;
  readonly accounts: readonly string[];
  readonly isFixable: boolean;
}

/** Whether restricting a path cannot break other software. Other folders may hold what other accounts write, such as pod volumes. */
function isFixable({ path, isFolder }: FileAccess, { containerd: { folders } }: Facts): boolean {
  if (isWindowsFolder(path)) return false;
  const own = [...folders.binDirs, folders.confDir];
  return !isFolder || own.some((folder) => isSamePath(folder, path)) || /\\win-hcn(\\|$)/i.test(path);
}

/** Whether a path is open only by inheritance from a folder that is reported, and fixed if possible, instead. */
function isInherited({ file, accounts, ...path }: OpenPath, open: readonly OpenPath[]): boolean {
  const hasOwnRule = file.allowed.some((rule) => !rule.isInherited && accounts.includes(rule.sid));
  const above = open.filter((other) => isInFolder(file.path, other.file.path));
  return !hasOwnRule && isTrusted(file.owner) && above.some((other) => other.isFixable || !path.isFixable);
}

/** The log is only a warning: nothing runs or reads it. */
function diagnoseOpenPath(
  { file, accounts, isFixable }: OpenPath,
  open: readonly OpenPath[],
  { log, parents }: Facts,
): Diagnosis {
  const { path } = file;
  const report = log.paths.includes(path) ? warn : fail;
  const action = parents.includes(path) ? 'can be replaced with its contents' : 'can be modified';
  const below = open.filter((other) => isInFolder(other.file.path, path) && isInherited(other, open)).length;
  const more = below === 0 ? '' : `, and so can ${countText(below, 'path')} below it`;
  const seen = `${path} ${action} by ${accounts.map(accountName).join(', ')}${more}`;
  if (isFixable) return report(seen, { fix: fixAccess(file, accounts) });
  const advice = isWindowsFolder(path) ? '' : '; remove this right unless other software needs it';
  return report(`${seen}${advice}`, { see: `icacls ${quote(path)}` });
}

/** The command that leaves access to administrators and SYSTEM only. */
function fixAccess(file: FileAccess, accounts: readonly string[]): string {
  return restrictingCommands(file, accounts)
    .map((words) => `icacls ${words.map(quote).join(' ')}`)
    .join('; ');
}
