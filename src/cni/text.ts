import { isObject, type JsonObject } from '../json/members.ts';
import { CniError, code } from './error.ts';

/** The most that is read of a document from outside, stdin or an IPAM plugin's answer, in bytes. */
export const maximumBytes = 1_048_576;

const encodings: readonly { readonly encoding: string; readonly matches: (bytes: Uint8Array) => boolean }[] =
  [
    { encoding: 'utf-16le', matches: ([a, b]) => a === 0xff && b === 0xfe },
    { encoding: 'utf-16be', matches: ([a, b]) => a === 0xfe && b === 0xff },
    { encoding: 'utf-16le', matches: ([a, b]) => a !== undefined && a !== 0 && b === 0 },
    { encoding: 'utf-16be', matches: ([a, b]) => a === 0 && b !== undefined && b !== 0 },
  ];

/**
 * Decodes stdin: UTF-8, or the UTF-16 that PowerShell writes, with or without a byte-order mark.
 * The mark is not part of the text. Invalid UTF-8 becomes U+FFFD, as Go's decoder has it.
 */
export function decodeText(bytes: Uint8Array): string {
  return new TextDecoder(detectEncoding(bytes)).decode(bytes);
}

/** What a text is encoded in: `utf-8`, `utf-16le` or `utf-16be`. */
export function detectEncoding(bytes: Uint8Array): string {
  return encodings.find(({ matches }) => matches(bytes))?.encoding ?? 'utf-8';
}

/**
 * The text as JSON, where only non-breaking spaces or byte-order marks between its tokens keep it from being that, as in files
 * copied from web pages; any other text as it is.
 */
export function normalizeSpaces(text: string): string {
  if (!/[\u00a0\ufeff]/.test(text) || isJson(text)) return text;
  const plain = text.replaceAll(/"[^"\\]*(?:\\.[^"\\]*)*"?|[\u00a0\ufeff]/gs, (found) =>
    found.startsWith('"') ? found : ' ',
  );
  return isJson(plain) ? plain : text;
}

/** Whether a text is JSON of any kind. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Reads a JSON object; anything else is error 6, with what is wrong with it. */
export function parseJsonObject(text: string, what: string): JsonObject {
  if (text.trim() === '')
    throw new CniError(code.decodingFailure, `${what} is empty, expected a JSON object`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CniError(code.decodingFailure, `${what} is not JSON: ${reason}`, {
      unquoted: `${what} is not JSON`,
      cause,
    });
  }
  if (!isObject(value)) {
    const found = value === null ? 'null' : Array.isArray(value) ? 'an array' : `a ${typeof value}`;
    throw new CniError(code.decodingFailure, `${what} is ${found}, expected a JSON object`);
  }
  if (isDeeperThan(value, maximumDepth)) {
    throw new CniError(code.decodingFailure, `${what} is nested deeper than ${maximumDepth} levels`);
  }
  return value;
}

/** Go's decoder gives up at ten thousand; nobody writes a tenth of it. */
const maximumDepth = 1000;

function isDeeperThan(value: unknown, depth: number): boolean {
  let level: readonly unknown[] = [value];
  for (let reached = 0; level.length > 0; reached += 1) {
    if (reached > depth) return true;
    level = level.flatMap((item) => (typeof item === 'object' && item !== null ? Object.values(item) : []));
  }
  return false;
}
