import type { Terminal } from '../terminal/terminal.ts';
import { type Collector, textFile } from './collector.ts';
import { redactProcesses, redactSettings } from './redact-output.ts';
import type { Redact } from './secret-shapes.ts';

/** One run of PowerShell. */
interface Script {
  readonly name: string;
  readonly about: string;
  /** PowerShell is killed after this time. */
  readonly seconds: number;
  /** Commands, by the title above their output and errors. */
  readonly sections: Readonly<Record<string, string>>;
  readonly redact?: Redact;
}

/** Information from programs and modules of Windows, one file for each script. */
export function windowsCollectors(terminal: Terminal): readonly Collector[] {
  return scripts.map(({ name, about, seconds, sections, redact }) => ({
    name,
    about,
    // A program that PowerShell started may keep its output open after PowerShell is killed.
    seconds: seconds + 5,
    collect: async () => {
      const result = await terminal.powershell(
        [...Object.entries(sections).map(scriptFor), 'exit 0'].join('\n'),
        seconds,
      );
      if ('problem' in result) return { files: [], problems: [result.problem] };
      // The titles are missing as well.
      if (result.stdout.trim() === '') return { files: [], problems: ['PowerShell printed nothing'] };
      const file = textFile(`windows/${name}.txt`, trimLines(result.stdout));
      return { files: [redact === undefined ? file : { ...file, redact }] };
    },
  }));
}

/**
 * Runs a command whose errors do not stop the next one. The width prevents line breaks, even in the longest command line of a process:
 * a line break could hide a secret from `redact`.
 */
function scriptFor([title, command]: readonly [string, string]): string {
  return `"===== ${title}"
try { & { ${command} } 2>&1 | Out-String -Width 40000 } catch { "failed: $_" }`;
}

/** Removes the spaces with which PowerShell pads tables. */
function trimLines(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
}

const services =
  'hns|hcs|vmcompute|nvagent|winnat|sharedaccess|containerd|docker|kubelet|kube-?proxy|flanneld|calico\\w*|antrea\\w*|rke2|k3s|rancher-wins';

/** The events of the last 24 hours, the latest first. */
function events(filter: string, max: number, condition = '$true'): string {
  return `Get-WinEvent -FilterHashtable @{ ${filter}; StartTime = (Get-Date).AddDays(-1) } -MaxEvents ${max} -ErrorAction Stop |
  Where-Object { ${condition} } |
  Select-Object @{ n = 'Time'; e = { $_.TimeCreated.ToUniversalTime().ToString('o') } }, Id, LevelDisplayName, ProviderName, Message |
  Format-List`;
}

