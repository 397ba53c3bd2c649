import { parseObject } from '../json/members.ts';
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

/** Whether two sentences are the same, except for their ends. */
export function isSameSentence(one: string, other: string): boolean {
  return withoutEnd(one).toLowerCase() === withoutEnd(other).toLowerCase();
}

/** Whether a sentence only repeats the number of an HRESULT, such as `Unknown error 0x80070426`, in any language. */
export function isOnlyNumber(sentence: string, hresult: number): boolean {
  if (sentence.length > 60) return false;
  const words = sentence.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const number = hresult.toString(16).padStart(8, '0');
  const others = words.filter((word) => word !== number && word !== `0x${number}`);
  return others.length < words.length && others.length <= 2;
}

/** HNS appends a full stop and a space to its sentences. */
function withoutEnd(sentence: string): string {
  return sentence.trim().replace(/\.$/, '');
}
