import { forwardingState, type PortRange, readExcludedRanges } from '../terminal/node-queries.ts';
import { type Fact, type PowerShell, type Query, runQuery } from '../terminal/powershell.ts';

/** The account that runs win-hcn; elevated is SYSTEM, or an administrator whose process is elevated. */
const account = {
  // https://learn.microsoft.com/dotnet/api/system.security.principal.windowsprincipal.isinrole
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
} satisfies Query<object>;

/** The version of Windows; its caption is in the language of Windows. */
const version = {
  // https://learn.microsoft.com/windows/win32/cimwin32prov/win32-operatingsystem; only the registry has the revision.
  script: `
$windows = Get-CimInstance Win32_OperatingSystem
$current = Get-ItemProperty 'HKLM:\\SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion'
ConvertTo-Json -Compress @{
  caption = "$($windows.Caption)"
  build = [int]$windows.BuildNumber
  revision = [int]$current.UBR
  server = $windows.ProductType -ne 1
}`,
  read: (output) => ({
    caption: output.read('caption', 'a string').trim(),
    /** 20348 is Windows Server 2022, 26100 is Windows Server 2025. */
    build: output.read('build', 'a number'),
    /** Updates raise it; 0 if unknown. */
    revision: output.read('revision', 'a number'),
    /** Client editions share build numbers with servers but have other update revisions. */
    isServer: output.read('server', 'true or false'),
  }),
} satisfies Query<object>;

/** Windows' service hns and its process. */
const service = {
  // https://learn.microsoft.com/windows/win32/cimwin32prov/win32-service and win32-process
  script: `
$service = Get-CimInstance Win32_Service -Filter "Name='hns'"
$process = Get-CimInstance Win32_Process -Filter "ProcessId=$([int]$service.ProcessId)"
ConvertTo-Json -Compress @{
  state = "$($service.State)"
  startMode = "$($service.StartMode)"
  processId = [int]$service.ProcessId
  threads = [int]$process.ThreadCount
}`,
  read: (output) => ({
    /** `Running`, `Stopped` and so on, always in English; empty if the service does not exist. */
    state: output.read('state', 'a string'),
    /** `Manual`, `Auto`, `Disabled`. */
    startMode: output.read('startMode', 'a string'),
    /** 0 if the service is not running. */
    processId: output.read('processId', 'a number'),
    threads: output.read('threads', 'a number'),
  }),
} satisfies Query<object>;

/** The range that Windows allocates ports of a protocol from, and the ranges it excludes. */
const ports = {
  // https://learn.microsoft.com/troubleshoot/windows-server/networking/default-dynamic-port-range-tcpip-chang
  script: `
$netsh = Join-Path $env:SystemRoot 'System32\\netsh.exe'
$protocols = @(foreach ($protocol in 'tcp', 'udp') {
  @{
    protocol = $protocol
    dynamic = @(& $netsh interface ipv4 show dynamicport $protocol | ForEach-Object { "$_" })
    excluded = @(& $netsh interface ipv4 show excludedportrange "protocol=$protocol" | ForEach-Object { "$_" })
  }
})
ConvertTo-Json -Compress -Depth 6 @{ protocols = $protocols }`,
  read: (output) =>
    output.readList('protocols', (one) => ({
      protocol: one.read('protocol', 'a string'),
      dynamic: readDynamicRange(one.read('dynamic', 'a list of strings')),
      excluded: readExcludedRanges(one.read('excluded', 'a list of strings')),
    })),
} satisfies Query<readonly object[]>;

/** Reads the first port and the number of ports, each at the end of a line, in any language. Throws without two such lines. */
export function readDynamicRange(lines: readonly string[]): PortRange {
  const [first, count] = lines.flatMap((line) => /(?:^|\D)(\d+)\s*$/.exec(line)?.[1] ?? []).map(Number);
  if (first === undefined || count === undefined) throw new TypeError('no port range');
  return { first, last: first + count - 1 };
}

/** What doctor queries with PowerShell, besides containerd's command line and access to files. */
export const windowsQueries = { account, version, service, ports, forwarding: forwardingState };

/** What each query returns. */
export type WindowsValues = {
  readonly [K in keyof typeof windowsQueries]: ReturnType<(typeof windowsQueries)[K]['read']>;
};

/** The result of each query. */
export type WindowsState = { readonly [K in keyof WindowsValues]: Fact<WindowsValues[K]> };

/** Runs all queries at the same time. Never rejects. */
export async function readWindowsState(powershell: PowerShell): Promise<WindowsState> {
  const [ofAccount, ofVersion, ofService, ofPorts, forwarding] = await Promise.all([
    runQuery(powershell, account),
    runQuery(powershell, version),
    runQuery(powershell, service),
    runQuery(powershell, ports),
    runQuery(powershell, forwardingState),
  ]);
  return { account: ofAccount, version: ofVersion, service: ofService, ports: ofPorts, forwarding };
}