const scripts: readonly Script[] = [
  {
    name: 'services',
    about: 'services and processes of networking and Kubernetes with their command lines, and the VFP driver',
    seconds: 30,
    redact: redactProcesses,
    sections: {
      Services: `Get-CimInstance Win32_Service | Where-Object Name -Match '^(${services})$' | Format-List Name, State, StartMode, StartName, ProcessId, ExitCode, PathName`,
      Processes: `$hns = (Get-CimInstance Win32_Service -Filter "Name='hns'").ProcessId
Get-CimInstance Win32_Process | Where-Object { $_.ProcessId -eq $hns -or $_.Name -match '^(${services}|dockerd|nssm)\\.exe$' } | Format-List Name, ProcessId, CreationDate, ThreadCount, HandleCount, WorkingSetSize, CommandLine`,
      Drivers: `Get-CimInstance Win32_SystemDriver | Where-Object Name -Match '^(vfpext|vmswitch|vmsmp)' | Format-List Name, State, StartMode, PathName`,
    },
  },
  {
    name: 'windows',
    about: 'the Windows version, updates, versions of networking files, and settings of HNS',
    seconds: 60,
    redact: redactSettings,
    sections: {
      Windows: `Get-ItemProperty 'HKLM:\\SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion' | Format-List ProductName, InstallationType, DisplayVersion, ReleaseId, CurrentBuild, UBR
Get-CimInstance Win32_OperatingSystem | Format-List Caption, Version, MUILanguages, LastBootUpTime, LocalDateTime, FreePhysicalMemory`,
      Updates:
        'Get-HotFix | Sort-Object InstalledOn | Format-Table -AutoSize HotFixID, Description, InstalledOn',
      Files: `'HostNetSvc.dll', 'computenetwork.dll', 'vmcompute.dll', 'drivers\\vfpext.sys', 'drivers\\vmswitch.sys' | ForEach-Object { Get-Item "$env:SystemRoot\\System32\\$_" } | Format-Table -AutoSize Name, LastWriteTime, @{ n = 'Version'; e = { $_.VersionInfo.FileVersionRaw } }`,
      'HNS settings': `Get-ItemProperty 'HKLM:\\SYSTEM\\CurrentControlSet\\Services\\hns\\State' | Select-Object * -ExcludeProperty PS* | Format-List`,
    },
  },
  {
    name: 'ipconfig',
    about: 'ipconfig /all',
    seconds: 30,
    sections: { 'ipconfig /all': 'ipconfig.exe /all' },
  },
  {
    name: 'routes',
    about: 'route print, and the routes of all compartments',
    seconds: 30,
    sections: {
      'route print': 'route.exe print',
      'Get-NetRoute':
        'Get-NetRoute -IncludeAllCompartments | Format-Table -AutoSize CompartmentId, ifIndex, InterfaceAlias, DestinationPrefix, NextHop, RouteMetric, InterfaceMetric, Store',
    },
  },
  {
    name: 'interfaces',
    about: 'network adapters, IP interfaces with MTU and forwarding, addresses, and virtual switches',
    seconds: 60,
    sections: {
      'Get-NetAdapter':
        'Get-NetAdapter -IncludeHidden | Format-Table -AutoSize Name, InterfaceDescription, ifIndex, Status, MacAddress, LinkSpeed, MtuSize, VlanID, DriverVersion',
      'Get-NetIPInterface':
        'Get-NetIPInterface -IncludeAllCompartments | Format-Table -AutoSize CompartmentId, ifIndex, InterfaceAlias, AddressFamily, ConnectionState, NlMtu, InterfaceMetric, Dhcp, Forwarding, WeakHostSend, WeakHostReceive',
      'Get-NetIPAddress':
        'Get-NetIPAddress -IncludeAllCompartments | Format-Table -AutoSize InterfaceIndex, InterfaceAlias, IPAddress, PrefixLength, PrefixOrigin, AddressState',
      'Get-VMSwitch':
        'Get-VMSwitch | Format-List Name, Id, SwitchType, NetAdapterInterfaceDescriptions, AllowManagementOS',
    },
  },
  {
    name: 'ports',
    about: 'dynamic and excluded port ranges of TCP and UDP',
    seconds: 30,
    sections: Object.fromEntries(
      ['ipv4', 'ipv6'].flatMap((family) =>
        ['tcp', 'udp'].flatMap((protocol) =>
          ['dynamicport', 'excludedportrange'].map((item) => {
            const words = `interface ${family} show ${item} ${protocol}`;
            return [`netsh ${words}`, `netsh.exe ${words}`];
          }),
        ),
      ),
    ),
  },
  {
    name: 'events',
    about:
      'events of the last 24 hours from HNS, the virtual switch, and services of networking and Kubernetes',
    seconds: 60,
    sections: {
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
  },
  {
    name: 'vfp',
    about: 'the ports of the virtual switch, and their VFP rules',
    seconds: 60,
    sections: {
      Ports: `if (-not (Get-Command vfpctrl.exe -ErrorAction SilentlyContinue)) { 'vfpctrl.exe is not on this node' } else { vfpctrl.exe /list-vmswitch-port }`,
      Rules: `$until = (Get-Date).AddSeconds(45)
foreach ($found in [regex]::Matches(((vfpctrl.exe /list-vmswitch-port) -join "\`n"), '(?im)^\\s*Port name\\s*:\\s*([0-9a-f-]{36})')) {
  if ((Get-Date) -gt $until) { 'Time limit reached: the rules of the other ports are missing.'; break }
  $port = $found.Groups[1].Value
  "--- port $port"
  vfpctrl.exe /port $port /get-port-state
  vfpctrl.exe /port $port /list-rule
}`,
    },
  },
];
