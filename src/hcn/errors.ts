import { CniError, code } from '../cni/error.ts';
import {
  describeHresult,
  hresultOf,
  isFailure,
  isNotExecuted,
  isNotFound,
  isUnavailable,
  remedyFor,
} from './hresults.ts';
import type { HcnResponse, Kind } from './library.ts';

/** A call HCN refused or did not carry out: what we were doing, what HCN said, what to do next. The details are its error record. */
export class HcnError extends CniError {
  override readonly name = 'HcnError';
  /** Unsigned. */
  readonly hresult: number;
  /** Whether HCN said success and sent an error record all the same. */
  readonly ambiguous: boolean;

  /** `creates` is the kind of object that the call was to create, undefined for other calls. */
  constructor(doing: string, answered: number, errorRecord: string | undefined, creates?: Kind) {
    const record = errorRecord ?? '';
    const hresult = isFailure(answered) ? answered : codeIn(record);
    const said = `${describeHresult(hresult)}${detailOf(record)}`;
    const ambiguous = !isFailure(answered);
    super(
      ambiguous || isUnavailable(hresult) ? code.tryAgainLater : code.hcnFailure,
      `${doing}: HCN said ${said}. ${remedyFor(hresult, creates)}`,
      { details: record },
    );
    this.hresult = hresult;
    this.ambiguous = ambiguous;
  }

  /** Whether the service itself failed, so that what was asked for may have happened or not. */
  get unavailable(): boolean {
    return isUnavailable(this.hresult);
  }
}

/** A call that did not answer within its deadline. It may still be carried out. */
export class HcnTimeout extends CniError {
  override readonly name = 'HcnTimeout';

  /** Whether the call was made at all. */
  readonly tried: boolean;

  /** `seconds` is 0 when there was no time left to make the call. */
  constructor(call: string, seconds: number) {
    const what = seconds === 0 ? 'was not tried any more' : `did not answer within ${seconds} s`;
    super(
      code.tryAgainLater,
      `${call} ${what}: the Host Network Service hangs or is overloaded. ` +
        'Look at it with Get-Service hns; the call is tried anew with the next request. If that hangs too, drain the node and run Restart-Service hns.',
    );
    this.tried = seconds > 0;
  }
}

/** HCN answered with something that is no document of its kind. */
export class HcnInvalidResponse extends CniError {
  override readonly name = 'HcnInvalidResponse';

  constructor(message: string, cause?: unknown) {
    super(code.tryAgainLater, message, { cause });
  }
}

/** HCN's library cannot be used. `path` is the library that could not be loaded, where it came so far. */
export class HcnUnavailable extends CniError {
  override readonly name: string = 'HcnUnavailable';
  readonly path: string | undefined;

  constructor(message: string, path: string | undefined, cause?: unknown) {
    super(code.hcnMissing, message, { cause });
    this.path = path;
  }
}

/** There is no HCN library on this machine, and so no HCN. */
export class HcnMissing extends HcnUnavailable {
  override readonly name = 'HcnMissing';
}

/** Whether it is unknown if the failed call took effect, or still will. */
export function isOutcomeUnknown(error: unknown): boolean {
  if (error instanceof HcnError)
    return error.ambiguous || (error.unavailable && !isNotExecuted(error.hresult));
  return (error instanceof HcnTimeout && error.tried) || error instanceof HcnInvalidResponse;
}

/** Whether HCN took the call and said no, so that it had no effect. */
export function isRefusal(error: unknown): error is HcnError {
  return error instanceof HcnError && !error.unavailable && !isOutcomeUnknown(error);
}

/** The ErrorCode of a record, or E_FAIL. */
function codeIn(errorRecord: string): number {
  return Number(/"ErrorCode":\s*(\d+)/.exec(errorRecord)?.[1] ?? hresultOf('E_FAIL'));
}

/** HNS puts what it found wrong behind its standard text, in double braces: `{{CreateWithCompartment,UnknownField}}`. */
function detailOf(errorRecord: string): string {
  const braces = /\{\{.*\}\}/.exec(errorRecord)?.[0];
  return braces === undefined ? '' : ` ${braces}`;
}

/**
 * The value of an answer. Throws HcnError for a failure; an error record is one even where the HRESULT is not. `creates` is the
 * kind of object that the call was to create, undefined for other calls.
 */
export function requireValue<T>(
  { hresult, value, errorRecord }: HcnResponse<T>,
  doing: string,
  creates?: Kind,
): T {
  if (isFailure(hresult) || errorRecord) throw new HcnError(doing, hresult, errorRecord, creates);
  return value;
}

/** The value of an answer, undefined when there is no such object. Throws HcnError for any other failure. */
export function findValue<T>(answer: HcnResponse<T>, doing: string): T | undefined {
  return isNotFound(answer.hresult) ? undefined : requireValue(answer, doing);
}

/** What `read` makes of an answer. Throws HcnInvalidResponse, with what we were doing, for one that cannot be read. */
export function parseAnswer<T>(doing: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    if (!(cause instanceof HcnInvalidResponse)) throw cause;
    throw new HcnInvalidResponse(`${doing}: ${cause.message}. ${nonsenseRemedy}`, cause);
  }
}

const nonsenseRemedy =
  'The Host Network Service is broken or half stopped: look at it with Get-Service hns, restart it with Restart-Service hns.';
