import { CniError, code } from '../cni/error.ts';
import { parseObject } from '../json/members.ts';
import {
  describeHresult,
  findHresult,
  hresultOf,
  isFailure,
  isNotExecuted,
  isNotFound,
  isStaleHandle,
  isUnavailable,
  remedyFor,
} from './hresults.ts';
import type { HcnResponse } from './library.ts';

/**
 * A failed HCN call: the action, HCN's code and text, and the remedy; if HNS is not running, that comes first. `details` is what else
 * HNS reports.
 */
export class HcnError extends CniError {
  override readonly name = 'HcnError';
  /** Unsigned. */
  readonly hresult: number;
  /** Whether HCN returned success together with an error record. */
  readonly ambiguous: boolean;
  /** The JSON that HNS returned; empty if none. */
  readonly errorRecord: string;

  /** `action` is a phrase such as `opening network 1`, `given` what the remedy can name. */
  constructor(action: string, returned: number, errorRecord: string | undefined, given: Given = {}) {
    const ambiguous = !isFailure(returned);
    const record = readErrorRecord(errorRecord ?? '');
    const hresult = ambiguous ? record.hresult : returned;
    super(
      ambiguous || isUnavailable(hresult) || isStaleHandle(hresult) ? code.tryAgainLater : code.hcnFailure,
      describeFailure(action, hresult, record, remedyWith(remedyFor(hresult), given)),
      { details: otherText(hresult, record) },
    );
    this.hresult = hresult;
    this.ambiguous = ambiguous;
    this.errorRecord = errorRecord ?? '';
  }

  /** Whether the service itself failed, so that the call may or may not have taken effect. */
  get unavailable(): boolean {
    return isUnavailable(this.hresult);
  }
}

/** An HCN call that exceeded its time limit and may still take effect, or that was skipped because no time was left. */
export class HcnTimeout extends CniError {
  override readonly name = 'HcnTimeout';
  /** Whether the call was made at all. */
  readonly tried: boolean;

  /** `seconds` is 0 if no time was left for the call. */
  constructor(call: string, seconds: number) {
    const failure =
      seconds === 0
        ? "was skipped, because the request's time is used up"
        : `did not respond within ${seconds} s`;
    super(
      code.tryAgainLater,
      `${call} ${failure}: the Host Network Service hangs or is overloaded. Run Get-Service hns to check it. ` +
        'If the next attempt times out too, drain the node and run Restart-Service hns.',
    );
    this.tried = seconds > 0;
  }
}

/** A response of HCN that is not a document of the expected kind. */
export class HcnInvalidResponse extends CniError {
  override readonly name = 'HcnInvalidResponse';

  constructor(message: string, cause?: unknown) {
    super(code.tryAgainLater, message, { cause });
  }
}

/** HCN's library cannot be used. `path` is the library that could not be loaded, undefined if loading did not get that far. */
export class HcnUnavailable extends CniError {
  override readonly name: string = 'HcnUnavailable';
  readonly path: string | undefined;

  constructor(message: string, path: string | undefined, cause?: unknown) {
    super(code.hcnMissing, message, { cause });
    this.path = path;
  }
}

/** This machine has no HCN library, and so no HCN. */
export class HcnMissing extends HcnUnavailable {
  override readonly name = 'HcnMissing';
}

/** Whether the failed call may have taken effect, or still may. */
export function isOutcomeUnknown(error: unknown): boolean {
  if (error instanceof HcnError)
    return error.ambiguous || (error.unavailable && !isNotExecuted(error.hresult));
  return (error instanceof HcnTimeout && error.tried) || error instanceof HcnInvalidResponse;
}

/** Whether HCN received the call and refused it: no timeout and no failure of the service. HNS may still have done part of it. */
export function isRefusal(error: unknown): error is HcnError {
  return error instanceof HcnError && !error.unavailable && !isOutcomeUnknown(error);
}

