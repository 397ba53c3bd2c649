import { expect, test } from 'vitest';
import { newSession } from '../../../src/cli/session.ts';
import { rowsTable } from '../../../src/cli/table.ts';
import { terminal } from '../../../src/cli/terminal.ts';
import { system } from '../../../src/system.ts';

const sessionOf = (width: number) =>
  newSession({ ...system, environment: { NO_COLOR: '1' } }, { ...terminal, width }, () => undefined);

test('a table that fits is as wide as its cells', () => {
  expect(rowsTable([{ id: '1', owner: 'win-hcn' }], sessionOf(12), ['owner'])).toBe('id  owner\n1   win-hcn');
});

test('columns are left out in their order, but for one that says what is wrong', () => {
  const row = { id: '259f4964', MAC: '00-15-5D-52-C0-00', health: 'HCN_E_TIMEOUT', owner: 'unknown' };
  expect(rowsTable([row], sessionOf(30), ['MAC', 'health', 'owner'])).toBe(
    'id        health\n259f4964  HCN_E_TIMEOUT\nhidden columns: MAC, owner (show all: -o wide)',
  );
});

test('a long cell is wrapped rather than that a column is left out', () => {
  const row = { id: '259f4964', subnets: '10.1.0.0/24 via 10.1.0.1, 10.2.0.0/24 via 10.2.0.1', ready: 'yes' };
  expect(rowsTable([row], sessionOf(44), ['ready'])).toBe(
    [
      'id        subnets                    ready',
      '259f4964  10.1.0.0/24 via 10.1.0.1,  yes',
      '          10.2.0.0/24 via 10.2.0.1',
    ].join('\n'),
  );
});

test('what has no blanks is broken after commas, and else where it has to be', () => {
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
