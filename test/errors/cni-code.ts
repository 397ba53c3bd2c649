import { toCniError } from '../../src/cni/error.ts';
import { HcnError } from '../../src/hcn/errors.ts';
import { isNotFound } from '../../src/hcn/hresults.ts';

/** The code of the CNI error that an error becomes. */
export function cniCodeOf(error: Error): string {
  return String(toCniError(error).code);
}

/** The code of the CNI error that an HRESULT becomes: `none` if it only says that an object to find or delete does not exist. */
export function cniCodeOfHresult(hresult: number): string {
  const other = cniCodeOf(new HcnError('', hresult, ''));
  return isNotFound(hresult) ? `none, or ${other}` : other;
}
