import { countText } from '../../inventory/short-text.ts';
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
import { type Query, quote, quoteAlways } from '../powershell.ts';
import type { FileAccess } from '../runtime/file-access.ts';
import { isInFolder, isSamePath, parentFolder } from '../windows-path.ts';

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

/**
 * FileSystemRights and generic rights that allow replacing a file or folder or its contents: delete subfolders and files, delete,
 * change permissions, take ownership, all.
 * https://learn.microsoft.com/dotnet/api/system.security.accesscontrol.filesystemrights
 */
const replaceRights = 0x40 | 0x1_0000 | 0x4_0000 | 0x8_0000 | 0x1000_0000;

/** Also write data or create files, append data or create folders, and generic write. */
const modifyRights = replaceRights | 0x2 | 0x4 | 0x4000_0000;

/** Finds accounts other than administrators that can change what runs as SYSTEM or what it reads, or replace a parent folder of it. */
export const access: Check = {
  name: 'access',
  diagnose: (facts) =>
    withValue(
      facts.files,
      (files) => {
        const open = files
          .map((file) => ({ file, accounts: findWriters(file, facts), isFixable: isFixable(file, facts) }))
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

/** The accounts, other than administrators, that may modify a path or change its permissions. */
function findWriters({ path, owner, allowed }: FileAccess, { parents }: Facts): readonly string[] {
  const isParent = parents.includes(path);
  const mask = isParent ? replaceRights : modifyRights;
  const writers = allowed
    .filter(({ rights, isInheritOnly }) => (rights & mask) !== 0 && !(isParent && isInheritOnly))
    .map(({ sid }) => sid);
  return [...new Set([...writers, owner])].filter((sid) => !isTrusted(sid));
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

/** Whether a folder belongs to Windows: its permissions must not change. */
function isWindowsFolder(path: string): boolean {
  return /^[A-Z]:\\(((Windows|Users)(\\.*)?)|Program Files( \(x86\))?|ProgramData)?$/i.test(path);
}

/** The command that leaves access to administrators and SYSTEM only. */
function fixAccess({ path, isFolder, owner, allowed }: FileAccess, accounts: readonly string[]): string {
  const rights = isFolder ? '(OI)(CI)F' : 'F';
  const own = allowed
    .filter(({ sid, isInherited: inherited }) => !inherited && accounts.includes(sid))
    .map(({ sid }) => sid);
  const words = [
    `icacls ${quote(path)} /inheritance:r`,
    ...[administrators, system].map((sid) => `/grant ${quoteAlways(`*${sid}:${rights}`)}`),
    ...[...new Set(own)].map((sid) => `/remove:g ${quoteAlways(`*${sid}`)}`),
  ];
  const ownership = isTrusted(owner)
    ? ''
    : `; icacls ${quote(path)} /setowner ${quoteAlways(`*${administrators}`)}`;
  return `${words.join(' ')}${ownership}`;
}

/** https://learn.microsoft.com/windows-server/identity/ad-ds/manage/understand-security-identifiers */
const administrators = 'S-1-5-32-544';
const system = 'S-1-5-18';
const trusted = [
  administrators,
  system,
  // TrustedInstaller, CREATOR OWNER and OWNER RIGHTS.
  'S-1-5-80-956008885-3418522649-1831038044-1853292631-2271478464',
  'S-1-3-0',
  'S-1-3-4',
];

/** The built-in administrator of a computer or domain, and the administrators of a domain. */
const administratorAccount = /^S-1-5-21-.*-(500|512|519)$/;

function isTrusted(sid: string): boolean {
  return trusted.includes(sid) || administratorAccount.test(sid);
}

const accountNames: Readonly<Record<string, string>> = {
  'S-1-1-0': 'Everyone',
  'S-1-5-4': 'Interactive',
  'S-1-5-11': 'Authenticated Users',
  'S-1-5-19': 'Local Service',
  'S-1-5-20': 'Network Service',
  'S-1-5-32-545': 'Users',
  'S-1-5-32-546': 'Guests',
};

/** The English name of a well-known account; the SID of any other. */
function accountName(sid: string): string {
  return accountNames[sid] ?? sid;
}
