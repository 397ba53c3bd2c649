import { freeHostPort, type HresultMeaning, showLog } from './meaning.ts';

const start = 'Look at the service with Get-Service hns, and start it with Start-Service hns.';

/**
 * Windows' own codes that HNS returns: https://learn.microsoft.com/windows/win32/debug/system-error-codes and
 * https://learn.microsoft.com/windows/win32/rpc/rpc-return-values. ERROR_SHARING_VIOLATION: docker/for-win#2213, docker/for-win#3893.
 * ERROR_NOT_FOUND of a new network: containerd/containerd#13288, microsoft/hcsshim#95, Siemens-Healthineers/K2s#1317.
 */
export const windowsHresults = {
  ERROR_OBJECT_ALREADY_EXISTS: {
    hresult: 0x80071392,
    text: 'The object already exists',
    cause:
      'Windows Server 2019 says so where later ones say HCN_E_ADDR_INVALID_OR_RESERVED; of a network: one of this kind exists.',
    remedy:
      'See who has the address with win-hcn show ip ADDRESS, and which networks there are with win-hcn ls networks.',
  },
  ERROR_SHARING_VIOLATION: {
    hresult: 0x80070020,
    text: 'The process cannot access the file because it is being used by another process',
    cause:
      'Usually on a NAT network: another endpoint, a process on the node or a port reservation of Windows holds the host port.',
    remedy: freeHostPort,
  },
  ERROR_ALREADY_EXISTS: {
    hresult: 0x800700b7,
    text: 'Cannot create a file when that file already exists',
    cause:
      'Another load balancer has the same address, port and protocol, or an earlier call that seemed to fail made this object.',
    remedy:
      'There is one with this id, or another load balancer has this frontend: find it with win-hcn ls loadbalancers, and delete it with win-hcn loadbalancer delete ID --yes if nobody uses it.',
  },
  E_NOTIMPL: {
    hresult: 0x80004001,
    text: 'Not implemented',
    cause: 'This Windows has the call, and does nothing with it, such as modifying a load balancer.',
    remedy: 'Leave out what was asked for, or update this Windows: cmd /c ver shows its build.',
  },
  E_POINTER: {
    hresult: 0x80004003,
    text: 'Invalid pointer',
    cause: 'win-hcn and computenetwork.dll do not fit together; a configuration cannot cause this.',
    remedy:
      'Report this message with the versions that cmd /c ver and (Get-Item C:\\Windows\\System32\\computenetwork.dll).VersionInfo show.',
  },
  E_HANDLE: {
    hresult: 0x80070006,
    text: 'The handle is invalid',
    cause: 'HNS restarted within this request and no longer knows what the request had opened.',
    remedy: 'Run the request again, once Get-Service hns says Running.',
  },
  ERROR_NOT_SUPPORTED: {
    hresult: 0x80070032,
    text: 'The request is not supported',
    cause: 'This Windows or this type of network cannot do what was asked for.',
    remedy:
      'Compare the type that win-hcn ls networks shows with what the configuration asks for, and leave out what such a network cannot do.',
  },
  E_INVALIDARG: {
    hresult: 0x80070057,
    text: 'The parameter is incorrect',
    cause:
      'A value is malformed for HNS: a virtual adapter for a physical one, a MAC address, a VSID; or it is a second NAT network on Windows Server 2019.',
    remedy:
      'Check that "adapter" is in Get-NetAdapter -Physical and not in another network of win-hcn ls networks, then "macPrefix", "macPool" and "vsid". Of two NAT networks on Windows Server 2019, take the one there is by its "name".',
  },
  ERROR_CALL_NOT_IMPLEMENTED: {
    hresult: 0x80070078,
    text: 'This function is not supported on this system',
    cause: 'The computenetwork.dll of this Windows does not have the call.',
    remedy: 'Update this Windows to Windows Server 2019 or newer: cmd /c ver shows its build.',
  },
  ERROR_NOT_FOUND: {
    hresult: 0x80070490,
    text: 'Element not found',
    cause: 'The network, namespace or load balancer went between two calls of this request.',
    remedy: 'It is gone since we looked: run the request again, and see with win-hcn ls whether it is back.',
    creating: {
      Network: {
        cause:
          'NAT: HNS got no subnet and could not choose one. L2Bridge, Overlay and Transparent: the adapter is not free yet, seconds after another network on it was deleted.',
        remedy:
          'NAT: set "subnets", such as [{ "subnet": "172.19.208.0/20" }]. Other types: retry once Get-NetAdapter -Physical shows the adapter as Up, and check with win-hcn ls networks that no other network uses it.',
      },
    },
  },
  ERROR_SERVICE_DISABLED: {
    hresult: 0x80070422,
    text: 'The service cannot be started: it is disabled',
    cause: 'Somebody, or a policy, has disabled HNS or a service it needs.',
    remedy:
      'Enable it with Set-Service hns -StartupType Manual, then Start-Service hns; (Get-Service hns).RequiredServices must run too.',
  },
  ERROR_SERVICE_NOT_ACTIVE: {
    hresult: 0x80070426,
    text: 'The service has not been started',
    cause: 'HNS was stopped, or ended and has not been started again.',
    remedy: start,
  },
  ERROR_SHUTDOWN_IN_PROGRESS: {
    hresult: 0x8007045b,
    text: 'A system shutdown is in progress',
    cause: 'The node is shutting down.',
    remedy: 'Wait until the node is back; Get-Service hns must say Running then.',
  },
  ERROR_TIMEOUT: {
    hresult: 0x800705b4,
    text: 'The operation returned because the timeout period expired',
    cause: 'HNS waited in vain for a driver or another service: it hangs, or the node is overloaded.',
    remedy:
      'Run the request again; if it hangs again, drain the node and run Restart-Service hns, which interrupts all pods.',
  },
  RPC_S_SERVER_UNAVAILABLE: {
    hresult: 0x800706ba,
    text: 'The RPC server is unavailable',
    cause: 'HNS does not run. After it has crashed Windows may take two minutes to start it again.',
    remedy: start,
  },
  RPC_S_CALL_FAILED: {
    hresult: 0x800706be,
    text: 'The remote procedure call failed',
    cause: 'HNS ended in the middle of the call, so that the call may have been carried out or not.',
    remedy:
      'The runtime tries again by itself; if HNS ends every time, see why with Get-WinEvent -LogName System -MaxEvents 50, and with Get-Service hns whether it runs.',
  },
  RPC_S_CALL_FAILED_DNE: {
    hresult: 0x800706bf,
    text: 'The remote procedure call failed and did not execute',
    cause: 'HNS ended before it took the call.',
    remedy: start,
  },
  EPT_S_NOT_REGISTERED: {
    hresult: 0x800706d9,
    text: 'There are no more endpoints available from the endpoint mapper',
    cause: 'HNS has not come up yet, or its feature is not installed on this node.',
    remedy:
      'Look at Get-Service hns; where there is no such service, install it with Enable-WindowsOptionalFeature -Online -FeatureName Containers.',
  },
  E_FAIL: {
    hresult: 0x80004005,
    text: 'Unspecified error',
    cause: 'HNS does not say: often two requests changed the same adapter at once.',
    remedy: `Run the request again; if it fails again, look at ${showLog}.`,
  },
  ERROR_FILE_NOT_FOUND: {
    hresult: 0x80070002,
    text: 'The system cannot find the file specified',
    cause: 'A driver or a part of Windows that HNS needs is not installed.',
    remedy:
      'Install it: Get-WindowsOptionalFeature -Online -FeatureName Containers says whether the feature is there and complete.',
  },
  E_ACCESSDENIED: {
    hresult: 0x80070005,
    text: 'Access is denied',
    cause: 'The runtime, or the shell, is not elevated.',
    remedy:
      'HCN needs an elevated caller: run as SYSTEM or as an administrator; whoami /groups shows the mandatory level, which must be High or System.',
  },
  E_OUTOFMEMORY: {
    hresult: 0x8007000e,
    text: 'Not enough memory resources are available',
    cause: 'The node has no memory left.',
    remedy:
      'See what takes it with Get-Process | Sort-Object WorkingSet64 -Descending | Select-Object -First 10, and run the request again.',
  },
  ERROR_NOT_READY: {
    hresult: 0x80070015,
    text: 'The device is not ready',
    cause: 'The adapter or its virtual switch is just starting, or being changed.',
    remedy: 'Wait until Get-NetAdapter shows the adapter as Up, then run the request again.',
  },
  ERROR_WRONG_DISK: {
    hresult: 0x80070022,
    text: 'The wrong diskette is in the drive',
    cause:
      "HNS could not put an endpoint of the node itself into the node's compartment, as seen after updates.",
    remedy: 'Drain the node and run Restart-Service hns; if that does not help, restart the node.',
  },
  ERROR_DUP_NAME: {
    hresult: 0x80070034,
    text: 'A duplicate name exists on the network: the subnet overlaps another one',
    cause: "A subnet of a NAT or ICS network overlaps another network's, or one that the node itself is in.",
    remedy: 'Take other "subnets": win-hcn ls networks and Get-NetIPAddress show those in use.',
  },
  ERROR_BUSY: {
    hresult: 0x800700aa,
    text: 'The requested resource is in use',
    cause: 'Something still uses what is to be deleted, such as the endpoints of a network.',
    remedy:
      'Delete the pods that use it, then run the request again; win-hcn show network NAME shows the endpoints that are left.',
  },
  E_UNEXPECTED: {
    hresult: 0x8000ffff,
    text: 'Catastrophic failure',
    cause: 'HNS came upon something in its own state that it did not expect.',
    remedy: `Keep the last events (${showLog}), drain the node, and run Restart-Service hns.`,
  },
} as const satisfies Readonly<Record<string, HresultMeaning>>;
