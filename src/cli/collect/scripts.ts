/** A part of what a script prints: a title, and the command whose output and errors follow it. */
export interface Section {
  readonly title: string;
  readonly command: string;
}

/** What Windows' own programs and modules say: one run of PowerShell. */
export interface Script {
  readonly name: string;
  readonly about: string;
  readonly seconds: number;
  readonly sections: readonly Section[];
}

const services =
  'hns|hcs|vmcompute|nvagent|winnat|sharedaccess|containerd|docker|kubelet|kube-?proxy|flanneld|calico\\w*|antrea\\w*|rke2|k3s|rancher-wins';

/** The events of a day, the last ones first. */
function events(filter: string, most: number, condition = '$true'): string {
  return `Get-WinEvent -FilterHashtable @{ ${filter}; StartTime = (Get-Date).AddDays(-1) } -MaxEvents ${most} -ErrorAction Stop |
  Where-Object { ${condition} } |
  Select-Object @{ n = 'Time'; e = { $_.TimeCreated.ToUniversalTime().ToString('o') } }, Id, LevelDisplayName, ProviderName, Message |
  Format-List`;
}

export const scripts: readonly Script[] = [
  {
    name: 'services',
    about:
      'the services and processes of the network and of Kubernetes, with their command lines, and the driver of VFP',
    seconds: 30,
    sections: [
      {
        title: 'Services',
        command: `Get-CimInstance Win32_Service | Where-Object Name -Match '^(${services})$' | Format-List Name, State, StartMode, StartName, ProcessId, ExitCode, PathName`,
      },
      {
        title: 'Processes',
        command: `$hns = (Get-CimInstance Win32_Service -Filter "Name='hns'").ProcessId
Get-CimInstance Win32_Process | Where-Object { $_.ProcessId -eq $hns -or $_.Name -match '^(${services}|dockerd|nssm)\\.exe$' } | Format-List Name, ProcessId, CreationDate, ThreadCount, HandleCount, WorkingSetSize, CommandLine`,
      },
      {
        title: 'Drivers',
        command: `Get-CimInstance Win32_SystemDriver | Where-Object Name -Match '^(vfpext|vmswitch|vmsmp)' | Format-List Name, State, StartMode, PathName`,
      },
    ],
  },
  {
    name: 'windows',
    about:
      "the version of Windows, its updates, the versions of the network's files, and the settings of HNS",
    seconds: 60,
    sections: [
      {
        title: 'Windows',
        command: `Get-ItemProperty 'HKLM:\\SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion' | Format-List ProductName, InstallationType, DisplayVersion, ReleaseId, CurrentBuild, UBR
Get-CimInstance Win32_OperatingSystem | Format-List Caption, Version, MUILanguages, LastBootUpTime, LocalDateTime, FreePhysicalMemory`,
      },
      {
        title: 'Updates',
        command:
          'Get-HotFix | Sort-Object InstalledOn | Format-Table -AutoSize HotFixID, Description, InstalledOn',
      },
      {
        title: 'Files',
        command: `'HostNetSvc.dll', 'computenetwork.dll', 'vmcompute.dll', 'drivers\\vfpext.sys', 'drivers\\vmswitch.sys' | ForEach-Object { Get-Item "$env:SystemRoot\\System32\\$_" } | Format-Table -AutoSize Name, LastWriteTime, @{ n = 'Version'; e = { $_.VersionInfo.FileVersionRaw } }`,
      },
      {
        title: 'Settings of HNS',
        command: `Get-ItemProperty 'HKLM:\\SYSTEM\\CurrentControlSet\\Services\\hns\\State' | Select-Object * -ExcludeProperty PS* | Format-List`,
      },
    ],
  },
  {
    name: 'ipconfig',
    about: 'ipconfig /all',
    seconds: 30,
    sections: [{ title: 'ipconfig /all', command: 'ipconfig.exe /all' }],
  },
  {
    name: 'routes',
    about: 'route print, and the routes of every compartment',
    seconds: 30,
    sections: [
      { title: 'route print', command: 'route.exe print' },
      {
        title: 'Get-NetRoute',
        command:
          'Get-NetRoute -IncludeAllCompartments | Format-Table -AutoSize CompartmentId, ifIndex, InterfaceAlias, DestinationPrefix, NextHop, RouteMetric, InterfaceMetric, Store',
      },
    ],
  },
  {
    name: 'interfaces',
    about: 'network adapters, IP interfaces with their MTU and forwarding, addresses, and virtual switches',
    seconds: 60,
    sections: [
      {
        title: 'Get-NetAdapter',
        command:
          'Get-NetAdapter -IncludeHidden | Format-Table -AutoSize Name, InterfaceDescription, ifIndex, Status, MacAddress, LinkSpeed, MtuSize, VlanID, DriverVersion',
      },
      {
        title: 'Get-NetIPInterface',
        command:
          'Get-NetIPInterface -IncludeAllCompartments | Format-Table -AutoSize CompartmentId, ifIndex, InterfaceAlias, AddressFamily, ConnectionState, NlMtu, InterfaceMetric, Dhcp, Forwarding, WeakHostSend, WeakHostReceive',
      },
      {
        title: 'Get-NetIPAddress',
        command:
          'Get-NetIPAddress -IncludeAllCompartments | Format-Table -AutoSize InterfaceIndex, InterfaceAlias, IPAddress, PrefixLength, PrefixOrigin, AddressState',
      },
      {
        title: 'Get-VMSwitch',
        command:
          'Get-VMSwitch | Format-List Name, Id, SwitchType, NetAdapterInterfaceDescriptions, AllowManagementOS',
      },
    ],
  },
  {
    name: 'ports',
    about: 'the ranges of ports that Windows takes from, and those it may not take, of TCP and UDP',
    seconds: 30,
    sections: ['ipv4', 'ipv6'].flatMap((family) =>
      ['tcp', 'udp'].flatMap((protocol) =>
        ['dynamicport', 'excludedportrange'].map((what) => ({
          title: `netsh interface ${family} show ${what} ${protocol}`,
          command: `netsh.exe interface ${family} show ${what} ${protocol}`,
        })),
      ),
    ),
  },
  {
    name: 'events',
    about:
      'the events of the last day of HNS, of the virtual switch, and of the services of the network and Kubernetes',
    seconds: 60,
    sections: [
      {
        title: 'Host Network Service',
        command: events("LogName = 'Microsoft-Windows-Host-Network-Service-Admin'", 500),
      },
      {
        title: 'Service Control Manager, of these services',
        command: events(
          "LogName = 'System'; ProviderName = 'Service Control Manager'",
          1000,
          `$_.Message -match 'Host Network Service|Host Compute Service|\\b(${services})\\b'`,
        ),
      },
      {
        title: 'Programs that ended with an error',
        command: events("LogName = 'Application'; ProviderName = 'Application Error'", 50),
      },
      { title: 'containerd', command: events("LogName = 'Application'; ProviderName = 'containerd'", 200) },
      {
        title: 'Virtual switch',
        command: events("LogName = 'Microsoft-Windows-Hyper-V-VmSwitch-Operational'", 200),
      },
    ],
  },
  {
    name: 'vfp',
    about: "the ports of the virtual switch, and each one's rules as VFP has them",
    seconds: 60,
    sections: [
      {
        title: 'Ports',
        command: `if (-not (Get-Command vfpctrl.exe -ErrorAction SilentlyContinue)) { 'vfpctrl.exe is not on this node' } else { vfpctrl.exe /list-vmswitch-port }`,
      },
      {
        title: 'Rules',
        command: `$until = (Get-Date).AddSeconds(45)
foreach ($found in [regex]::Matches(((vfpctrl.exe /list-vmswitch-port) -join "\`n"), '(?im)^\\s*Port name\\s*:\\s*([0-9a-f-]{36})')) {
  if ((Get-Date) -gt $until) { 'Out of time: the rules of the other ports are not here.'; break }
  $port = $found.Groups[1].Value
  "--- port $port"
  vfpctrl.exe /port $port /get-port-state
  vfpctrl.exe /port $port /list-rule
}`,
      },
    ],
  },
];
