import { expect, test } from 'vitest';
import { newSession } from '../../../src/cli/session.ts';
import { table } from '../../../src/cli/table.ts';
import { terminal } from '../../../src/cli/terminal.ts';
import { system } from '../../../src/system.ts';

const colourful = newSession({ ...system, environment: {} }, { ...terminal, width: 80 }, () => undefined);
const { style } = newSession(system, { ...terminal, width: undefined }, () => undefined);

test('a column is as wide as its longest line, and no line ends with blanks', () => {
  expect(
    table(
      ['id', 'owner'],
      [
        ['1', 'win-hcn'],
        ['10\n11', ''],
      ],
      { style },
    ),
  ).toBe('id  owner\n1   win-hcn\n10\n11');
});

test('a style ends with its cell in each line', () => {
  const { style: coloured } = colourful;
  expect(table(['stale', 'id'], [[coloured('yellow', 'in no\nnamespace'), '1']], colourful)).toBe(
    [
      '\u001b[1mstale\u001b[22m      \u001b[1mid\u001b[22m',
      '\u001b[33min no\u001b[39m      1',
      '\u001b[33mnamespace\u001b[39m',
    ].join('\n'),
  );
});

test('what takes two columns of a terminal counts for two', () => {
  expect(table(['adapter', 'id'], [['以太网 2', '1']], { style })).toBe('adapter   id\n以太网 2  1');
});
