import { expect, test } from 'vitest';
import { printable, printableLines } from '../../../../src/cli/terminal/output.ts';

test.each([
  ['a\u0007b', 'a\\u0007b'],
  ['a\nb\tc', 'a\\u000ab\\u0009c'],
  ['\u{e0001}', '\\udb40\\udc01'],
])('%j is printed on one line as %s', (text, expected) => {
  expect(printable(text)).toBe(expected);
});

test('text of several lines keeps line feeds, tabs and the styles of win-hcn', () => {
  const text = '\u001b[31ma\u001b[39m\n\tb\u001b[2J\u{e0001}';
  expect(printableLines(text, true)).toBe('\u001b[31ma\u001b[39m\n\tb\\u001b[2J\\udb40\\udc01');
  expect(printableLines(text, false)).toBe('\\u001b[31ma\\u001b[39m\n\tb\\u001b[2J\\udb40\\udc01');
});
