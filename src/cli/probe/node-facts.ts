import { type Query, runQuery } from '../terminal/powershell.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** The Windows of a node. */
export interface NodeFacts {
  /** As in `Windows Server 2022 Datacenter 20348.2402`; undefined if it could not be read. */
  readonly windows?: string;
  /** The file versions of HCN's libraries and drivers; those that exist. */
  readonly files?: Readonly<Record<string, string>>;
}

/** Never rejects: a fact that cannot be read is left out. */
export async function readNodeFacts(terminal: Pick<Terminal, 'powershell'>): Promise<NodeFacts> {
  const fact = await runQuery(terminal, nodeFacts);
  return 'value' in fact ? fact.value : {};
}

/** https://learn.microsoft.com/dotnet/api/system.diagnostics.fileversioninfo */
const nodeFacts: Query<NodeFacts> = {
  script: `
$windows = Get-ItemProperty -LiteralPath 'HKLM:\\SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion'
$system = [Environment]::SystemDirectory
$files = @{}
foreach ($name in 'computenetwork.dll', 'vmcompute.dll', 'hostnetsvc.dll', 'drivers\\vfpext.sys', 'drivers\\vmswitch.sys') {
  $path = Join-Path $system $name
  if (Test-Path -LiteralPath $path) {
    $version = (Get-Item -LiteralPath $path).VersionInfo
    $files[$name] = '{0}.{1}.{2}.{3}' -f $version.FileMajorPart, $version.FileMinorPart, $version.FileBuildPart, $version.FilePrivatePart
  }
}
@{
  windows = '{0} {1}.{2}' -f $windows.ProductName, $windows.CurrentBuild, $windows.UBR
  files = $files
} | ConvertTo-Json -Compress`,
  read: (output) => {
    const files = Object.entries(output.object('files').json).map(([name, file]) => [name, String(file)]);
    return { windows: output.read('windows', 'a string'), files: Object.fromEntries(files) };
  },
};
