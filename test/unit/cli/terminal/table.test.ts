import { describe, expect, test } from 'vitest';
import { newSession } from '../../../../src/cli/terminal/session.ts';
import { cellsTable, definitionList, rowsTable } from '../../../../src/cli/terminal/table.ts';
import { terminal } from '../../../../src/cli/terminal/terminal.ts';
import { system } from '../../../../src/system.ts';

const sessionOf = (width: number) =>
  newSession({ ...system, environment: { NO_COLOR: '1' } }, { ...terminal, width }, () => undefined);

/** The lines of a table at a width. */
const tableAt = (width: number, ...rows: readonly Readonly<Record<string, string>>[]) =>
  rowsTable(rows, sessionOf(width)).split('\n');

test('a table that fits is as wide as its cells', () => {
  expect(tableAt(12, { id: '1', owner: 'win-hcn' })).toEqual(['id  owner', '1   win-hcn']);
});

test('cells have lines, problems a style on each line, and wide characters two columns', () => {
  const session = newSession({ ...system, environment: {} }, { ...terminal, width: 24 }, () => undefined);
  expect(
    rowsTable(
      [
        { name: '以太网 2', leftover: 'in no namespace' },
        { name: '1', leftover: '-' },
      ],
      session,
    ),
  ).toBe(
    [
      '\u001b[1mname\u001b[22m      \u001b[1mleftover\u001b[22m',
      '以太网 2  \u001b[33min no\u001b[39m',
      '          \u001b[33mnamespace\u001b[39m',
      '1         -',
    ].join('\n'),
  );
});

describe('a table that is too wide', () => {
  const id = 'd4e6032f-bbf7-4b5a-880f-667bebc65504';
  const container = '0e12d1d5a8cfb5cbc1a91a9b4dd33b6fb8b0ee5d1c7f4a2f6f1f1e9e5c3a7b21';

  test('shortens IDs first', () => {
    const row = { endpoint: id, container, name: `${container}_l2bridge_eth0` };
    expect(tableAt(60, row)).toEqual([
      'endpoint  container      name',
      'd4e6032f  0e12d1d5a8cfb  0e12d1d5a8cfb..._l2bridge_eth0',
    ]);
  });

  test('hides columns by importance, until the others fit', () => {
    const row = { id: '259f4964', MAC: '00-15-5D-52-C0-00', interface: 'eth0', owner: 'another plugin' };
    expect(tableAt(40, row)).toEqual([
      'id        interface  owner',
      '259f4964  eth0       another plugin',
      'hidden columns: MAC (show all: -o wide)',
    ]);
  });

  test('first hides columns with the same cell in every row, but not addresses and states', () => {
    const row = {
      pod: 'shop/web-1',
      MAC: '1',
      addresses: '10.244.1.2',
      network: 'l2bridge',
      state: 'Attached',
      problem: '-',
    };
    expect(tableAt(45, row, { ...row, pod: 'shop/web-2', MAC: '2' })).toEqual([
      'pod         MAC  addresses   state',
      'shop/web-1  1    10.244.1.2  Attached',
      'shop/web-2  2    10.244.1.2  Attached',
      'hidden columns: network (l2bridge in every',
      '  row), problem (none) (show all: -o wide)',
    ]);
  });

  test('never hides a problem or the first column', () => {
    const row = { MAC: '00-15-5D-52-C0-00', health: 'HCN_E_TIMEOUT', owner: 'unknown' };
    expect(tableAt(33, row)).toEqual([
      'MAC                health',
      '00-15-5D-52-C0-00  HCN_E_TIMEOUT',
      'hidden columns: owner (show all:',
      '  -o wide)',
    ]);
  });

  test('wraps lists after an item, and counts the items after the third', () => {
    const row = { id: '259f4964', backends: '10.244.1.2, 10.244.1.3, 10.244.1.4, 10.244.1.5' };
    expect(tableAt(40, row, { ...row, backends: '10.244.1.2' })).toEqual([
      'id        backends',
      '259f4964  10.244.1.2, 10.244.1.3,',
      '          10.244.1.4 and 1 more',
      '259f4964  10.244.1.2',
    ]);
  });

  test('wraps prose between words, and after commas without a space', () => {
    const settings = 'List=["10.0.0.0/8","172.16.0.0/12"] Id=0123456789012345';
    expect(tableAt(32, { type: 'ACL', settings })).toEqual([
      'type  settings',
      'ACL   List=["10.0.0.0/8",',
      '      "172.16.0.0/12"]',
      '      Id=0123456789012345',
    ]);
  });

  test('cuts words that are still too wide', () => {
    const row = {
      network: '259f4964',
      name: 'a-network-with-a-long-name',
      settings: 'Id=01234567890123456789',
    };
    expect(tableAt(40, row)).toEqual([
      'network   name            settings',
      '259f4964  a-network-w...  Id=01234567...',
    ]);
  });

  test('measures wide characters', () => {
    expect(tableAt(22, { id: '1', name: '以太网以太网以太网以太网' })).toEqual([
      'id  name',
      '1   以太网以太网以...',
    ]);
  });
});

test('columns whose titles are data wrap if they are prose', () => {
  const lines = cellsTable(
    ['property', 'web', '41'],
    [['DNS', '10.96.0.10', 'domain cluster.local']],
    sessionOf(36),
    {
      prose: ['web', '41'],
    },
  );
  expect(lines.split('\n')).toEqual([
    'property  web         41',
    'DNS       10.96.0.10  domain',
    '                      cluster.local',
  ]);
});

test('a definition wraps beside its name, and its IDs are shortened if they do not fit', () => {
  const container = '0e12d1d5a8cfb5cbc1a91a9b4dd33b6fb8b0ee5d1c7f4a2f6f1f1e9e5c3a7b21';
  const texts = { container, DNS: '10.96.0.10, search cluster.local', routes: undefined };
  expect(definitionList(texts, 40).split('\n')).toEqual([
    '  container  0e12d1d5a8cfb',
    '  DNS        10.96.0.10, search',
    '             cluster.local',
  ]);
  expect(definitionList(texts, Number.POSITIVE_INFINITY)).toContain(container);
});
