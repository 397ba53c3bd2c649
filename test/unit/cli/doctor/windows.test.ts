import { describe, expect, test } from 'vitest';
import { hcn, hnsService, ports, windowsBuild } from '../../../../src/cli/doctor/checks/windows.ts';
import { readDynamicRange } from '../../../../src/cli/doctor/windows-state.ts';
import { diagnosed, snapshot } from './snapshot.ts';

const service = { state: 'Running', startMode: 'Manual', processId: 4, threads: 60 };

describe('the HNS service', () => {
  test.each([
    [{}, 'PASS running, process 4, 60 threads, start type Manual'],
    [{ threads: 200 }, 'PASS running, process 4, 200 threads, start type Manual'],
    [
      { threads: 201 },
      'WARN running, process 4, 201 threads, start type Manual; more than 200 threads usually indicate a deadlock: drain the node, because pods may lose their endpoints, then run Restart-Service hns -Force | see: Get-Service hns',
    ],
    [{ state: 'Stopped' }, 'FAIL hns is stopped | fix: Start-Service hns'],
    [
      { state: 'Stopped', startMode: 'Disabled' },
      'FAIL hns is disabled and stopped | fix: Set-Service hns -StartupType Manual; Start-Service hns',
    ],
    [
      { state: 'Stop Pending' },
      'FAIL hns is stop pending (process 4); if this does not change, drain the node and restart Windows | see: Get-Service hns',
    ],
    [
      { state: '', startMode: '' },
      'FAIL service hns does not exist: Windows feature Containers is not installed | fix: Enable-WindowsOptionalFeature -Online -FeatureName Containers -All',
    ],
  ])('%j: %s', (given, expected) => {
    const value = { ...service, ...given };
    expect(diagnosed(hnsService, snapshot({ windows: { service: { value } } }))).toEqual([expected]);
  });
});

describe('HCN', () => {
  test('fails once if it returns nothing', () => {
    const version = { error: 'querying: HCN returned E_ACCESSDENIED (0x80070005)' };
    expect(diagnosed(hcn, snapshot({ version, inventory: { error: 'HCN could not be queried' } }))).toEqual([
      `FAIL ${version.error} | see: win-hcn explain 0x80070005`,
    ]);
  });

  test('fails if it returns only its version', () => {
    const version = { value: { Major: 15, Minor: 4 } };
    expect(diagnosed(hcn, snapshot({ version, hcnError: 'HcnEnumerateEndpoints is late' }))).toEqual([
      'PASS HNS 15.4',
      'FAIL HcnEnumerateEndpoints is late | see: Get-Service hns',
    ]);
  });
});

test('known faults of Windows are not compared without its update', () => {
  const value = { caption: 'Windows', build: 17763, revision: 0, isServer: true };
  expect(diagnosed(windowsBuild, snapshot({ windows: { version: { value } } }))).toEqual([
    'UNKNOWN Windows, build 17763.0: its update is not known, so known faults are not compared',
  ]);
});

describe('the output of netsh', () => {
  test.each([
    [
      'English',
      '\nProtocol tcp Dynamic Port Range\n-----\nStart Port      : 49152\nNumber of Ports : 16384\n',
    ],
    ['German', 'Dynamischer Portbereich für tcp\n-----\nStartport       : 49152\nAnzahl der Ports: 16384'],
  ])('has the dynamic range in %s', (_, text) => {
    expect(readDynamicRange(text.split('\n'))).toEqual({ first: 49152, last: 65535 });
  });

  test('without two numbers has no range', () => {
    expect(() => readDynamicRange(['The following command was not found'])).toThrow('no port range');
  });
});

describe('free blocks of 64', () => {
  const range = { first: 1000, last: 1639 };
  test.each([
    ['without exclusions', [], 10],
    ['after an exclusion at the start', [{ first: 900, last: 1063 }], 9],
    ['after an exclusion of the first port', [{ first: 1000, last: 1000 }], 9],
    ['before an exclusion of the last port', [{ first: 1639, last: 1639 }], 9],
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
    ['with everything excluded', [{ first: 1, last: 65535 }], 0],
  ])('%s', (_, excluded, free) => {
    const value = [{ protocol: 'tcp', dynamic: range, excluded }];
    expect(diagnosed(ports, snapshot({ windows: { ports: { value } } }))).toEqual([
      expect.stringContaining(`TCP 1000 to 1639: ${free} of 10 blocks`),
    ]);
  });

  test.each([
    [11, 'PASS'],
    [10, 'WARN'],
    [0, 'FAIL'],
  ])('%j: %s', (blocks, verdict) => {
    const dynamic = { first: 1, last: 64 * blocks };
    const value = [{ protocol: 'udp', dynamic, excluded: [] }];
    expect(ports.diagnose(snapshot({ windows: { ports: { value } } }))).toMatchObject([{ verdict }]);
  });
});
