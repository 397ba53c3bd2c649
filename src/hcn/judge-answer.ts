import { HcnError, HcnInvalidResponse } from './errors.ts';
import { isFailure, isNotFound } from './hresults.ts';
import type { Answer, Kind } from './library.ts';

/**
 * The value of an answer. Throws HcnError for a failure; an error record is one even where the HRESULT is not. `creates` is the
 * kind of object that the call was to create, undefined for other calls.
 */
export function valueFrom<T>({ hresult, value, errorRecord }: Answer<T>, doing: string, creates?: Kind): T {
  if (isFailure(hresult) || errorRecord) throw new HcnError(doing, hresult, errorRecord, creates);
  return value;
}

/** The value of an answer, undefined when there is no such object. Throws HcnError for any other failure. */
export function valueOrMissing<T>(answer: Answer<T>, doing: string): T | undefined {
  return isNotFound(answer.hresult) ? undefined : valueFrom(answer, doing);
}

/** What `read` makes of an answer. Throws HcnInvalidResponse, with what we were doing, for one that cannot be read. */
export function readAnswer<T>(doing: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    if (!(cause instanceof HcnInvalidResponse)) throw cause;
    throw new HcnInvalidResponse(`${doing}: ${cause.message}. ${nonsenseRemedy}`, cause);
  }
}

const nonsenseRemedy =
  'The Host Network Service is broken or half stopped: look at it with Get-Service hns, restart it with Restart-Service hns.';
