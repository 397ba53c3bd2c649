import { describe, expect, test } from 'vitest';
import { freeBlocks, natNetworks, ports, readDynamicRange } from '../../../../src/cli/doctor/checks/ports.ts';
import { readExcludedRanges } from '../../../../src/cli/terminal/node-queries.ts';
import { diagnosisTexts, facts, node, pods } from './facts.ts';

describe('the output of netsh', () => {
  test.each([
    [
      'English',
      [
        '',
        'Protocol tcp Dynamic Port Range',
        '-----',
        'Start Port      : 49152',
        'Number of Ports : 16384',
        '',
      ],
    ],
    [
      'German',
      [
        'Dynamischer Portbereich für Protokoll "tcp"',
        '-----',
        'Startport       : 49152',
        'Anzahl der Ports: 16384',
      ],
    ],
    [
      'Japanese',
      ['プロトコル tcp の動的ポートの範囲', '-----', '開始ポート      : 49152', 'ポート数        : 16384'],
    ],
    ['Chinese', ['协议 tcp 动态端口范围', '-----', '启动端口        ：49152', '端口数          ：16384']],
  ])('has the dynamic range in %s', (_, lines) => {
    expect(readDynamicRange(lines)).toEqual({ first: 49152, last: 65535 });
  });

  test('without two numbers has no range', () => {
    expect(() => readDynamicRange(['The following command was not found'])).toThrow('no port range');
  });

  test('has the excluded ranges, those of an administrator with an asterisk', () => {
    const lines = [
      '',
      'Protocol tcp Port Exclusion Ranges',
      '',
      'Start Port    End Port      ',
      '----------    --------      ',
      '      5357        5357      ',
      '     50000       50059     *',
      '',
      '* - Administered port exclusions.',
    ];
    expect(readExcludedRanges(lines)).toEqual([
      { first: 5357, last: 5357 },
      { first: 50000, last: 50059 },
    ]);
  });
});

describe('free blocks of 64', () => {
  const range = { first: 1000, last: 1639 };
  test.each([
    ['without exclusions', [], 10],
    ['after an exclusion at the start', [{ first: 900, last: 1063 }], 9],
    ['before an exclusion at the end', [{ first: 1630, last: 1700 }], 9],
    ['around an exclusion within a block', [{ first: 1100, last: 1100 }], 9],
    [
      'between exclusions that overlap, in any order',
      [
        { first: 1100, last: 1200 },
        { first: 1000, last: 1150 },
      ],
      6,
    ],
    [
      'with exclusions outside the range',
      [
        { first: 1, last: 900 },
        { first: 2000, last: 3000 },
      ],
      10,
    ],
    ['with everything excluded', [{ first: 1, last: 65535 }], 0],
  ])('%s', (_, excluded, free) => {
    expect(freeBlocks(range, excluded)).toBe(free);
  });

  test.each([
    [11, 'PASS'],
    [10, 'WARN'],
    [1, 'WARN'],
    [0, 'FAIL'],
  ])('%j: %s', (blocks, verdict) => {
    const dynamic = { first: 1, last: 64 * blocks };
    const value = [{ protocol: 'udp', dynamic, excluded: [] }];
    expect(ports.diagnose(facts(), { value })).toMatchObject([{ verdict }]);
  });
});

test('two NAT networks are a warning, one is none', () => {
  const natNamed = (Name: string) => ({ ...pods, ID: Name, Name, Type: 'nat' });
  const on = (networks: readonly (typeof pods)[]) =>
    diagnosisTexts(natNetworks.diagnose(node({ networks: [...networks] })));
  expect(on([pods, natNamed('nat'), natNamed('dev')])).toEqual([
    'WARN "nat" and "dev" are NAT networks: with more than one, HNS may hang when a third port is published, on Windows Server 2025 until the node restarts (microsoft/Windows-Containers#486); use one NAT network for all pods with host ports | see: win-hcn ls networks',
  ]);
  expect(on([pods, natNamed('nat')])).toEqual([]);
});
