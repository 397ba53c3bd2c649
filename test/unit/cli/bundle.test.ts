import { describe, expect, test } from 'vitest';
import { prepare } from '../../../src/cli/collect/bundle.ts';
import { textFile } from '../../../src/cli/collect/collector.ts';

const caps = { file: 20, all: 50 };
const json = '{"Key":"hunter2","é":1}';
const clean = '{"Key":"<redacted>","é":1}';

describe('a file of a bundle', () => {
  test.each([
    ['UTF-8', Buffer.from(json), Buffer.from(clean)],
    ['UTF-8 with a mark', Buffer.from(`\ufeff${json}`), Buffer.from(`\ufeff${clean}`)],
    ['invalid UTF-8', Buffer.from(json, 'latin1'), Buffer.from(clean, 'latin1')],
    ['UTF-16', Buffer.from(`\ufeff${json}`, 'utf16le'), Buffer.from(`\ufeff${clean}`, 'utf16le')],
    [
      'UTF-16 in the other order',
      Buffer.from(`\ufeff${json}`, 'utf16le').swap16(),
      Buffer.from(`\ufeff${clean}`, 'utf16le').swap16(),
    ],
  ])('keeps its encoding: %s', (_, bytes, expected) => {
    const { packed } = prepare([{ path: 'a.conflist', bytes }], { file: 100, all: 100 });
    expect(packed.map((file) => ({ ...file, bytes: Buffer.from(file.bytes) }))).toEqual([
      { path: 'a.conflist', bytes: expected, redacted: 1 },
    ]);
  });

  test.each([
    ['that is short is whole', 'a.txt', false, 'line 1\nline 2\n', 'line 1\nline 2\n'],
    ['that is long loses its end', 'a.txt', false, 'line 1\nline 2\nline 3\n', 'line 1\nline 2\n'],
    ['that is a long log loses its beginning', 'a.log', true, 'line 1\nline 2\nline 3\n', 'line 2\nline 3\n'],
    [
      'that is as long as it may be is whole',
      'a.log',
      true,
      '123456789\n123456789\n',
      '123456789\n123456789\n',
    ],
    ['of one long line loses its end', 'a.txt', false, '12345678901234567890123\n', '12345678901234567890'],
    [
      'that is a log of one long line loses its beginning',
      'a.log',
      true,
      '12345678901234567890123\n',
      '5678901234567890123\n',
    ],
  ])('%s', (_, path, newestLast, given, expected) => {
    const bytes = Buffer.from(given);
    const { packed } = prepare([{ path, bytes, newestLast }], caps);
    expect(packed.map((file) => ({ ...file, bytes: String(file.bytes) }))).toEqual([
      { path, bytes: expected, redacted: 0, ...(given !== expected && { cutFrom: bytes.length }) },
    ]);
  });

  test('loses its secrets before it is cut, so that none is cut off from its name', () => {
    const { packed } = prepare([{ ...textFile('a.log', `token=${'x'.repeat(30)}`), newestLast: true }], caps);
    expect(packed.map(({ bytes }) => String(bytes))).toEqual(['token=<redacted>\n']);
  });

  test('that is far too long loses what is kept of nothing before its secrets', () => {
    const bytes = Buffer.from(`${'Key: x\n'.repeat(100)}Key: y\n`);
    const { packed } = prepare([{ path: 'a.log', bytes, newestLast: true }], caps);
    expect(packed.map((file) => ({ ...file, bytes: String(file.bytes) }))).toEqual([
      { path: 'a.log', bytes: 'Key: <redacted>\n', redacted: 11, cutFrom: 707 },
    ]);
  });

  test('that there is no room for is left out, and a smaller one after it is not', () => {
    const files = [
      textFile('a', '123456789012345678'),
      textFile('b', '123456789012345678'),
      textFile('c', '123456789012345678'),
      textFile('d', '1234567'),
    ];
    const { packed, leftOut } = prepare(files, caps);
    expect({ packed: packed.map(({ path }) => path), leftOut }).toEqual({
      packed: ['a', 'b', 'd'],
      leftOut: ['c'],
    });
  });

  test('of HTML stays as it is: it is made of what has no secrets', () => {
    const page = textFile('graph.html', '<script>key="x"</script>');
    expect(prepare([page], { file: 100, all: 100 }).packed).toEqual([
      { path: 'graph.html', bytes: page.bytes, redacted: 0 },
    ]);
  });
});
