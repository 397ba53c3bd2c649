import { type Query, quoteAlways } from './powershell.ts';

/** An existing file or folder with its access rules. Accounts are SIDs, which do not depend on the language of Windows. */
export interface FileAccess {
  readonly path: string;
  readonly isFolder: boolean;
  /** The product name in a program's version resource; empty if missing. */
  readonly product: string;
  readonly owner: string;
  readonly allowed: readonly {
    readonly sid: string;
    /** FileSystemRights, as a signed 32-bit number. */
    readonly rights: number;
    readonly isInherited: boolean;
    /** Applies only to what is created inside. */
    readonly isInheritOnly: boolean;
  }[];
}

/** Skips paths that do not exist. https://learn.microsoft.com/dotnet/api/system.security.accesscontrol.commonobjectsecurity.getaccessrules */
export function fileAccess(paths: readonly string[]): Query<readonly FileAccess[]> {
  return {
    script: `
$sid = [Security.Principal.SecurityIdentifier]
$paths = @(${paths.map(quoteAlways).join(', ')})
$files = @(foreach ($path in $paths) {
  if (Test-Path -LiteralPath $path) {
    $item = Get-Item -LiteralPath $path -Force
    $acl = Get-Acl -LiteralPath $path
    $rules = @($acl.GetAccessRules($true, $true, $sid) | Where-Object { $_.AccessControlType -eq 'Allow' })
    @{
      path = $path
      folder = $item.PSIsContainer
      product = "$($item.VersionInfo.ProductName)"
      owner = $acl.GetOwner($sid).Value
      rules = @($rules | ForEach-Object {
        @{
          sid = $_.IdentityReference.Value
          rights = [int]$_.FileSystemRights
          inherited = $_.IsInherited
          inheritOnly = ([int]$_.PropagationFlags -band 2) -ne 0
        }
      })
    }
  }
})
ConvertTo-Json -Compress -Depth 6 @{ files = $files }`,
    read: (output) =>
      output.readList('files', (file) => ({
        path: file.read('path', 'a string'),
        isFolder: file.read('folder', 'true or false'),
        product: file.read('product', 'a string'),
        owner: file.read('owner', 'a string'),
        allowed: file.readList('rules', (rule) => ({
          sid: rule.read('sid', 'a string'),
          rights: rule.read('rights', 'a number'),
          isInherited: rule.read('inherited', 'true or false'),
          isInheritOnly: rule.read('inheritOnly', 'true or false'),
        })),
      })),
  };
}

/**
 * FileSystemRights and generic rights that allow replacing a file or folder or its contents: delete subfolders and files, delete,
 * change permissions, take ownership, all.
 * https://learn.microsoft.com/dotnet/api/system.security.accesscontrol.filesystemrights
 */
const replaceRights = 0x40 | 0x1_0000 | 0x4_0000 | 0x8_0000 | 0x1000_0000;

/** Also write data or create files, append data or create folders, and generic write. */
const modifyRights = replaceRights | 0x2 | 0x4 | 0x4000_0000;

/** The accounts, other than administrators, that may modify a path, or replace a parent folder, or change its permissions. */
export function writersOf({ owner, allowed }: FileAccess, isParent: boolean): readonly string[] {
  const mask = isParent ? replaceRights : modifyRights;
  const writers = allowed
    .filter(({ rights, isInheritOnly }) => (rights & mask) !== 0 && !(isParent && isInheritOnly))
    .map(({ sid }) => sid);
  return [...new Set([...writers, owner])].filter((sid) => !isTrusted(sid));
}

/** Whether a folder belongs to Windows: its permissions must not change. */
export function isWindowsFolder(path: string): boolean {
  return /^[A-Z]:\\(((Windows|Users)(\\.*)?)|Program Files( \(x86\))?|ProgramData)?$/i.test(path);
}

/** The arguments of each run of icacls that leaves access to a file or folder to administrators and SYSTEM only. */
export function restrictingCommands(path: string, isFolder: boolean): readonly (readonly string[])[] {
  const rights = isFolder ? '(OI)(CI)F' : 'F';
  const grants = [administrators, system].flatMap((sid) => ['/grant', `*${sid}:${rights}`]);
  return [
    [path, '/setowner', `*${administrators}`],
    [path, '/reset'],
    [path, '/inheritance:r', ...grants],
  ];
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

/** Whether an account may write where win-hcn runs and reads: administrators, SYSTEM and Windows itself. */
export function isTrusted(sid: string): boolean {
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
export function accountName(sid: string): string {
  return accountNames[sid] ?? sid;
}
