import { describe, expect, test } from 'vitest';
import { collectProblems } from '../../../src/config/problems.ts';
import {
  numberOf,
  type Reader,
  readAddress,
  readGuid,
  readLuid,
  readMac,
  readPort,
  readPortList,
  readPortRange,
  readPrefix,
  readPrefixList,
  readProtocolList,
  readRoutePrefix,
  readSetOfPrefixes,
  readSetOfSets,
  readUnicastMac,
} from '../../../src/config/values.ts';

/** What a reader returns, and what it expects of an invalid value. */
function read(reader: Reader, value: unknown): readonly unknown[] {
  const problems = collectProblems();
  const returned = reader(value, '/a', problems);
  return [
    returned,
    ...problems.found().map((problem) => (problem.kind === 'invalid' ? problem.expected : '')),
  ];
}

const prefix = 'an IP address or a prefix such as 10.96.0.0/12';
const port = 'a port from 1 to 65535';
const range = 'ports from 1 to 65535, lower port first';
const prefixes = 'IP addresses or prefixes such as 10.96.0.0/12, separated by commas';
const protocols = 'protocol numbers from 0 to 255, or 256 for any, separated by commas';
const ports = 'ports from 1 to 65535 or ranges such as 8080-8090, separated by commas';
const luid = 'an interface LUID, whose lowest 24 bits are 0';

describe('a value is valid', () => {
  test.each<[string, Reader, readonly (readonly [given: unknown, canonical: unknown])[]]>([
    [
      'a port',
      readPort,
      [
        [1, '1'],
        ['1', '1'],
        [65535, '65535'],
        ['65535', '65535'],
      ],
    ],
    [
      'a range of ports',
      readPortRange,
      [
        [80, '80'],
        ['80 - 90', '80-90'],
        ['80-80', '80-80'],
        ['1-65535', '1-65535'],
      ],
    ],
    [
      'a list of protocols',
      readProtocolList,
      [
        ['0', '0'],
        ['6, 17', '6,17'],
        ['256', '256'],
        [6, '6'],
      ],
    ],
    [
      'a LUID',
      readLuid,
      [
        [2 ** 53 - 1, 2 ** 53 - 1],
        [2 ** 64 - 2 ** 24, 2 ** 64 - 2 ** 24],
        [0, 0],
      ],
    ],
    [
      'a number by its name',
      numberOf({ TCP: 6 }),
      [
        ['TCP', 6],
        [17, 17],
        ['x', undefined],
      ],
    ],
  ])('as %s', (_, reader, cases) => {
    for (const [given, canonical] of cases)
      expect([given, ...read(reader, given)]).toEqual([given, canonical]);
  });
});

describe('a value is invalid', () => {
  test.each<[string, Reader, unknown, string, readonly unknown[]]>([
    ['an address', readAddress, '', 'an IP address', ['x', '10.0.0.1/8', 7, null, ['10.0.0.1']]],
    ['a prefix', readPrefix, '', prefix, ['x', '10.0.0.1/33', null]],
    ['the prefix of a route', readRoutePrefix, '', prefix, ['x', '10.0.0.1/33', null]],
    ['a MAC address', readMac, '', 'a MAC address such as 00-15-5D-0A-0B-0C', ['x', null]],
    [
      'a unicast MAC address',
      readUnicastMac,
      '',
      'a unicast MAC address such as 02-11-0A-00-00-02',
      ['01:00:5e:00:00:01', null],
    ],
    ['a GUID', readGuid, '', 'a GUID', [null, {}]],
    [
      'a port',
      readPort,
      '',
      port,
      [0, '0', 65536, '080', '80.0', '8e1', '80x', 'x80', '-1', '', ' 80', null],
    ],
    [
      'a range of ports',
      readPortRange,
      '',
      range,
      ['90-80', '0-80', '80-0', '80-65536', '80-90-95', 'x-80', '80-x', '-80', '80-', null],
    ],
    ['a list of ports', readPortList, ',', ports, [',', 'x,0']],
    [
      'a list of protocols',
      readProtocolList,
      '',
      protocols,
      ['257', '06', '6.0', '1e1', '-1', 'x6', '6x', ''],
    ],
    ['a list of prefixes', readPrefixList, '', prefixes, ['x', '']],
    ['a set of prefixes', readSetOfPrefixes, '', prefixes, ['any', '*']],
    ['a set of sets', readSetOfSets, '', 'the IDs of sets, separated by commas', ['', ' ']],
  ])('as %s', (_, reader, returned, expected, values) => {
    for (const value of values) expect([value, ...read(reader, value)]).toEqual([value, returned, expected]);
  });

  test.each([2 ** 60 + 2 ** 23, 1.5, '1', null])('as a LUID: %j', (value) => {
    expect(read(readLuid, value)).toEqual([value, luid]);
  });

  test('beside one that means any, which leaves the member out', () => {
    expect(read(readPrefixList, 'x,any')).toEqual([undefined, prefixes]);
  });
});
