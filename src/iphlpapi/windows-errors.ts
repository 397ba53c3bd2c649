/** What a code of the IP Helper means, and what to make of it. */
export interface WindowsError {
  readonly code: number;
  readonly symbol: string;
  /** What usually leads to it when win-hcn makes the call: a sentence. */
  readonly cause: string;
  /** What to do next, with a command for the node. */
  readonly remedy: string;
  /** Whether the same call may work a little later. */
  readonly passing: boolean;
}

/** What we know about a code. */
export function findWindowsError(code: number): WindowsError | undefined {
  return windowsErrors.find((known) => known.code === code);
}

const gone = 'The interface has no IPv4 or is gone: look at it with Get-NetIPInterface.';
/** What to do when a service behind the IP Helper does not answer. */
export const serviceRemedy =
  'A service of Windows does not answer: look with Get-Service at nsi and iphlpsvc.';

/** https://learn.microsoft.com/windows/win32/debug/system-error-codes */
export const windowsErrors: readonly WindowsError[] = [
  {
    code: 2,
    symbol: 'ERROR_FILE_NOT_FOUND',
    cause: 'The interface went while the request was at work on it.',
    remedy: gone,
    passing: false,
  },
  {
    code: 5,
    symbol: 'ERROR_ACCESS_DENIED',
    cause: 'The runtime, or the shell, is not elevated.',
    remedy: 'This needs an elevated caller: run as SYSTEM or as an administrator.',
    passing: false,
  },
  {
    code: 8,
    symbol: 'ERROR_NOT_ENOUGH_MEMORY',
    cause: 'The node has no memory left.',
    remedy:
      'The node is short of memory: see what takes it with Get-Process | Sort-Object WorkingSet64 -Descending | Select-Object -First 10.',
    passing: false,
  },
  {
    code: 50,
    symbol: 'ERROR_NOT_SUPPORTED',
    cause: 'IPv4 is switched off on the adapter.',
    remedy:
      'This Windows has no IPv4 on the interface: look with Get-NetAdapterBinding -ComponentID ms_tcpip.',
    passing: false,
  },
  {
    code: 87,
    symbol: 'ERROR_INVALID_PARAMETER',
    cause: 'The interface has no IPv4, as an adapter under a virtual switch has none.',
    remedy: gone,
    passing: false,
  },
  {
    code: 111,
    symbol: 'ERROR_BUFFER_OVERFLOW',
    cause: 'Many pods start or end at once, and each changes the list of adapters.',
    remedy: 'The adapters change faster than they can be read: try again.',
    passing: true,
  },
  {
    code: 1168,
    symbol: 'ERROR_NOT_FOUND',
    cause: 'The interface went while the request was at work on it, or is under a virtual switch.',
    remedy: gone,
    passing: false,
  },
  {
    code: 1722,
    symbol: 'RPC_S_SERVER_UNAVAILABLE',
    cause: 'The Network Store Interface Service does not run.',
    remedy: serviceRemedy,
    passing: true,
  },
  {
    code: 1726,
    symbol: 'RPC_S_CALL_FAILED',
    cause: 'The Network Store Interface Service ended in the middle of the call.',
    remedy: serviceRemedy,
    passing: true,
  },
  {
    code: 1753,
    symbol: 'EPT_S_NOT_REGISTERED',
    cause: 'The Network Store Interface Service is starting.',
    remedy: serviceRemedy,
    passing: true,
  },
];
