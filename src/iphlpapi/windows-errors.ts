import { CniError, code } from '../cni/error.ts';

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

const gone = 'The interface has no IPv4 or is gone: look at it with Get-NetIPInterface.';
const serviceRemedy = 'A service of Windows does not answer: look with Get-Service at nsi and iphlpsvc.';

/** https://learn.microsoft.com/windows/win32/debug/system-error-codes */
const meanings = {
  ERROR_FILE_NOT_FOUND: {
    code: 2,
    cause: 'The interface went while the request was at work on it.',
    remedy: gone,
  },
  ERROR_ACCESS_DENIED: {
    code: 5,
    cause: 'The runtime, or the shell, is not elevated.',
    remedy: 'This needs an elevated caller: run as SYSTEM or as an administrator.',
  },
  ERROR_NOT_ENOUGH_MEMORY: {
    code: 8,
    cause: 'The node has no memory left.',
    remedy:
      'The node is short of memory: see what takes it with Get-Process | Sort-Object WorkingSet64 -Descending | Select-Object -First 10.',
  },
  ERROR_NOT_SUPPORTED: {
    code: 50,
    cause: 'IPv4 is switched off on the adapter.',
    remedy:
      'This Windows has no IPv4 on the interface: look with Get-NetAdapterBinding -ComponentID ms_tcpip.',
  },
  ERROR_INVALID_PARAMETER: {
    code: 87,
    cause: 'The interface has no IPv4, as an adapter under a virtual switch has none.',
    remedy: gone,
  },
  ERROR_BUFFER_OVERFLOW: {
    code: 111,
    cause: 'Many pods start or end at once, and each changes the list of adapters.',
    remedy: 'The adapters change faster than they can be read: try again.',
    isTransient: true,
  },
  ERROR_NOT_FOUND: {
    code: 1168,
    cause: 'The interface went while the request was at work on it, or is under a virtual switch.',
    remedy: gone,
  },
  RPC_S_SERVER_UNAVAILABLE: {
    code: 1722,
    cause: 'The Network Store Interface Service does not run.',
    remedy: serviceRemedy,
    isTransient: true,
  },
  RPC_S_CALL_FAILED: {
    code: 1726,
    cause: 'The Network Store Interface Service ended in the middle of the call.',
    remedy: serviceRemedy,
    isTransient: true,
  },
  EPT_S_NOT_REGISTERED: {
    code: 1753,
    cause: 'The Network Store Interface Service is starting.',
    remedy: serviceRemedy,
    isTransient: true,
  },
} as const satisfies Readonly<Record<string, WindowsMeaning>>;

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
} as const;

/** A call of the IP Helper that Windows refused: what we were doing, to which interface, its code, what to do next. */
export class IpHelperError extends CniError {
  override readonly name = 'IpHelperError';

  /** `windowsCode`: https://learn.microsoft.com/windows/win32/debug/system-error-codes */
  constructor(doing: string, windowsCode: number) {
    const known = findWindowsError(windowsCode);
    const remedy = known?.remedy ?? 'Look at the interfaces with Get-NetIPInterface.';
    super(
      known?.isTransient ? code.tryAgainLater : code.hcnFailure,
      `${doing}: Windows said ${known?.symbol ?? 'error'} (${windowsCode}). ${remedy}`,
    );
  }
}

/** A call of the IP Helper that did not answer within its deadline, and may still be carried out, or that had no time left. */
export class IpHelperTimeout extends CniError {
  override readonly name = 'IpHelperTimeout';

  /** `seconds` is 0 when there was no time left to make the call. */
  constructor(doing: string, seconds: number) {
    super(
      code.tryAgainLater,
      seconds === 0
        ? `${doing} was not tried any more: earlier calls took all the time of the request. ${remedyForEarlierCalls}`
        : `${doing}: Windows did not answer within ${seconds} s. ${serviceRemedy}`,
    );
  }
}

const remedyForEarlierCalls =
  'The next request tries it anew; if that is late too, look with Get-Service at hns, nsi and iphlpsvc.';
