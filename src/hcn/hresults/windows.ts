import { type Hresult, showLog } from './hresult.ts';

/** Codes of Windows that HNS passes on: https://learn.microsoft.com/windows/win32/debug/system-error-codes */
export const windowsHresults: readonly Hresult[] = [
  {
    hresult: 0x80004005,
    symbol: 'E_FAIL',
    text: 'Unspecified error',
    cause: 'HNS does not say: often two requests changed the same adapter at once.',
    remedy: `Run the request again; if it fails again, look at ${showLog}.`,
  },
  {
    hresult: 0x80070002,
    symbol: 'ERROR_FILE_NOT_FOUND',
    text: 'The system cannot find the file specified',
    cause: 'A driver or a part of Windows that HNS needs is not installed.',
    remedy:
      'Install it: Get-WindowsOptionalFeature -Online -FeatureName Containers says whether the feature is there and complete.',
  },
  {
    hresult: 0x80070005,
    symbol: 'E_ACCESSDENIED',
    text: 'Access is denied',
    cause: 'The runtime, or the shell, is not elevated.',
    remedy:
      'HCN needs an elevated caller: run as SYSTEM or as an administrator; whoami /groups shows the mandatory level, which must be High or System.',
  },
  {
    hresult: 0x8007000e,
    symbol: 'E_OUTOFMEMORY',
    text: 'Not enough memory resources are available',
    cause: 'The node has no memory left.',
    remedy:
      'See what takes it with Get-Process | Sort-Object WorkingSet64 -Descending | Select-Object -First 10, and run the request again.',
  },
  {
    hresult: 0x80070015,
    symbol: 'ERROR_NOT_READY',
    text: 'The device is not ready',
    cause: 'The adapter or its virtual switch is just starting, or being changed.',
    remedy: 'Wait until Get-NetAdapter shows the adapter as Up, then run the request again.',
  },
  {
    hresult: 0x80070022,
    symbol: 'ERROR_WRONG_DISK',
    text: 'The wrong diskette is in the drive',
    cause:
      "HNS could not put an endpoint of the node itself into the node's compartment, as seen after updates.",
    remedy: 'Drain the node and run Restart-Service hns; if that does not help, restart the node.',
  },
  {
    hresult: 0x80070034,
    symbol: 'ERROR_DUP_NAME',
    text: 'A duplicate name exists on the network: the subnet overlaps another one',
    cause: "A subnet of a NAT or ICS network overlaps another network's, or one that the node itself is in.",
    remedy: 'Take other "subnets": win-hcn ls networks and Get-NetIPAddress show those in use.',
  },
  {
    hresult: 0x800700aa,
    symbol: 'ERROR_BUSY',
    text: 'The requested resource is in use',
    cause: 'Something still uses what is to be deleted, such as the endpoints of a network.',
    remedy:
      'Delete the pods that use it, then run the request again; win-hcn show network NAME shows the endpoints that are left.',
  },
  {
    hresult: 0x8000ffff,
    symbol: 'E_UNEXPECTED',
    text: 'Catastrophic failure',
    cause: 'HNS came upon something in its own state that it did not expect.',
    remedy: `Keep the last events (${showLog}), drain the node, and run Restart-Service hns.`,
  },
];
