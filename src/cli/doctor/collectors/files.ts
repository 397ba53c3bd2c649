import type { Terminal } from '../../terminal.ts';
import type { Fact } from '../fact.ts';
import { quotedAlways } from '../quoted.ts';
import { ask } from './ask.ts';

/** A file or folder that is there, and who may do what with it. Accounts are SIDs, which are the same in every language. */
export interface FileAccess {
  readonly path: string;
  readonly isFolder: boolean;
  /** The product that a program says it is; empty where it says none. */
  readonly product: string;
  readonly owner: string;
  readonly allowed: readonly {
    readonly sid: string;
    /** FileSystemRights, as a signed number of 32 bits. */
    readonly rights: number;
    readonly isInherited: boolean;
    /** For what is created inside only. */
    readonly isInheritOnly: boolean;
  }[];
}

/** https://learn.microsoft.com/dotnet/api/system.security.accesscontrol.commonobjectsecurity.getaccessrules */
function scriptFor(paths: readonly string[]): string {
  return `
$sid = [Security.Principal.SecurityIdentifier]
$paths = @(${paths.map(quotedAlways).join(', ')})
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
ConvertTo-Json -Compress -Depth 6 @{ files = $files }`;
}

/** Those of the paths that are there. */
export function askFiles(terminal: Terminal, paths: readonly string[]): Promise<Fact<readonly FileAccess[]>> {
  return ask(terminal, scriptFor(paths), (printed) =>
    printed.readList('files', (file) => ({
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
  );
}
