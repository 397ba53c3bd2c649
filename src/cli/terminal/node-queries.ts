import type { Family } from '../../net/address.ts';
import type { Query } from './powershell.ts';

/** A range of ports; both ends are included. */
export interface PortRange {
  readonly first: number;
  readonly last: number;
}

/** Reads the lines with two numbers; an asterisk marks ranges that an administrator added. */
export function readExcludedRanges(lines: readonly string[]): readonly PortRange[] {
  return lines.flatMap((line) => {
    const [, first, last] = /^\s*(\d+)\s+(\d+)(?:\s*\*)?\s*$/.exec(line) ?? [];
    return first === undefined ? [] : [{ first: Number(first), last: Number(last) }];
  });
}

/** Whether an interface of the node forwards packets of a family. */
export interface InterfaceForwarding {
  readonly index: number;
  readonly family: Family;
  readonly isEnabled: boolean;
}

/** https://learn.microsoft.com/powershell/module/nettcpip/get-netipinterface */
export const forwardingState: Query<readonly InterfaceForwarding[]> = {
  script: `
$interfaces = @(Get-NetIPInterface | ForEach-Object {
  @{
    index = [int]$_.InterfaceIndex
    isIPv6 = "$($_.AddressFamily)" -eq 'IPv6'
    forwarding = "$($_.Forwarding)" -eq 'Enabled'
  }
})
ConvertTo-Json -Compress -Depth 3 @{ interfaces = $interfaces }`,
  read: (output) =>
    output.readList('interfaces', (one) => ({
      index: one.read('index', 'a number'),
      family: one.read('isIPv6', 'true or false') ? 'IPv6' : 'IPv4',
      isEnabled: one.read('forwarding', 'true or false'),
    })),
};
