import { type Query, quoteAlways } from './powershell-query.ts';

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
