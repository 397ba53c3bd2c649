import { toCniError } from '../../cni/error.ts';
import { HcnError } from '../../hcn/errors.ts';
import { isNotFound } from '../../hcn/hresults.ts';

/** The code of the CNI error that an error becomes. */
export function codeOf(error: Error): string {
  return String(toCniError(error).code);
}

/** The code that an HRESULT becomes: none where an object is looked for or deleted and is not there. */
export function outcomeOf(hresult: number): string {
  const other = codeOf(new HcnError('', hresult, ''));
  return isNotFound(hresult) ? `none, or ${other}` : other;
}
