import type { Hresult } from './hresult.ts';

const start = 'Look at the service with Get-Service hns, and start it with Start-Service hns.';

/** What is said when the service did not do its work: https://learn.microsoft.com/windows/win32/rpc/rpc-return-values */
export const serviceHresults: readonly Hresult[] = [
  {
    hresult: 0x803b0020,
    symbol: 'HCN_E_MANAGER_STOPPED',
    text: 'Operation cannot be performed while service is stopping',
    cause: 'HNS is stopping, as in a restart or an update.',
    remedy: 'Wait until Get-Service hns says Running; Start-Service hns, if it stays Stopped.',
  },
  {
    hresult: 0x80070422,
    symbol: 'ERROR_SERVICE_DISABLED',
    text: 'The service cannot be started: it is disabled',
    cause: 'Somebody, or a policy, has disabled HNS or a service it needs.',
    remedy:
      'Enable it with Set-Service hns -StartupType Manual, then Start-Service hns; (Get-Service hns).RequiredServices must run too.',
  },
  {
    hresult: 0x80070426,
    symbol: 'ERROR_SERVICE_NOT_ACTIVE',
    text: 'The service has not been started',
    cause: 'HNS was stopped, or ended and has not been started again.',
    remedy: start,
  },
  {
    hresult: 0x8007045b,
    symbol: 'ERROR_SHUTDOWN_IN_PROGRESS',
    text: 'A system shutdown is in progress',
    cause: 'The node is shutting down.',
    remedy: 'Wait until the node is back; Get-Service hns must say Running then.',
  },
  {
    hresult: 0x800705b4,
    symbol: 'ERROR_TIMEOUT',
    text: 'The operation returned because the timeout period expired',
    cause: 'HNS waited in vain for a driver or another service: it hangs, or the node is overloaded.',
    remedy:
      'Run the request again; if it hangs again, drain the node and run Restart-Service hns, which interrupts all pods.',
  },
  {
    hresult: 0x800706ba,
    symbol: 'RPC_S_SERVER_UNAVAILABLE',
    text: 'The RPC server is unavailable',
    cause: 'HNS does not run. After it has crashed Windows may take two minutes to start it again.',
    remedy: start,
  },
  {
    hresult: 0x800706be,
    symbol: 'RPC_S_CALL_FAILED',
    text: 'The remote procedure call failed',
    cause: 'HNS ended in the middle of the call, so that the call may have been carried out or not.',
    remedy:
      'The runtime tries again by itself; if HNS ends every time, see why with Get-WinEvent -LogName System -MaxEvents 50, and with Get-Service hns whether it runs.',
  },
  {
    hresult: 0x800706bf,
    symbol: 'RPC_S_CALL_FAILED_DNE',
    text: 'The remote procedure call failed and did not execute',
    cause: 'HNS ended before it took the call.',
    remedy: start,
  },
  {
    hresult: 0x800706d9,
    symbol: 'EPT_S_NOT_REGISTERED',
    text: 'There are no more endpoints available from the endpoint mapper',
    cause: 'HNS has not come up yet, or its feature is not installed on this node.',
    remedy:
      'Look at Get-Service hns; where there is no such service, install it with Enable-WindowsOptionalFeature -Online -FeatureName Containers.',
  },
];
