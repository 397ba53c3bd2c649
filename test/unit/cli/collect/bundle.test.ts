import { describe, expect, test } from 'vitest';
import { describeCodeCache, packFiles } from '../../../../src/cli/collect/bundle.ts';
import { textFile } from '../../../../src/cli/collect/collector.ts';

const limits = { file: 20, all: 50 };
const json = '{"Key":"hunter2","é":1}';
const clean = '{"Key":"<redacted>","é":1}';

describe('a file of a bundle', () => {
  test.each([
    ['UTF-8', Buffer.from(json), Buffer.from(clean)],
    ['UTF-8 with a byte-order mark', Buffer.from(`\ufeff${json}`), Buffer.from(`\ufeff${clean}`)],
    ['invalid UTF-8', Buffer.from(json, 'latin1'), Buffer.from(clean, 'latin1')],
    ['UTF-16', Buffer.from(`\ufeff${json}`, 'utf16le'), Buffer.from(`\ufeff${clean}`, 'utf16le')],
    [
      'UTF-16 big-endian',
      Buffer.from(`\ufeff${json}`, 'utf16le').swap16(),
      Buffer.from(`\ufeff${clean}`, 'utf16le').swap16(),
    ],
  ])('keeps its encoding: %s', (_, bytes, expected) => {
    const { packed } = packFiles([{ path: 'a.conflist', bytes }], { file: 100, all: 100 });
    expect(packed.map((file) => ({ ...file, bytes: Buffer.from(file.bytes) }))).toEqual([
      { path: 'a.conflist', bytes: expected, redacted: 1 },
    ]);
  });

  test.each([
    ['that is short is complete', 'a.txt', false, 'line 1\nline 2\n', 'line 1\nline 2\n'],
    ['that is too long loses its end', 'a.txt', false, 'line 1\nline 2\nline 3\n', 'line 1\nline 2\n'],
    [
      'that is a log and too long loses its beginning',
      'a.log',
      true,
      'line 1\nline 2\nline 3\n',
      'line 2\nline 3\n',
    ],
    [
      'with exactly the maximum length is complete',
      'a.log',
      true,
      '123456789\n123456789\n',
      '123456789\n123456789\n',
    ],
    [
      'of one line that is too long loses its end',
      'a.txt',
      false,
      '12345678901234567890123\n',
      '12345678901234567890',
    ],
    [
      'that is a log of one line that is too long loses its beginning',
      'a.log',
      true,
      '12345678901234567890123\n',
      '5678901234567890123\n',
    ],
  ])('%s', (_, path, newestLast, given, expected) => {
    const bytes = Buffer.from(given);
    const { packed } = packFiles([{ path, bytes, newestLast }], limits);
    expect(packed.map((file) => ({ ...file, bytes: String(file.bytes) }))).toEqual([
      { path, bytes: expected, redacted: 0, ...(given !== expected && { truncatedFrom: bytes.length }) },
    ]);
  });

  test('is truncated after its secrets are removed', () => {
    const { packed } = packFiles(
      [{ ...textFile('a.log', `token=${'x'.repeat(30)}`), newestLast: true }],
      limits,
    );
    expect(packed.map(({ bytes }) => String(bytes))).toEqual(['token=<redacted>\n']);
  });

  test('that is four times too long is also truncated before its secrets are removed', () => {
    const bytes = Buffer.from(`${'Key: x\n'.repeat(100)}Key: y\n`);
    const { packed } = packFiles([{ path: 'a.log', bytes, newestLast: true }], limits);
    expect(packed.map((file) => ({ ...file, bytes: String(file.bytes) }))).toEqual([
      { path: 'a.log', bytes: 'Key: <redacted>\n', redacted: 11, truncatedFrom: 707 },
    ]);
  });

  test('that exceeds the limit for all files is left out, but not a smaller one after it', () => {
    const files = [
      textFile('a', '123456789012345678'),
      textFile('b', '123456789012345678'),
      textFile('c', '123456789012345678'),
      textFile('d', '1234567'),
    ];
    const { packed, leftOut } = packFiles(files, limits);
    expect({ packed: packed.map(({ path }) => path), leftOut }).toEqual({
      packed: ['a', 'b', 'd'],
      leftOut: ['c'],
    });
  });
});

test.each([
  ['used', 'x64', 'used'],
  ['none', 'x64', 'none'],
  ['none', 'arm64', 'none, as in every release for arm64'],
  ['used', 'arm64', 'used'],
])('README.txt describes the code cache "%s" of an executable for %s as "%s"', (state, arch, expected) => {
  expect(describeCodeCache(state, arch)).toBe(expected);
});
