import { describeNatNetworks } from '../../../plan/segments.ts';
import { type PortRange, readExcludedRanges } from '../../terminal/node-queries.ts';
import type { Query } from '../../terminal/powershell.ts';
import { type Check, type Diagnosis, fail, pass, type QueryCheck, warn, withValue } from '../check.ts';

/** The range that Windows allocates ports from, and the ranges it excludes. */
export interface ProtocolPorts {
  readonly protocol: string;
  readonly dynamic: PortRange;
  readonly excluded: readonly PortRange[];
}

/** https://learn.microsoft.com/troubleshoot/windows-server/networking/default-dynamic-port-range-tcpip-chang */
const portRanges: Query<readonly ProtocolPorts[]> = {
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
};

/** Reads the first port and the number of ports, each at the end of a line, in any language. Throws without two such lines. */
export function readDynamicRange(lines: readonly string[]): PortRange {
  const [first, count] = lines.flatMap((line) => /(?:^|\D)(\d+)\s*$/.exec(line)?.[1] ?? []).map(Number);
  if (first === undefined || count === undefined) throw new TypeError('no port range');
  return { first, last: first + count - 1 };
}

/** HNS reserves ports for outbound NAT and load balancers in blocks of this size. */
const blockSize = 64;
/** Microsoft's own node check warns at this number of free blocks. */
const fewBlocks = 10;

const showExcluded = 'netsh interface ipv4 show excludedportrange protocol=';

/** Checks that HNS can still reserve ports: without them, DNS and outbound traffic of pods stop. */
export const ports: QueryCheck<readonly ProtocolPorts[]> = {
  name: 'ports',
  query: portRanges,
  diagnose: (_, result) =>
    withValue(result, (protocols) => protocols.map(diagnoseProtocol), `${showExcluded}tcp`),
};

function diagnoseProtocol({ protocol, dynamic, excluded }: ProtocolPorts): Diagnosis {
  const free = freeBlocks(dynamic, excluded);
  const range = `${protocol.toUpperCase()} ${dynamic.first} to ${dynamic.last}`;
  const seen = `${range}: ${free} of ${freeBlocks(dynamic, [])} blocks of ${blockSize} ports are free`;
  if (free > fewBlocks) return pass(seen);
  return (free === 0 ? fail : warn)(`${seen}; HNS needs a block for outbound NAT and for load balancers`, {
    see: `${showExcluded}${protocol}`,
  });
}

/** The number of whole blocks between the excluded ranges. */
export function freeBlocks({ first, last }: PortRange, excluded: readonly PortRange[]): number {
  let next = first;
  let free = 0;
  for (const range of excluded.toSorted((a, b) => a.first - b.first)) {
    free += blocksIn(next, Math.min(range.first - 1, last));
    next = Math.max(next, range.last + 1);
  }
  return free + blocksIn(next, last);
}

function blocksIn(first: number, last: number): number {
  return Math.max(0, Math.floor((last - first + 1) / blockSize));
}

/** Warns about several NAT networks. */
export const natNetworks: Check = {
  name: 'NAT networks',
  diagnose: ({ inventory }) => {
    const text = 'value' in inventory ? describeNatNetworks(inventory.value.networks) : undefined;
    return text === undefined ? [] : [warn(text, { see: 'win-hcn ls networks' })];
  },
};
