import { describe, expect, test } from 'vitest';
import {
  decodeText,
  detectEncoding,
  maximumBytes,
  normalizeSpaces,
  parseJsonObject,
} from '../../../src/cni/text.ts';

const nbsp = '\u00a0';
const mark = '\ufeff';
const read = (text: string) => parseJsonObject(normalizeSpaces(text), 'stdin');

describe('the text on stdin', () => {
  test.each([
    ['UTF-8', Buffer.from(`${mark}{"name":"ü"}`)],
    ['UTF-16, little-endian', Buffer.from(`${mark}{"name":"ü"}`, 'utf16le')],
    ['UTF-16, big-endian', Buffer.from(`${mark}{"name":"ü"}`, 'utf16le').swap16()],
  ])('may begin with a byte-order mark of %s', (_encoding, bytes) => {
    expect(read(decodeText(bytes))).toEqual({ name: 'ü' });
  });

  test.each([
    ['utf-8', []],
    ['utf-8', [0x7b]],
    ['utf-8', [0x00]],
    ['utf-8', [0x00, 0x00]],
    ['utf-8', [0xef, 0xbb, 0xbf, 0x7b]],
    ['utf-8', [0xff, 0xfd]],
    ['utf-8', [0xfe, 0xfe]],
    ['utf-16le', [0xff, 0xfe]],
    ['utf-16be', [0xfe, 0xff]],
    ['utf-16le', [0x7b, 0x00]],
    ['utf-16be', [0x00, 0x7b]],
  ])('is %s if it begins with %j', (encoding, bytes) => {
    expect(detectEncoding(Uint8Array.from(bytes))).toBe(encoding);
  });

  test('may have non-breaking spaces and byte-order marks between tokens', () => {
    const text = `${mark}{${nbsp}${nbsp}"name"${nbsp}:\n${nbsp}"cbr0",${nbsp}"list": [1,${nbsp}"a\\"${nbsp}\\\\"${nbsp}]}`;
    expect(read(text)).toEqual({ name: 'cbr0', list: [1, `a"${nbsp}\\`] });
  });

  test('may have them after an empty string, and instead of a space only', () => {
    expect(read(`{"a":"",${nbsp}"b":1}`)).toEqual({ a: '', b: 1 });
    const digits = `{"a":1${nbsp}2}`;
    expect(normalizeSpaces(digits)).toBe(digits);
  });

  test('has at most 1 MiB', () => {
    expect(maximumBytes).toBe(2 ** 20);
  });

  test('keeps them in strings and keys', () => {
    const text = `{"a${nbsp}b": "c${nbsp}d"}`;
    expect(normalizeSpaces(text)).toBe(text);
    expect(read(text)).toEqual({ [`a${nbsp}b`]: `c${nbsp}d` });
    expect(read(`{${nbsp}"a${nbsp}b": "${mark}"}`)).toEqual({ [`a${nbsp}b`]: mark });
  });

  test('is unchanged if that does not make it valid JSON', () => {
    for (const text of [`{${nbsp}"name" "cbr0"}`, `{"name":${nbsp}"cbr0`, nbsp]) {
      expect(normalizeSpaces(text)).toBe(text);
      expect(() => read(text)).toThrow(/^stdin is (not JSON|empty)/);
    }
  });

  test('is read quickly even if it is long and invalid', () => {
    const text = `{${nbsp}"a": ${'"\\'.repeat(100_000)}`;
    expect(normalizeSpaces(text)).toBe(text);
  });
});

describe('a JSON object', () => {
  const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;

  test.each([
    ['', 'stdin is empty, expected a JSON object'],
    [' \n', 'stdin is empty, expected a JSON object'],
    ['null', 'stdin is null, expected a JSON object'],
    ['[{}]', 'stdin is an array, expected a JSON object'],
    ['"x"', 'stdin is a string, expected a JSON object'],
    ['7', 'stdin is a number, expected a JSON object'],
  ])('is not %j', (text, message) => {
    expect(() => parseJsonObject(text, 'stdin')).toThrow(expect.objectContaining({ code: 6, message }));
  });

  test('is not a text that is no JSON, which the error does not quote on request', () => {
    expect(() => parseJsonObject('{"a"', 'stdin')).toThrow(
      expect.objectContaining({
        code: 6,
        message: expect.stringMatching(/^stdin is not JSON: ./),
        unquoted: 'stdin is not JSON',
        cause: expect.any(SyntaxError),
      }),
    );
  });

  test('may have a thousand levels', () => {
    expect(parseJsonObject(nested(1000), 'stdin')).toEqual(JSON.parse(nested(1000)));
  });

  test('with more levels is refused before it is traversed', () => {
    expect(() => parseJsonObject(nested(1001), 'stdin')).toThrow(
      expect.objectContaining({ code: 6, message: 'stdin is nested deeper than 1000 levels' }),
    );
  });
});
