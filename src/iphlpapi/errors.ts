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

/** A call of the IP Helper that did not answer within its deadline, and may still be carried out, or that had no time left. */
export class IpHelperTimeout extends Error {
  override readonly name = 'IpHelperTimeout';

  /** `seconds` is 0 when there was no time left to make the call. */
  constructor(doing: string, seconds: number) {
    super(
      seconds === 0
        ? `${doing} was not tried any more: earlier calls took all the time of the request. ${remedyForEarlierCalls}`
        : `${doing}: Windows did not answer within ${seconds} s. ${serviceRemedy}`,
    );
  }
}

const remedyForEarlierCalls =
  'The next request tries it anew; if that is late too, look with Get-Service at hns, nsi and iphlpsvc.';

export const errorSuccess = 0;
export const errorBufferOverflow = 111;
export const errorNoData = 232;
export const errorNotFound = 1168;
