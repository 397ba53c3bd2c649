import { CniError, code, errorMessage } from '../cni/error.ts';

/** What a code of the IP Helper means. */
interface WindowsMeaning {
  readonly code: number;
  /** The usual cause in a call of win-hcn: a sentence. */
  readonly cause: string;
  /** Whether the same call may succeed a little later. */
  readonly isTransient?: true;
}

/** https://learn.microsoft.com/windows/win32/debug/system-error-codes */
const meanings = {
  ERROR_FILE_NOT_FOUND: { code: 2, cause: 'The interface was removed during the request.' },
  ERROR_ACCESS_DENIED: { code: 5, cause: 'Only SYSTEM and elevated administrators may do that.' },
  ERROR_NOT_ENOUGH_MEMORY: { code: 8, cause: 'The node is out of memory.' },
  ERROR_NOT_SUPPORTED: { code: 50, cause: 'IPv4 is disabled on the adapter.' },
  ERROR_INVALID_PARAMETER: { code: 87, cause: 'IPv4 is not enabled on the interface.' },
  ERROR_BUFFER_OVERFLOW: { code: 111, cause: 'Many pods start or stop at the same time.', isTransient: true },
  ERROR_NOT_FOUND: { code: 1168, cause: 'The interface was removed, or is bound to a virtual switch.' },
  RPC_S_SERVER_UNAVAILABLE: { code: 1722, cause: 'The service nsi is not running.', isTransient: true },
  RPC_S_CALL_FAILED: { code: 1726, cause: 'The service nsi stopped during the call.', isTransient: true },
  EPT_S_NOT_REGISTERED: { code: 1753, cause: 'The service nsi is starting.', isTransient: true },
  ERROR_OBJECT_ALREADY_EXISTS: { code: 5010, cause: 'Another program created a route to the same subnet.' },
} as const satisfies Readonly<Record<string, WindowsMeaning>>;

const checkServices = 'Run Get-Service nsi, iphlpsvc to check that both services are running.';

/** What to do after any failed call of the IP Helper: the code itself tells little. */
export const ipHelperRemedy = `Run Get-NetIPInterface and Get-NetRoute to check that the interface exists, has IPv4, and no other route to the subnet. ${checkServices}`;

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
    const cause = known === undefined ? '' : `${known.cause} `;
    super(
      known?.isTransient ? code.tryAgainLater : code.hcnFailure,
      `${action}: Windows returned ${known?.symbol ?? 'error'} (${number}). ${cause}${ipHelperRemedy}`,
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
        : `${action}: Windows did not respond within ${seconds} s. ${checkServices}`,
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
