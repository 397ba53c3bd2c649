import { CniError, code } from '../cni/error.ts';
import { findWindowsError, serviceRemedy } from './windows-errors.ts';

/** A call of the IP Helper that Windows refused: what we were doing, to which interface, its code, what to do next. */
export class IpHelperError extends CniError {
  override readonly name = 'IpHelperError';

  /** `windowsCode`: https://learn.microsoft.com/windows/win32/debug/system-error-codes */
  constructor(doing: string, windowsCode: number) {
    const known = findWindowsError(windowsCode);
    const remedy = known?.remedy ?? 'Look at the interfaces with Get-NetIPInterface.';
    super(
      known?.passing ? code.tryAgainLater : code.hcnFailure,
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

export const errorSuccess = 0;
export const errorBufferOverflow = 111;
export const errorNoData = 232;
export const errorNotFound = 1168;
