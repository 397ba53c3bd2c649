import { describe, expect, test } from 'vitest';
import { parseLog } from '../../../../src/cli/capture/log.ts';
import { countFilters, linesOf, mostCharacters } from '../../../../src/cli/capture/pktmon.ts';
import { shortest } from '../../time-ratio.ts';

const metadata = '[0]0004.0008::2021/01/01 [Microsoft-Windows-PktMon] ';
const drop = `${metadata}PktGroupId 1, PktNumber 1, A 1, Direction Tx , Type E , Component 1, DropReason `;
const component = `${metadata}Component 1, Type X , Name a.sys, n\n`;

type Parse = (text: string) => unknown;

/** A start, what is repeated after it, and an end. */
const lines: readonly (readonly [Parse, string, string, string])[] = [
  [parseLog, '', 'a > ', ''],
  [parseLog, metadata, ' ', 'x\u2028x'],
  [parseLog, metadata, 'PktGroupId 1, ', '\u2028'],
  [parseLog, drop, ', ', ''],
  [parseLog, `${component}${metadata}Property: Component 1, A = `, ' ', '='],
  [countFilters, ' ', '1', ''],
];

function lineOf(start: string, repeated: string, end: string): string {
  const last = start.split('\n').at(-1) ?? '';
  const room = mostCharacters - last.length - end.length;
  return `${start}${repeated.repeat(Math.floor(room / repeated.length))}${end}`;
}

describe('1 MB of long lines takes no longer than 1 MB of harmless ones, but for a factor:', () => {
  const harmless = Array.from({ length: 256 }, () => lineOf('', 'Component list ', '')).join('\n');

  // Every try must take too long: a busy machine feigns it now and then.
  test.each(lines)('%o reads %j, %j and %j', { retry: 3 }, (parse, start, repeated, end) => {
    const text = Array.from({ length: 256 }, () => lineOf(start, repeated, end)).join('\n');
    expect(shortest(() => parse(text)) / shortest(() => parseLog(harmless))).toBeLessThan(20);
  });
});

test('one line of 1 MB is cut before it is read', () => {
  expect(linesOf(`${'a'.repeat(1_000_000)}\r\nb`)).toEqual(['a'.repeat(mostCharacters), 'b']);
});
