import { describe, expect, test } from 'vitest';
import { newSession } from '../../../../src/cli/terminal/session.ts';
import { terminal } from '../../../../src/cli/terminal/terminal.ts';
import { missingInformation } from '../../../../src/cli/traffic/acl-text.ts';
import { ownerText, ruleTable, vfpNote } from '../../../../src/cli/traffic/explanation-text.ts';
import { system } from '../../../../src/system.ts';

const print = (width: number | undefined) =>
  ruleTable(
    [
      { cells: { rule: 'a' }, matches: 'no', decides: 'no', because: 'the port is 80' },
      { cells: { rule: 'b' }, matches: 'unknown', decides: 'may' },
      { cells: { rule: 'c' }, matches: 'yes', decides: 'yes' },
    ],
    newSession({ ...system, environment: {} }, { ...terminal, width }, () => undefined),
  );

describe('a table of rules', () => {
  test('has the rules that decide or may decide in bold', () => {
    const rows = print(80).split('\n').slice(1);
    expect(rows.map((row) => row.includes('\u001b[1m'))).toEqual([false, true, true]);
  });

  test('has what applies and the reason', () => {
    expect(print(undefined).split('\n')).toEqual([
      'rule  matches  applied  reason',
      'a     no       -        the port is 80',
      'b     unknown  may',
      'c     yes      yes',
    ]);
  });
});

test.each([
  [undefined, 'endpoint 5efcf8b5'],
  ['shop/web', 'endpoint 5efcf8b5 of pod shop/web'],
])('the endpoint of pod %j is %j', (pod, expected) => {
  expect(ownerText('5efcf8b5-0000-4000-8000-000000000000', pod)).toBe(expected);
});

describe('the rules of the virtual switch are printed by vfpctrl', () => {
  test.each<[string, readonly string[], string | undefined, string]>([
    [
      'for one port',
      ['00-15-5D-00-00-01'],
      undefined,
      'The virtual switch (VFP) can enforce different rules: run vfpctrl /port PORT /list-rule for the port with MAC address ' +
        '00-15-5D-00-00-01 (vfpctrl /list-vmswitch-port).',
    ],
    [
      'for several ports and one layer',
      ['00-15-5D-00-00-01', '00-15-5D-00-00-02'],
      'ACL_ENDPOINT_LAYER',
      'The virtual switch (VFP) can enforce different rules: run vfpctrl /port PORT /layer ACL_ENDPOINT_LAYER /list-rule for the ports ' +
        'with MAC address 00-15-5D-00-00-01 or 00-15-5D-00-00-02 (vfpctrl /list-vmswitch-port).',
    ],
  ])('%s', (_, macAddresses, layer, expected) => {
    expect(vfpNote(macAddresses, layer)).toBe(expected);
  });
});

test('the missing information is listed once, without that of ACLs that do not match', () => {
  const acl = {
    direction: 'In',
    action: 'Allow',
    hidden: false,
    protocols: 'any',
    localAddresses: 'any',
    localPorts: 'any',
    remoteAddresses: 'any',
    remotePorts: 'any',
  };
  const line = (matches: 'no' | 'unknown', because: string) => ({
    acl,
    matches,
    because,
    decides: 'may' as const,
  });
  const lines = [line('unknown', 'a'), line('no', 'b'), line('unknown', 'c'), line('unknown', 'a')];
  expect(missingInformation(lines)).toBe('a; c');
});
