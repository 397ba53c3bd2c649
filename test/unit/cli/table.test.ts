import { expect, test } from 'vitest';
import { newSession } from '../../../src/cli/session.ts';
import { rowsTable, table } from '../../../src/cli/table.ts';
import { terminal } from '../../../src/cli/terminal.ts';
import { system } from '../../../src/system.ts';

const colorSession = newSession({ ...system, environment: {} }, { ...terminal, width: 80 }, () => undefined);
const { style } = newSession(system, { ...terminal, width: undefined }, () => undefined);

test('a column is as wide as its longest line, without trailing spaces', () => {
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

test('a style ends with its cell on each line', () => {
  const { style: colored } = colorSession;
  expect(table(['stale', 'id'], [[colored('yellow', 'in no\nnamespace'), '1']], colorSession)).toBe(
    [
      '\u001b[1mstale\u001b[22m      \u001b[1mid\u001b[22m',
      '\u001b[33min no\u001b[39m      1',
      '\u001b[33mnamespace\u001b[39m',
    ].join('\n'),
  );
});

test('a wide character counts as two columns', () => {
  expect(table(['adapter', 'id'], [['以太网 2', '1']], { style })).toBe('adapter   id\n以太网 2  1');
});

const sessionOf = (width: number) =>
  newSession({ ...system, environment: { NO_COLOR: '1' } }, { ...terminal, width }, () => undefined);

test('a table that fits is as wide as its cells', () => {
  expect(rowsTable([{ id: '1', owner: 'win-hcn' }], sessionOf(12), ['owner'])).toBe('id  owner\n1   win-hcn');
});

test('columns are hidden in order, except those with a problem', () => {
  const row = { id: '259f4964', MAC: '00-15-5D-52-C0-00', health: 'HCN_E_TIMEOUT', owner: 'unknown' };
  expect(rowsTable([row], sessionOf(30), ['MAC', 'health', 'owner'])).toBe(
    'id        health\n259f4964  HCN_E_TIMEOUT\nhidden columns: MAC, owner (show all: -o wide)',
  );
});

test('a long cell wraps before a column is hidden', () => {
  const row = { id: '259f4964', subnets: '10.1.0.0/24 via 10.1.0.1, 10.2.0.0/24 via 10.2.0.1', ready: 'yes' };
  expect(rowsTable([row], sessionOf(44), ['ready'])).toBe(
    [
      'id        subnets                    ready',
      '259f4964  10.1.0.0/24 via 10.1.0.1,  yes',
      '          10.2.0.0/24 via 10.2.0.1',
    ].join('\n'),
  );
});

test('text without spaces breaks after commas, otherwise anywhere', () => {
  const row = {
    type: 'ACL',
    settings: 'List=["10.0.0.0/8","172.16.0.0/12"] Id=0123456789012345678901234567890',
  };
  expect(rowsTable([row], sessionOf(32))).toBe(
    [
      'type  settings',
      'ACL   List=["10.0.0.0/8",',
      '      "172.16.0.0/12"]',
      '      Id=01234567890123456789012',
      '      34567890',
    ].join('\n'),
  );
});
