import { CniError, code, errorMessage } from '../cni/error.ts';

/** What a code of the IP Helper means, and what to do about it. */
interface WindowsMeaning {
  readonly code: number;
  /** The usual cause in a call of win-hcn: a sentence. */
  readonly cause: string;
  /** What to do next, with a command for the node. */
  readonly remedy: string;
  /** Whether the same call may succeed a little later. */
  readonly isTransient?: true;
}

const checkInterface = 'Run Get-NetIPInterface to check whether the interface exists and has IPv4.';
const serviceRemedy = 'Run Get-Service nsi, iphlpsvc to check that both services are running.';

/** https://learn.microsoft.com/windows/win32/debug/system-error-codes */
const meanings = {
  ERROR_FILE_NOT_FOUND: {
    code: 2,
    cause: 'The interface was removed during the request.',
    remedy: checkInterface,
  },
  ERROR_ACCESS_DENIED: {
    code: 5,
    cause: 'The runtime or the shell is not elevated.',
    remedy: 'Run as SYSTEM or as an elevated administrator.',
  },
  ERROR_NOT_ENOUGH_MEMORY: {
    code: 8,
    cause: 'The node is out of memory.',
    remedy:
      'Find the processes that use the most memory: Get-Process | Sort-Object WorkingSet64 -Descending | Select-Object -First 10.',
  },
  ERROR_NOT_SUPPORTED: {
    code: 50,
    cause: 'IPv4 is disabled on the adapter.',
    remedy: 'Enable IPv4 on the adapter: Enable-NetAdapterBinding -Name ADAPTER -ComponentID ms_tcpip.',
  },
  ERROR_INVALID_PARAMETER: {
    code: 87,
    cause:
      'IPv4 is not enabled on the interface, for example because its adapter is bound to a virtual switch.',
    remedy: checkInterface,
  },
  ERROR_BUFFER_OVERFLOW: {
    code: 111,
    cause: 'Many pods start or stop at the same time, and each changes the list of adapters.',
    remedy: 'Retry.',
    isTransient: true,
  },
  ERROR_NOT_FOUND: {
    code: 1168,
    cause: 'The interface was removed during the request, or its adapter is bound to a virtual switch.',
    remedy: checkInterface,
  },
  RPC_S_SERVER_UNAVAILABLE: {
    code: 1722,
    cause: 'The Network Store Interface Service is not running.',
    remedy: serviceRemedy,
    isTransient: true,
  },
  RPC_S_CALL_FAILED: {
    code: 1726,
    cause: 'The Network Store Interface Service stopped during the call.',
    remedy: serviceRemedy,
    isTransient: true,
  },
  EPT_S_NOT_REGISTERED: {
    code: 1753,
    cause: 'The Network Store Interface Service is starting.',
    remedy: serviceRemedy,
    isTransient: true,
  },
  ERROR_OBJECT_ALREADY_EXISTS: {
    code: 5010,
    cause: 'Another program created a route to the same subnet on the interface.',
    remedy: 'Run Get-NetRoute to find the other route, and Remove-NetRoute to delete it if nothing needs it.',
  },
} as const satisfies Readonly<Record<string, WindowsMeaning>>;

/** A code of the IP Helper with its symbol and meaning. */
export interface WindowsError extends WindowsMeaning {
  readonly symbol: string;
}

/** Every code that win-hcn has a text for. */
export const windowsErrors: readonly WindowsError[] = Object.entries(meanings).map(([symbol, meaning]) => ({
  symbol,
  ...meaning,
}));

/** The meaning of a code, undefined if unknown. */
export function findWindowsError(code: number): WindowsError | undefined {
  return windowsErrors.find((known) => known.code === code);
}

/** The codes that calls are compared with. */
export const windowsCode = {
  ERROR_SUCCESS: 0,
  ERROR_BUFFER_OVERFLOW: meanings.ERROR_BUFFER_OVERFLOW.code,
  ERROR_NO_DATA: 232,
  ERROR_NOT_FOUND: meanings.ERROR_NOT_FOUND.code,
  RPC_S_CALL_FAILED: meanings.RPC_S_CALL_FAILED.code,
  ERROR_OBJECT_ALREADY_EXISTS: meanings.ERROR_OBJECT_ALREADY_EXISTS.code,
} as const;

/** A failed call of the IP Helper: the action, Windows' code, and the remedy. */
export class IpHelperError extends CniError {
  override readonly name = 'IpHelperError';
  /** https://learn.microsoft.com/windows/win32/debug/system-error-codes */
  readonly number: number;

  constructor(action: string, number: number) {
    const known = findWindowsError(number);
    const remedy = known?.remedy ?? 'Run Get-NetIPInterface to check the interfaces.';
    super(
      known?.isTransient ? code.tryAgainLater : code.hcnFailure,
      `${action}: Windows returned ${known?.symbol ?? 'error'} (${number}). ${remedy}`,
    );
    this.number = number;
  }
}

/** A call of the IP Helper that exceeded its time limit and may still take effect, or that was skipped because no time was left. */
export class IpHelperTimeout extends CniError {
  override readonly name = 'IpHelperTimeout';
  /** Whether the call was made. */
  readonly tried: boolean;

  /** `seconds` is 0 if no time was left for the call. */
  constructor(action: string, seconds: number) {
    super(
      code.tryAgainLater,
      seconds === 0
        ? `${action}: skipped, because earlier calls used up the request's time. ${remedyForEarlierCalls}`
        : `${action}: Windows did not respond within ${seconds} s. ${serviceRemedy}`,
    );
    this.tried = seconds > 0;
  }
}

/** Whether the failed call of the IP Helper may have taken effect, or still may. */
export function isEffectUnknown(error: unknown): boolean {
  return (
    (error instanceof IpHelperTimeout && error.tried) ||
    (error instanceof IpHelperError && error.number === windowsCode.RPC_S_CALL_FAILED)
  );
}

const remedyForEarlierCalls =
  'The next request retries it. If that times out too, run Get-Service hns, nsi, iphlpsvc.';

/** Returns the result of `read`. Throws code 11 if it throws, because a call returned an invalid structure. */
export function readStructure<T>(call: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    const reason = errorMessage(cause);
    throw new CniError(code.tryAgainLater, `${call} returned an invalid structure: ${reason} Retry.`, {
      cause,
    });
  }
}
