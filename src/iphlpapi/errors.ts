import { findWindowsError, serviceRemedy } from './windows-errors.ts';

/** A call of the IP Helper that Windows refused: what we were doing, to which interface, its code, what to do next. */
export class IpHelperError extends Error {
  override readonly name = 'IpHelperError';
  /** https://learn.microsoft.com/windows/win32/debug/system-error-codes */
  readonly code: number;
  /** Whether the same call may work a little later. */
  readonly passing: boolean;

  constructor(doing: string, code: number) {
    const known = findWindowsError(code);
    const remedy = known?.remedy ?? 'Look at the interfaces with Get-NetIPInterface.';
    super(`${doing}: Windows said ${known?.symbol ?? 'error'} (${code}). ${remedy}`);
    this.code = code;
    this.passing = known?.passing ?? false;
  }
}

/** A call of the IP Helper that did not answer within its deadline. It may still be carried out. */
export class IpHelperTimeout extends Error {
  override readonly name = 'IpHelperTimeout';

  constructor(doing: string, seconds: number) {
    super(`${doing}: Windows did not answer within ${seconds} s. ${serviceRemedy}`);
  }
}

export const errorSuccess = 0;
export const errorBufferOverflow = 111;
export const errorNoData = 232;
export const errorNotFound = 1168;
