import { describe, expect, test } from 'vitest';
import { detectEncoding, normalizeSpaces, parseJsonObject } from '../../../src/cni/text.ts';

const nbsp = '\u00a0';
const mark = '\ufeff';
const read = (text: string) => parseJsonObject(normalizeSpaces(text), 'stdin');

describe('the text on stdin', () => {
  test.each([
    ['utf-8', [0x00, 0x00]],
    ['utf-8', [0x7b]],
    ['utf-8', [0xfe, 0xfe]],
    ['utf-8', [0xff, 0xff]],
    ['utf-8', [0x7b, 0xfe]],
    ['utf-16le', [0xff, 0xfe]],
    ['utf-16be', [0xfe, 0xff]],
    ['utf-16le', [0x7b, 0x00]],
    ['utf-16be', [0x00, 0x7b]],
  ])('is %s if it begins with %j', (encoding, bytes) => {
    expect(detectEncoding(Uint8Array.from(bytes))).toBe(encoding);
  });

  test('may have them after an empty string, and instead of a space only', () => {
    expect(read(`{"a":"",${nbsp}"b":1}`)).toEqual({ a: '', b: 1 });
    const digits = `{"a":1${nbsp}2}`;
    expect(normalizeSpaces(digits)).toBe(digits);
  });

  test('keeps them in strings and keys', () => {
    const text = `{"a${nbsp}b": "c${nbsp}d"}`;
    expect(normalizeSpaces(text)).toBe(text);
    expect(read(text)).toEqual({ [`a${nbsp}b`]: `c${nbsp}d` });
    expect(read(`{${nbsp}"a${nbsp}b": "${mark}"}`)).toEqual({ [`a${nbsp}b`]: mark });
  });
});

describe('a JSON object', () => {
  test.each([
    [' \n', 'stdin is empty, expected a JSON object'],
    ['[{}]', 'stdin is an array, expected a JSON object'],
    ['7', 'stdin is a number, expected a JSON object'],
    ['null', 'stdin is null, expected a JSON object'],
    [`{"a":${'['.repeat(1000)}1${']'.repeat(1000)}}`, 'stdin is nested deeper than 1000 levels'],
  ])('is not %j', (text, message) => {
    expect(() => parseJsonObject(text, 'stdin')).toThrow(expect.objectContaining({ code: 6, message }));
  });
});
