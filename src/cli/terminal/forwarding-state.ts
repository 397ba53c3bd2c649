import type { Family } from '../../net/address.ts';
import type { Query } from './powershell-query.ts';

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
