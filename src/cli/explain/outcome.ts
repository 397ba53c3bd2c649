import { toCniError } from '../../commands/failures.ts';
import { HcnError } from '../../hcn/errors.ts';
import { valueOrMissing } from '../../hcn/judge-answer.ts';

/** The code of the CNI error that an error becomes. */
export function codeOf(error: Error): string {
  return String(toCniError(error).code);
}

/** The code that an HRESULT becomes: none where an object is looked for or deleted and is not there. */
export function outcomeOf(hresult: number): string {
  const other = codeOf(new HcnError('', hresult, ''));
  return isMissing(hresult) ? `none, or ${other}` : other;
}

function isMissing(hresult: number): boolean {
  try {
    return valueOrMissing({ hresult, value: true, errorRecord: undefined }, '') === undefined;
  } catch {
    return false;
  }
}