/** Whether HCN refuses to return one object, or returns it unreadable: others may be used. */
export function isOfOneObject(error: unknown): boolean {
  return error instanceof HcnInvalidResponse || isRefusal(error);
}

/** The value of a response. Throws HcnError for a failure, and for an error record even with success. */
export function requireValue<T>(
  { hresult, value, errorRecord }: HcnResponse<T>,
  action: string,
  given?: Given,
): T {
  if (isFailure(hresult) || errorRecord) throw new HcnError(action, hresult, errorRecord, given);
  return value;
}

/** The value of a response, undefined if the object does not exist. Throws HcnError for any other failure. */
export function findValue<T>(response: HcnResponse<T>, action: string): T | undefined {
  return isNotFound(response.hresult) ? undefined : requireValue(response, action);
}

/** What `read` returns. Adds the action and the remedy to an HcnInvalidResponse. */
export function parseResponse<T>(action: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    if (!(cause instanceof HcnInvalidResponse)) throw cause;
    throw new HcnInvalidResponse(
      `${action}: ${cause.message}. The Host Network Service is broken or stopping. ` +
        'Run Get-Service hns to check it. If this persists, drain the node and run Restart-Service hns.',
      cause,
    );
  }
}

/** Values of a request that a remedy names instead of a placeholder. */
export interface Given {
  /** The address of an endpoint to create. */
  readonly address?: string | undefined;
  readonly hostPorts?: readonly number[];
}

function remedyWith(remedy: string, { address = 'ADDRESS', hostPorts = [] }: Given): string {
  const [port = 'PORT', ...others] = new Set(hostPorts);
  const ports = others.length === 0 ? `${port}` : `${port} (or ${others.join(', ')})`;
  return remedy.replace('ADDRESS', address).replace('show port PORT', `show port ${ports}`);
}

function describeFailure(
  action: string,
  hresult: number,
  { detail, text }: ErrorRecord,
  remedy: string,
): string {
  const known = findHresult(hresult);
  const unknownText = known === undefined && text !== '' ? `: ${text}` : '';
  const returned = `${describeHresult(hresult)}${unknownText}${detail === '' ? '' : ` ${detail}`}.`;
  if (known?.service === undefined) return `${action}: HCN returned ${returned} ${remedy}`;
  return `${known.service}. ${remedy} ${action.charAt(0).toUpperCase()}${action.slice(1)} failed with ${returned}`;
}

/** What HNS reports besides the text of the code, such as the same text in another language. */
function otherText(hresult: number, { text }: ErrorRecord): string {
  const known = findHresult(hresult);
  return text === '' || known === undefined || text === known.text ? '' : `HNS reports: ${text}`;
}

/** What HNS reports beside an HRESULT: `{"Success":false,"Error":"Invalid JSON document string. {{Dns,UnknownField}}","ErrorCode":…}`. */
export interface ErrorRecord {
  /** Its ErrorCode, otherwise E_FAIL. */
  readonly hresult: number;
  /** HNS's sentence, in the language of Windows, without the detail; the whole record if it has another form. */
  readonly text: string;
  /** What HNS adds to its sentence in double braces, with them; otherwise empty. */
  readonly detail: string;
}

/** Reads an error record; an empty one has no text. Takes time in proportion to its length, whatever HNS returns. */
export function readErrorRecord(json: string): ErrorRecord {
  const { Error: error, ErrorCode, Success: _success, ...others } = parseObject(json);
  const isKnown = typeof error === 'string' && Object.keys(others).length === 0;
  const whole = isKnown ? error : json;
  const start = whole.indexOf('{{');
  const end = whole.lastIndexOf('}}') + 2;
  const detail = start < 0 || end < start + 4 ? '' : whole.slice(start, end);
  return {
    hresult: typeof ErrorCode === 'number' ? ErrorCode >>> 0 : hresultOf('E_FAIL'),
    text: isKnown ? whole.replace(detail, '').trim().replace(/\.$/, '') : whole,
    detail,
  };
}
