import { isDeeperThan, isObject, type JsonObject, maximumDepth } from '../json/members.ts';
import { CniError, code, errorMessage } from './error.ts';

/** The size limit for stdin and for an IPAM plugin's output. */
export const maximumBytes = 1_048_576;

const encodings: readonly { readonly encoding: string; readonly matches: (bytes: Uint8Array) => boolean }[] =
  [
    { encoding: 'utf-16le', matches: ([a, b]) => a === 0xff && b === 0xfe },
    { encoding: 'utf-16be', matches: ([a, b]) => a === 0xfe && b === 0xff },
    { encoding: 'utf-16le', matches: ([a, b]) => a !== 0 && b === 0 },
    { encoding: 'utf-16be', matches: ([a, b]) => a === 0 && b !== undefined && b !== 0 },
  ];

/** Decodes stdin: UTF-8, or UTF-16 as PowerShell writes it. A byte-order mark is removed. Invalid UTF-8 becomes U+FFFD, as in Go. */
export function decodeText(bytes: Uint8Array): string {
  return new TextDecoder(detectEncoding(bytes)).decode(bytes);
}

/** The encoding of a text: `utf-8`, `utf-16le` or `utf-16be`. */
export function detectEncoding(bytes: Uint8Array): string {
  const [found] = encodings.filter(({ matches }) => matches(bytes));
  return found?.encoding ?? 'utf-8';
}

/**
 * Replaces non-breaking spaces and byte-order marks between JSON tokens, as in files copied from web pages, if that makes the text
 * valid JSON. Otherwise returns the text unchanged.
 */
export function normalizeSpaces(text: string): string {
  if (isJson(text)) return text;
  const plain = text.replaceAll(/"[^"\\]*(?:\\.[^"\\]*)*"?|[\u00a0\ufeff]/g, (found) =>
    found.includes('"') ? found : ' ',
  );
  return isJson(plain) ? plain : text;
}

/** Whether the text is valid JSON. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Reads a JSON object. Throws code 6 for any other text; `source` names it in the error. */
export function parseJsonObject(text: string, source: string): JsonObject {
  if (text.trim() === '')
    throw new CniError(code.decodingFailure, `${source} is empty, expected a JSON object`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new CniError(code.decodingFailure, `${source} is not JSON: ${errorMessage(cause)}`, {
      unquoted: `${source} is not JSON`,
      cause,
    });
  }
  if (!isObject(value)) {
    const found = value === null ? 'null' : Array.isArray(value) ? 'an array' : `a ${typeof value}`;
    throw new CniError(code.decodingFailure, `${source} is ${found}, expected a JSON object`);
  }
  if (isDeeperThan(value, maximumDepth)) {
    throw new CniError(code.decodingFailure, `${source} is nested deeper than ${maximumDepth} levels`);
  }
  return value;
}
