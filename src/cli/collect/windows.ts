import type { Terminal } from '../terminal/terminal.ts';
import type { Part } from './part.ts';

/** A regular expression for the services of networking and Kubernetes. */
const services =
  'hns|hcs|vmcompute|nvagent|winnat|sharedaccess|containerd|docker|kubelet|kube-?proxy|flanneld|calico\\w*|antrea\\w*|rke2|k3s|rancher-wins';

/** A busy node is slow. After this time PowerShell is killed. */
const seconds = 60;

/** Information from programs and modules of Windows, one file for each script. */
export function windowsParts(terminal: Terminal): readonly Part[] {
  return Object.entries(scripts).map(([name, sections]) => ({
    name,
    // A program that PowerShell started may keep its output open after PowerShell is killed.
    seconds: seconds + 5,
    collect: async () => {
      const result = await terminal.powershell(
        [...Object.entries(sections).map(scriptFor), 'exit 0'].join('\n'),
        seconds,
      );
      if ('problem' in result) return { files: [], problems: [result.problem] };
      // Without even the titles.
      if (result.stdout.trim() === '') return { files: [], problems: ['PowerShell printed nothing'] };
      // PowerShell pads tables.
      const text = result.stdout
        .split('\n')
        .map((line) => line.trimEnd())
        .join('\n');
      return { files: [{ path: `windows/${name}.txt`, text }], problems: [] };
    },
  }));
}

/** Runs a command whose errors do not stop the next one. The width prevents line breaks. */
function scriptFor([title, command]: readonly [string, string]): string {
  return `"===== ${title}"
try { & { ${command} } 2>&1 | Out-String -Width 40000 } catch { "failed: $_" }`;
}

/** What is kept of the text of an event, which may quote command lines: HRESULTs, GUIDs, addresses, and names of services. */
const facts = `0x[0-9a-f]{8}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|\\b\\d+(\\.\\d+){3}\\b|\\b(${services})\\b`;

/** The events of the last 24 hours, the latest first. */
function events(filter: string, max: number, condition = '$true'): string {
  return `Get-WinEvent -FilterHashtable @{ ${filter}; StartTime = (Get-Date).AddDays(-1) } -MaxEvents ${max} -ErrorAction Stop |
  Where-Object { ${condition} } |
  Select-Object @{ n = 'Time'; e = { $_.TimeCreated.ToUniversalTime().ToString('o') } }, Id, LevelDisplayName, ProviderName, @{ n = 'Facts'; e = { ([regex]::Matches($_.Message, '(?i)${facts}') | ForEach-Object { $_.Value }) -join ' ' } } |
  Format-Table -AutoSize`;
}

/** Commands that are their own titles. */
function titled(...commands: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(commands.map((command) => [command.replace(/ \|.*/, ''), command]));
}

/** The commands of each script, by the titles above their output and errors. Command lines are left out: they may have secrets. */
const scripts: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  windows: {
    Windows: `Get-ItemProperty 'HKLM:\\SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion' | Format-List ProductName, InstallationType, DisplayVersion, CurrentBuild, UBR
Get-CimInstance Win32_OperatingSystem | Format-List Caption, Version, MUILanguages, LastBootUpTime, LocalDateTime, FreePhysicalMemory`,
    Updates:
      'Get-HotFix | Sort-Object InstalledOn | Format-Table -AutoSize HotFixID, Description, InstalledOn',
    Files: `'HostNetSvc.dll', 'computenetwork.dll', 'vmcompute.dll', 'drivers\\vfpext.sys', 'drivers\\vmswitch.sys' | ForEach-Object { Get-Item "$env:SystemRoot\\System32\\$_" } | Format-Table -AutoSize Name, LastWriteTime, @{ n = 'Version'; e = { $_.VersionInfo.FileVersionRaw } }`,
    'HNS settings': `$state = Get-Item 'HKLM:\\SYSTEM\\CurrentControlSet\\Services\\hns\\State'
$state.GetValueNames() | Where-Object { $state.GetValueKind($_) -eq 'DWord' } | ForEach-Object { "$_ : $($state.GetValue($_))" }`,
    Services: `Get-CimInstance Win32_Service | Where-Object { $_.Name -match '^(${services})$' } | Format-Table -AutoSize Name, State, StartMode, ProcessId, ExitCode`,
    Processes: `$hns = (Get-CimInstance Win32_Service -Filter "Name='hns'").ProcessId
Get-CimInstance Win32_Process | Where-Object { $_.ProcessId -eq $hns -or $_.Name -match '^(${services}|dockerd|nssm)\\.exe$' } | Format-Table -AutoSize Name, ProcessId, CreationDate, ThreadCount, HandleCount, WorkingSetSize`,
  },
  network: titled(
    'ipconfig.exe /all',
    'route.exe print',
    'netsh.exe interface ipv4 show dynamicport tcp',
    'netsh.exe interface ipv4 show dynamicport udp',
    'netsh.exe interface ipv4 show excludedportrange tcp',
    'netsh.exe interface ipv4 show excludedportrange udp',
    'Get-NetAdapter -IncludeHidden | Format-Table -AutoSize Name, InterfaceDescription, ifIndex, Status, MacAddress, LinkSpeed, MtuSize, VlanID, DriverVersion',
    'Get-NetIPInterface -IncludeAllCompartments | Format-Table -AutoSize CompartmentId, ifIndex, InterfaceAlias, AddressFamily, ConnectionState, NlMtu, InterfaceMetric, Dhcp, Forwarding, WeakHostSend, WeakHostReceive',
    'Get-NetRoute -IncludeAllCompartments | Format-Table -AutoSize CompartmentId, ifIndex, InterfaceAlias, DestinationPrefix, NextHop, RouteMetric, InterfaceMetric, Store',
    'Get-VMSwitch | Format-List Name, Id, SwitchType, NetAdapterInterfaceDescriptions, AllowManagementOS',
  ),
  events: {
    'Host Network Service': events("LogName = 'Microsoft-Windows-Host-Network-Service-Admin'", 500),
    'Service Control Manager': events(
      "LogName = 'System'; ProviderName = 'Service Control Manager'",
      1000,
      `$_.Message -match 'Host Network Service|Host Compute Service|\\b(${services})\\b'`,
    ),
    'Application errors': events("LogName = 'Application'; ProviderName = 'Application Error'", 50),
    containerd: events("LogName = 'Application'; ProviderName = 'containerd'", 200),
    'Virtual switch': events("LogName = 'Microsoft-Windows-Hyper-V-VmSwitch-Operational'", 200),
  },
  vfp: {
    Rules: `$until = (Get-Date).AddSeconds(45)
$ports = (vfpctrl.exe /list-vmswitch-port) -join "\`n"
$ports
foreach ($found in [regex]::Matches($ports, '(?im)^\\s*Port name\\s*:\\s*([0-9a-f-]{36})')) {
  if ((Get-Date) -gt $until) { 'Time limit reached: the rules of the other ports are missing.'; break }
  "--- port $($found.Groups[1].Value)"
  vfpctrl.exe /port $found.Groups[1].Value /list-rule
}`,
  },
};
