import type { Terminal } from '../../terminal.ts';
import type { Fact } from '../fact.ts';
import { ask } from './ask.ts';

export interface PortRange {
  readonly first: number;
  readonly last: number;
}

/** Where Windows takes ports from by itself, and what of that it may not take. */
export interface ProtocolPorts {
  readonly protocol: string;
  readonly dynamic: PortRange;
  readonly excluded: readonly PortRange[];
}

/** https://learn.microsoft.com/troubleshoot/windows-server/networking/default-dynamic-port-range-tcpip-chang */
const script = `
$netsh = Join-Path $env:SystemRoot 'System32\\netsh.exe'
$protocols = @(foreach ($protocol in 'tcp', 'udp') {
  @{
    protocol = $protocol
    dynamic = @(& $netsh interface ipv4 show dynamicport $protocol | ForEach-Object { "$_" })
    excluded = @(& $netsh interface ipv4 show excludedportrange "protocol=$protocol" | ForEach-Object { "$_" })
  }
})
ConvertTo-Json -Compress -Depth 6 @{ protocols = $protocols }`;

export function askPorts(terminal: Terminal): Promise<Fact<readonly ProtocolPorts[]>> {
  return ask(terminal, script, (printed) =>
    printed.readList('protocols', (one) => ({
      protocol: one.read('protocol', 'a string'),
      dynamic: dynamicRange(one.read('dynamic', 'a list of strings')),
      excluded: excludedRanges(one.read('excluded', 'a list of strings')),
    })),
  );
}

/** The first port and how many there are, each at the end of a line. Throws where there are no two such lines. */
export function dynamicRange(lines: readonly string[]): PortRange {
  const [first, count] = lines.flatMap((line) => /(?:^|\D)(\d+)\s*$/.exec(line)?.[1] ?? []).map(Number);
  if (first === undefined || count === undefined) throw new TypeError('no range');
  return { first, last: first + count - 1 };
}

/** The lines of two numbers; a star behind them marks those that an administrator made. */
export function excludedRanges(lines: readonly string[]): readonly PortRange[] {
  return lines.flatMap((line) => {
    const [, first, last] = /^\s*(\d+)\s+(\d+)\s*\*?\s*$/.exec(line) ?? [];
    return first === undefined ? [] : [{ first: Number(first), last: Number(last) }];
  });
}
