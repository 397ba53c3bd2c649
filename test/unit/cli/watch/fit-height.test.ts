import { expect, test } from 'vitest';
import { fitHeight } from '../../../../src/cli/watch/fit-height.ts';

const rows = (name: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${name}${index + 1}`);
const text = [
  ['network', ...rows('n', 2)],
  ['endpoint', ...rows('e', 6), 'hidden columns: MAC (show all: -o wide)'],
  ['namespace', ...rows('s', 3)],
]
  .map((lines) => lines.join('\n'))
  .join('\n\n');
const at = (room: number, width = 80) => fitHeight(text, room, width).split('\n');

test('a text that fits stays as it is', () => {
  expect(at(17)).toEqual(text.split('\n'));
  expect(at(Number.POSITIVE_INFINITY)).toEqual(text.split('\n'));
});

test('the note about columns goes first', () => {
  expect(at(16)).toEqual(text.split('\n').filter((line) => !line.startsWith('hidden')));
});

test('the note may be dim', () => {
  expect(fitHeight('title\na\n\u001b[2mhidden columns: MAC\u001b[22m', 2, 80)).toBe('title\na');
});

test('the rows of the longest table go next, and their number is in their place', () => {
  expect(at(14)).toEqual([
    ...['network', 'n1', 'n2', ''],
    ...['endpoint', 'e1', 'e2', 'e3', '3 rows hidden: enlarge the window', ''],
    ...['namespace', 's1', 's2', 's3'],
  ]);
});

test('every table keeps its header as long as all headers fit', () => {
  expect(at(8)).toEqual([
    ...['network', '2 rows hidden: enlarge the window', ''],
    ...['endpoint', '6 rows hidden: enlarge the window', ''],
    ...['namespace', '3 rows hidden: enlarge the window'],
  ]);
});

test('a window that is too small for all headers shows the first ones, and how many rows the other tables have', () => {
  expect(at(7)).toEqual([
    ...['network', '2 rows hidden: enlarge the window', ''],
    ...['endpoint', '6 rows hidden: enlarge the window', ''],
    '3 rows hidden: enlarge the window',
  ]);
  expect(at(4)).toEqual([
    ...['network', '2 rows hidden: enlarge the window', ''],
    '9 rows hidden: enlarge the window',
  ]);
  expect(at(3)).toEqual(['11 rows hidden: enlarge the window']);
  expect(at(0)).toEqual(['11 rows hidden: enlarge the window']);
});

test('the number of hidden rows can be singular', () => {
  expect(fitHeight('title\na\nb', 2, 80)).toBe('title\n2 rows hidden: enlarge the window');
  expect(fitHeight('title\na', 1, 80)).toBe('1 row hidden: enlarge the window');
});

test('a line that is wider than the terminal takes several of its lines', () => {
  expect(fitHeight(`title\n${'a'.repeat(25)}\nb\nc`, 5, 10)).toBe('title\n3 rows hidden: enlarge the window');
});
