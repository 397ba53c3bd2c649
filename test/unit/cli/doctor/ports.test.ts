import { describe, expect, test } from 'vitest';
import { freeBlocks, ports } from '../../../../src/cli/doctor/checks/ports.ts';
import { dynamicRange, excludedRanges } from '../../../../src/cli/doctor/collectors/ports.ts';
import { facts } from './facts.ts';

describe('the lines of netsh', () => {
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
  ])('name the dynamic range in %s', (_, lines) => {
    expect(dynamicRange(lines)).toEqual({ first: 49152, last: 65535 });
  });

  test('without two numbers are no range', () => {
    expect(() => dynamicRange(['The following command was not found'])).toThrow('no range');
  });

  test('name the excluded ranges, those of an administrator with a star', () => {
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
    expect(excludedRanges(lines)).toEqual([
      { first: 5357, last: 5357 },
      { first: 50000, last: 50059 },
    ]);
  });
});

describe('free blocks of 64', () => {
  const range = { first: 1000, last: 1639 };
  test.each([
    ['without exclusions', [], 10],
    ['beside one at the beginning', [{ first: 900, last: 1063 }], 9],
    ['beside one at the end', [{ first: 1630, last: 1700 }], 9],
    ['around one in a block', [{ first: 1100, last: 1100 }], 9],
    [
      'beside ranges that overlap, in any order',
      [
        { first: 1100, last: 1200 },
        { first: 1000, last: 1150 },
      ],
      6,
    ],
    [
      'beside what is elsewhere',
      [
        { first: 1, last: 900 },
        { first: 2000, last: 3000 },
      ],
      10,
    ],
    ['where all is excluded', [{ first: 1, last: 65535 }], 0],
  ])('%s', (_, excluded, free) => {
    expect(freeBlocks(range, excluded)).toBe(free);
  });

  test.each([
    [11, 'PASS'],
    [10, 'WARN'],
    [1, 'WARN'],
    [0, 'FAIL'],
  ])('%j of them: %s', (blocks, verdict) => {
    const dynamic = { first: 1, last: 64 * blocks };
    const known = [{ protocol: 'udp', dynamic, excluded: [] }];
    expect(ports.judge(facts({ ports: { known } }))).toMatchObject([{ verdict }]);
  });
});
