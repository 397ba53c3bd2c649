import { isObject, parseObject } from '../../json/members.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { omittedMark } from './allow-list.ts';
import { type Collector, jsonFile } from './collector.ts';

/** A regular expression for the services of networking and Kubernetes. */
const services =
  'hns|hcs|vmcompute|nvagent|winnat|sharedaccess|containerd|docker|kubelet|kube-?proxy|flanneld|calico\\w*|antrea\\w*|rke2|k3s|rancher-wins';

/** One run of PowerShell. */
interface Script {
  readonly name: string;
  readonly about: string;
  /** PowerShell is killed after this time. */
  readonly seconds: number;
  /** Commands, by the title above their output and errors. */
  readonly sections: Readonly<Record<string, string>>;
}

/** Information from programs and modules of Windows, one file for each script. */
export function windowsCollectors(terminal: Terminal): readonly Collector[] {
  return scripts.map(({ name, about, seconds, sections }) => ({
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
      // PowerShell pads tables.
      const text = result.stdout
        .split('\n')
        .map((line) => line.trimEnd())
        .join('\n');
      return { files: [{ path: `windows/${name}.txt`, text }] };
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

const portRanges: readonly string[] = ['ipv4', 'ipv6'].flatMap((family) =>
  ['dynamicport tcp', 'dynamicport udp', 'excludedportrange tcp', 'excludedportrange udp'].map(
    (ranges) => `netsh.exe interface ${family} show ${ranges}`,
  ),
);

const scripts: readonly Script[] = [
  {
    name: 'windows',
    about: 'the Windows version, updates, versions of networking files, and numbers in the settings of HNS',
    seconds: 60,
    sections: {
      Windows: `Get-ItemProperty 'HKLM:\\SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion' | Format-List ProductName, InstallationType, DisplayVersion, ReleaseId, CurrentBuild, UBR
Get-CimInstance Win32_OperatingSystem | Format-List Caption, Version, MUILanguages, LastBootUpTime, LocalDateTime, FreePhysicalMemory`,
      Updates:
        'Get-HotFix | Sort-Object InstalledOn | Format-Table -AutoSize HotFixID, Description, InstalledOn',
      Files: `'HostNetSvc.dll', 'computenetwork.dll', 'vmcompute.dll', 'drivers\\vfpext.sys', 'drivers\\vmswitch.sys' | ForEach-Object { Get-Item "$env:SystemRoot\\System32\\$_" } | Format-Table -AutoSize Name, LastWriteTime, @{ n = 'Version'; e = { $_.VersionInfo.FileVersionRaw } }`,
      'HNS settings': `$state = Get-Item 'HKLM:\\SYSTEM\\CurrentControlSet\\Services\\hns\\State'
$state.GetValueNames() | Where-Object { $state.GetValueKind($_) -eq 'DWord' } | ForEach-Object { "$_ : $($state.GetValue($_))" }`,
    },
  },
  {
    name: 'network',
    about: 'ipconfig /all, route print, and dynamic and excluded port ranges',
    seconds: 60,
    sections: Object.fromEntries(
      ['ipconfig.exe /all', 'route.exe print', ...portRanges].map((command) => [command, command]),
    ),
  },
  {
    name: 'interfaces',
    about: 'network adapters, IP interfaces with MTU and forwarding, addresses, routes, and virtual switches',
    seconds: 60,
    sections: Object.fromEntries(
      [
        'Get-NetAdapter -IncludeHidden | Format-Table -AutoSize Name, InterfaceDescription, ifIndex, Status, MacAddress, LinkSpeed, MtuSize, VlanID, DriverVersion',
        'Get-NetIPInterface -IncludeAllCompartments | Format-Table -AutoSize CompartmentId, ifIndex, InterfaceAlias, AddressFamily, ConnectionState, NlMtu, InterfaceMetric, Dhcp, Forwarding, WeakHostSend, WeakHostReceive',
        'Get-NetIPAddress -IncludeAllCompartments | Format-Table -AutoSize InterfaceIndex, InterfaceAlias, IPAddress, PrefixLength, PrefixOrigin, AddressState',
        'Get-NetRoute -IncludeAllCompartments | Format-Table -AutoSize CompartmentId, ifIndex, InterfaceAlias, DestinationPrefix, NextHop, RouteMetric, InterfaceMetric, Store',
        'Get-VMSwitch | Format-List Name, Id, SwitchType, NetAdapterInterfaceDescriptions, AllowManagementOS',
      ].map((command) => [command.replace(/ .*/, ''), command]),
    ),
  },
  {
    name: 'events',
    about:
      'events of the last 24 hours from HNS, the virtual switch, and services of networking and Kubernetes, without their texts',
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

const seconds = 30;

const script = `$service = 'Name', 'State', 'StartMode', 'StartName', 'ProcessId', 'ExitCode', @{ n = 'CommandLine'; e = { $_.PathName } }
$created = @{ n = 'Created'; e = { $_.CreationDate.ToUniversalTime().ToString('o') } }
$process = 'Name', 'ProcessId', $created, 'ThreadCount', 'HandleCount', 'WorkingSetSize', 'CommandLine'
$found = @(Get-CimInstance Win32_Service | Where-Object { $_.Name -match '^(${services})$' })
$hns = ($found | Where-Object { $_.Name -eq 'hns' }).ProcessId
$processes = @(Get-CimInstance Win32_Process | Where-Object { $_.ProcessId -eq $hns -or $_.Name -match '^(${services}|dockerd|nssm)\\.exe$' })
$drivers = @(Get-CimInstance Win32_SystemDriver | Where-Object { $_.Name -match '^(vfpext|vmswitch|vmsmp)' })
ConvertTo-Json -Depth 3 @{
  services = @($found | Select-Object $service)
  processes = @($processes | Select-Object $process)
  drivers = @($drivers | Select-Object 'Name', 'State', 'StartMode', 'PathName')
}`;

/** Services, processes and drivers, with command lines reduced to known options. */
export function processCollector({ powershell }: Terminal): Collector {
  return {
    name: 'services',
    about:
      'services and processes of networking and Kubernetes with known options, and drivers of the virtual switch',
    seconds: seconds + 5,
    collect: async () => {
      const result = await powershell(script, seconds);
      if ('problem' in result) return { files: [], problems: [result.problem] };
      const lists = Object.entries(parseObject(result.stdout));
      if (lists.length === 0) return { files: [], problems: ['PowerShell printed no JSON object'] };
      const known = lists.map(([name, list]) => [
        name,
        Array.isArray(list) ? list.map(withKnownOptions) : [],
      ]);
      return { files: [jsonFile('windows/services.json', Object.fromEntries(known))] };
    },
  };
}

function withKnownOptions(process: unknown): unknown {
  if (!isObject(process) || typeof process['CommandLine'] !== 'string') return process;
  return { ...process, CommandLine: knownOptions(process['CommandLine']) };
}

/** Options of programs of Kubernetes and containerd that a diagnosis needs. Their values are not secret. */
const options: ReadonlySet<string> = new Set(
  `bind-address cluster-cidr cluster-dns cni-bin-dir cni-conf-dir config config-file container-runtime-endpoint enable-dsr
  feature-gates hostname-override iface kube-subnet-mgr kubeconfig log-file log-level max-pods network-name node-ip node-name
  pod-cidr proxy-mode root service-cidr service-cluster-ip-range source-vip state v windows-service`.split(
    /\s+/,
  ),
);
const harmless = /^[\w.,:/\\ =%()-]{1,400}$/;

/** The program and the known options of a command line. */
export function knownOptions(line: string): string {
  const [program = '', ...words] = (line.match(/(?:[^\s"]|"[^"]*"?)+/g) ?? []).map((word) =>
    word.replaceAll('"', ''),
  );
  const kept = words.flatMap((word, index) => {
    const [, name = '', value] = /^--?([a-z-]+)(?:=(.*))?$/s.exec(word) ?? [];
    if (!options.has(name)) return [];
    const next = words[index + 1] ?? '';
    const given = value ?? (next.startsWith('-') ? '' : next);
    return [given === '' ? `--${name}` : `--${name}=${harmless.test(given) ? given : omittedMark}`];
  });
  return [harmless.test(program) ? program : omittedMark, ...kept].join(' ');
}
