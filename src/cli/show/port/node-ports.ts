import { type PortRange, readExcludedRanges } from '../../terminal/node-queries.ts';
import type { Query } from '../../terminal/powershell.ts';

/** The uses of a port that Windows knows of. */
export interface NodePorts {
  readonly sockets: readonly PortSocket[];
  readonly mappings: readonly StaticMapping[];
  /** Whether static mappings could be read: their cmdlets may be missing. */
  readonly hasMappings: boolean;
  readonly excluded: readonly ({ readonly protocol: string } & PortRange)[];
}

/** A TCP connection or listener, or a UDP endpoint. */
export interface PortSocket {
  readonly protocol: string;
  readonly address: string;
  /** As in Get-NetTCPConnection; empty for UDP. */
  readonly state: string;
  readonly process: number;
  /** Empty for a process that ended. */
  readonly program: string;
}

/** A port mapping of NetNat, which is not HCN's. */
export interface StaticMapping {
  readonly protocol: string;
  readonly address: string;
  readonly nat: string;
  readonly internalAddress: string;
  readonly internalPort: number;
}

/**
 * Queries the processes, NetNat mappings and excluded port ranges that have a port. A connection in TimeWait belongs to no process.
 * https://learn.microsoft.com/powershell/module/nettcpip/get-nettcpconnection
 */
export function nodePortsQuery(port: number): Query<NodePorts> {
  return {
    script: `
$port = ${port}
$programs = @{}
foreach ($process in Get-Process) { $programs["$($process.Id)"] = $process.ProcessName }
$connections = Get-NetTCPConnection | Where-Object { $_.LocalPort -eq $port -and "$($_.State)" -ne 'TimeWait' }
$endpoints = Get-NetUDPEndpoint | Where-Object { $_.LocalPort -eq $port }
$sockets = @(
  foreach ($one in $connections) {
    @{
      protocol = 'tcp'
      address = "$($one.LocalAddress)"
      state = "$($one.State)"
      process = [long]$one.OwningProcess
      program = "$($programs["$($one.OwningProcess)"])"
    }
  }
  foreach ($one in $endpoints) {
    @{
      protocol = 'udp'
      address = "$($one.LocalAddress)"
      state = ''
      process = [long]$one.OwningProcess
      program = "$($programs["$($one.OwningProcess)"])"
    }
  }
)
$hasMappings = $true
$mappings = @()
try {
  $mappings = @(foreach ($one in Get-NetNatStaticMapping | Where-Object { $_.ExternalPort -eq $port }) {
    @{
      protocol = "$($one.Protocol)".ToLower()
      address = "$($one.ExternalIPAddress)"
      nat = "$($one.NatName)"
      internalAddress = "$($one.InternalIPAddress)"
      internalPort = [int]$one.InternalPort
    }
  })
} catch {
  $hasMappings = $false
}
$netsh = Join-Path $env:SystemRoot 'System32\\netsh.exe'
$excluded = @(foreach ($protocol in 'tcp', 'udp') {
  @{
    protocol = $protocol
    lines = @(& $netsh interface ipv4 show excludedportrange "protocol=$protocol" | ForEach-Object { "$_" })
  }
})
ConvertTo-Json -Compress -Depth 6 @{
  sockets = $sockets
  mappings = $mappings
  hasMappings = $hasMappings
  excluded = $excluded
}`,
    read: (output) => ({
      sockets: output.readList('sockets', (one) => ({
        protocol: one.read('protocol', 'a string'),
        address: one.read('address', 'a string'),
        state: one.read('state', 'a string'),
        process: one.read('process', 'an integer'),
        program: one.read('program', 'a string'),
      })),
      mappings: output.readList('mappings', (one) => ({
        protocol: one.read('protocol', 'a string'),
        address: one.read('address', 'a string'),
        nat: one.read('nat', 'a string'),
        internalAddress: one.read('internalAddress', 'a string'),
        internalPort: one.read('internalPort', 'an integer'),
      })),
      hasMappings: output.read('hasMappings', 'true or false'),
      excluded: output
        .readList('excluded', (one) => {
          const protocol = one.read('protocol', 'a string');
          return readExcludedRanges(one.read('lines', 'a list of strings'))
            .filter(({ first, last }) => first <= port && port <= last)
            .map((range) => ({ protocol, ...range }));
        })
        .flat(),
    }),
  };
}
