/** A call of the IP Helper that Windows refused: what we were doing, to which interface, its code, what to do next. */
export class IpHelperError extends Error {
  override readonly name = 'IpHelperError';
  /** https://learn.microsoft.com/windows/win32/debug/system-error-codes */
  readonly code: number;

  constructor(doing: string, code: number) {
    const [symbol, remedy] = known.get(code) ?? [
      undefined,
      'Look at the interfaces with Get-NetIPInterface.',
    ];
    super(`${doing}: Windows said ${symbol === undefined ? 'error' : symbol} (${code}). ${remedy}`);
    this.code = code;
  }
}

/** A call of the IP Helper that did not answer within its deadline. It may still be carried out. */
export class IpHelperTimeout extends Error {
  override readonly name = 'IpHelperTimeout';

  constructor(doing: string, seconds: number) {
    super(`${doing}: Windows did not answer within ${seconds} s. ${unreachable}`);
  }
}

export const errorSuccess = 0;
export const errorBufferOverflow = 111;
export const errorNoData = 232;
export const errorNotFound = 1168;

const gone = 'The interface has no IPv4 or is gone: look at it with Get-NetIPInterface.';
const memory = 'The node is short of memory.';
const unreachable = 'A service of Windows does not answer: look with Get-Service at nsi and iphlpsvc.';

const known: ReadonlyMap<number, readonly [string, string]> = new Map([
  [2, ['ERROR_FILE_NOT_FOUND', gone]],
  [5, ['ERROR_ACCESS_DENIED', 'This needs an elevated caller: run as SYSTEM or as an administrator.']],
  [8, ['ERROR_NOT_ENOUGH_MEMORY', memory]],
  [
    50,
    ['ERROR_NOT_SUPPORTED', 'This Windows has no IPv4 on the interface: look with Get-NetAdapterBinding.'],
  ],
  [87, ['ERROR_INVALID_PARAMETER', gone]],
  [
    errorBufferOverflow,
    ['ERROR_BUFFER_OVERFLOW', 'The adapters change faster than they can be read: try again.'],
  ],
  [errorNotFound, ['ERROR_NOT_FOUND', gone]],
  [1722, ['RPC_S_SERVER_UNAVAILABLE', unreachable]],
  [1726, ['RPC_S_CALL_FAILED', unreachable]],
  [1753, ['EPT_S_NOT_REGISTERED', unreachable]],
]);
