import {
  freeHostPort,
  type HresultMeaning,
  installContainers,
  notRunning,
  restartHns,
  showLog,
  startHns,
  textOnly,
} from './meaning.ts';
import type { HresultSymbol } from './numbers.ts';

const timedOut = {
  cause: 'A driver or service that HNS waits for hangs, or the node is overloaded.',
  remedy: `Retry; if it fails again, ${restartHns}.`,
};

/**
 * Windows' own codes that HNS returns: https://learn.microsoft.com/windows/win32/debug/system-error-codes and
 * https://learn.microsoft.com/windows/win32/rpc/rpc-return-values. ERROR_SHARING_VIOLATION: docker/for-win#2213, docker/for-win#3893.
 * ERROR_NOT_FOUND of a new network: containerd/containerd#13288, microsoft/hcsshim#95, Siemens-Healthineers/K2s#1317.
 */
export const windowsTexts = {
  ERROR_OBJECT_ALREADY_EXISTS: {
    text: 'The object already exists',
    cause:
      'A network conflicts with an existing one. On Windows Server 2019 also as HCN_E_ADDR_INVALID_OR_RESERVED.',
    remedy:
      'Find the owner of the address with win-hcn show ip ADDRESS, or the network with win-hcn ls networks.',
  },
  ERROR_SHARING_VIOLATION: {
    text: 'The process cannot access the file because it is being used by another process',
    cause: 'An endpoint, a process or a port reservation uses the host port, usually on NAT.',
    remedy: freeHostPort,
  },
  ERROR_ALREADY_EXISTS: {
    text: 'Cannot create a file when that file already exists',
    cause:
      'Another load balancer has the address, port and protocol, or an earlier call created this object.',
    remedy:
      'Find it with win-hcn ls services. If it is not in use, run win-hcn debug loadbalancer delete ID --yes.',
  },
  E_NOTIMPL: {
    text: 'Not implemented',
    cause: 'This Windows build does not implement the call, for example to modify a load balancer.',
    remedy: 'Remove the setting, or update Windows.',
  },
  E_POINTER: textOnly('Invalid pointer'),
  E_HANDLE: {
    text: 'The handle is invalid',
    cause: 'HNS restarted during this request.',
    remedy: 'Retry when Get-Service hns shows Running.',
  },
  ERROR_NOT_SUPPORTED: {
    text: 'The request is not supported',
    cause: 'This Windows build or network type does not support the request.',
    remedy: 'Remove the settings that the type does not support: win-hcn ls networks shows the type.',
  },
  E_INVALIDARG: {
    text: 'The parameter is incorrect',
    cause:
      'HNS refuses a value, such as a virtual adapter or a VSID; on Windows Server 2019 also a second NAT network.',
    remedy:
      'Check that "adapter" is in Get-NetAdapter -Physical and in no other network (win-hcn ls networks); then "macPrefix", "macPool", "vsid" and "remoteSubnets". On Windows Server 2019, use the existing NAT network by its "name".',
  },
  ERROR_CALL_NOT_IMPLEMENTED: textOnly('This function is not supported on this system'),
  ERROR_NOT_FOUND: {
    text: 'Element not found',
    cause:
      'The object was deleted. For a new network: HNS found no subnet for NAT, or a deleted network still has the adapter.',
    remedy:
      'Retry; win-hcn ls shows what exists. For NAT, set "subnets", such as [{ "subnet": "172.19.208.0/20" }]. Otherwise wait up to 70 s, until Get-NetAdapter -Physical shows the adapter as Up and in no other network (win-hcn ls networks).',
  },
  ERROR_SERVICE_DISABLED: {
    text: 'The service cannot be started: it is disabled',
    service: notRunning,
    cause: 'HNS, or a service that it needs, is disabled, possibly by Group Policy.',
    remedy:
      'Run Set-Service hns -StartupType Manual, then Start-Service hns. The services in (Get-Service hns).RequiredServices must run too.',
  },
  ERROR_SERVICE_NOT_ACTIVE: {
    text: 'The service has not been started',
    service: notRunning,
    cause: 'HNS is not running.',
    remedy: startHns,
  },
  ERROR_SHUTDOWN_IN_PROGRESS: {
    text: 'A system shutdown is in progress',
    cause: 'The node is shutting down.',
    remedy: 'Wait until Get-Service hns shows Running.',
  },
  ERROR_TIMEOUT: { text: 'This operation returned because the timeout period expired', ...timedOut },
  WAIT_TIMEOUT: { text: 'The wait operation timed out', ...timedOut },
  RPC_S_SERVER_UNAVAILABLE: {
    text: 'The RPC server is unavailable',
    service: notRunning,
    cause: 'HNS is not running. After a crash, Windows may take two minutes to restart it.',
    remedy: startHns,
  },
  RPC_S_CALL_FAILED: {
    text: 'The remote procedure call failed',
    service: 'HNS stopped during the call',
    cause: 'HNS stopped during the call.',
    remedy:
      'Run Start-Service hns, and retry. If HNS stops every time, read Get-WinEvent -LogName System -MaxEvents 50.',
  },
  RPC_S_CALL_FAILED_DNE: {
    text: 'The remote procedure call failed and did not execute',
    service: notRunning,
    cause: 'HNS stopped before it received the call.',
    remedy: startHns,
  },
  EPT_S_NOT_REGISTERED: {
    text: 'There are no more endpoints available from the endpoint mapper',
    service: notRunning,
    cause: 'HNS has not started yet, or its feature is not installed.',
    remedy: `${startHns} If it does not exist, run ${installContainers}.`,
  },
  E_FAIL: {
    text: 'Unspecified error',
    cause: 'HNS gives no reason; often two requests changed one adapter.',
    remedy: `Retry; if it fails again, read the log: ${showLog}.`,
  },
  ERROR_FILE_NOT_FOUND: {
    text: 'The system cannot find the file specified',
    cause: 'A driver or feature that HNS needs is not installed.',
    remedy: `Run ${installContainers}.`,
  },
  E_ACCESSDENIED: {
    text: 'Access is denied',
    cause: 'The runtime or the shell is not elevated.',
    remedy: 'Run as SYSTEM or as an elevated administrator.',
  },
  E_OUTOFMEMORY: textOnly('Not enough memory resources are available'),
  ERROR_NOT_READY: textOnly('The device is not ready'),
  ERROR_WRONG_DISK: textOnly('The wrong diskette is in the drive'),
  ERROR_DUP_NAME: {
    text: 'A duplicate name exists on the network: the subnet overlaps another one',
    cause: 'A subnet of a NAT or ICS network overlaps one of another network or of the node.',
    remedy: 'Use other "subnets": win-hcn ls networks and Get-NetIPAddress show those in use.',
  },
  ERROR_BUSY: {
    text: 'The requested resource is in use',
    cause: 'The object to delete is in use, for example a network that has endpoints.',
    remedy: 'Delete the pods that use it: win-hcn show network NAME shows the endpoints.',
  },
  E_UNEXPECTED: textOnly('Catastrophic failure'),
} satisfies Readonly<Partial<Record<HresultSymbol, HresultMeaning>>>;
