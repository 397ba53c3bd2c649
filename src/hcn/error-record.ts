import { isObject, type JsonObject } from '../json/members.ts';
import { hresultOf } from './hresults.ts';

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
    text: isKnown ? withoutEnd(whole.replace(detail, '')) : whole,
    detail,
  };
}

function parseObject(json: string): JsonObject {
  try {
    const value: unknown = JSON.parse(json);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

/** Whether two sentences are the same, except for their ends. */
export function isSameSentence(one: string, other: string): boolean {
  return withoutEnd(one).toLowerCase() === withoutEnd(other).toLowerCase();
}

/** HNS appends a full stop and a space to its sentences. */
function withoutEnd(sentence: string): string {
  return sentence.trim().replace(/\.$/, '');
}
