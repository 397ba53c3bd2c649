import { describe, expect, test } from 'vitest';
import { elevation } from '../../../../src/cli/doctor/checks/elevation.ts';
import { hcn } from '../../../../src/cli/doctor/checks/hcn.ts';
import { hnsCrashes } from '../../../../src/cli/doctor/checks/hns-crashes.ts';
import { hnsService } from '../../../../src/cli/doctor/checks/hns-service.ts';
import { log } from '../../../../src/cli/doctor/checks/log.ts';
import { windowsBuild } from '../../../../src/cli/doctor/checks/windows-build.ts';
import { configured, facts } from './facts.ts';

describe('elevation', () => {
  test.each([
    [true, [{ verdict: 'PASS', seen: "WIN-3\\operator, with an administrator's rights" }]],
    [
      false,
      [
        {
          verdict: 'FAIL',
          seen: "WIN-3\\operator has no administrator's rights here, and HCN answers nobody else",
          fix: 'Start-Process powershell -Verb RunAs',
        },
      ],
    ],
  ])('%j', (isElevated, expected) => {
    expect(elevation.judge(facts({ account: { known: { name: 'WIN-3\\operator', isElevated } } }))).toEqual(
      expected,
    );
  });
});

describe('Windows', () => {
  test.each([
    [20348, 2581, 'PASS', 'Windows, build 20348.2581'],
    [
      20348,
      2582,
      'WARN',
      'Windows, build 20348.2582, which may break the networks of pods since KB5040437; KB5044281 (20348.2762) mends them',
    ],
    [20348, 2762, 'PASS', 'Windows, build 20348.2762'],
    [26100, 2600, 'PASS', 'Windows, build 26100.2600'],
    [17763, 0, 'PASS', 'Windows, build 17763'],
  ])('build %j.%j: %s', (build, revision, verdict, seen) => {
    const windows = { known: { caption: 'Windows', build, revision, isServer: true } };
    expect(windowsBuild.judge(facts({ windows }))).toMatchObject([{ verdict, seen }]);
  });
});

const service = { state: 'Running', startMode: 'Manual', processId: 4, threads: 60, upSeconds: 59 };

describe('the HNS service', () => {
  test.each([
    [{}, 'PASS', 'running, process 4, for 59 s, 60 threads, start type Manual', undefined],
    [
      { upSeconds: 7300, threads: 200 },
      'PASS',
      'running, process 4, for 2 h, 200 threads, start type Manual',
      undefined,
    ],
    [
      { threads: 201 },
      'WARN',
      'running, process 4, for 59 s, 201 threads, start type Manual: more than 200 threads wait for one another as a rule; drain the node first',
      'Restart-Service hns -Force',
    ],
    [{ state: 'Stopped' }, 'FAIL', 'hns is stopped', 'Start-Service hns'],
    [
      { state: 'Stopped', startMode: 'Disabled' },
      'FAIL',
      'hns is disabled, and stopped',
      'Set-Service hns -StartupType Manual; Start-Service hns',
    ],
    [
      { state: '', startMode: '' },
      'FAIL',
      'there is no service hns: Windows has no feature Containers',
      'Enable-WindowsOptionalFeature -Online -FeatureName Containers -All',
    ],
  ])('%j: %s', (given, verdict, seen, fix) => {
    expect(hnsService.judge(facts({ service: { known: { ...service, ...given } } }))).toEqual([
      { verdict, seen, ...(fix !== undefined && { fix }) },
    ]);
  });
});

test('a service that is still stopping is not to be started', () => {
  const known = { ...service, state: 'Stop Pending' };
  expect(hnsService.judge(facts({ service: { known } }))).toEqual([
    {
      verdict: 'FAIL',
      seen: 'hns is stop pending, process 4; if it stays so, drain the node and restart Windows',
      see: 'Get-Service hns',
    },
  ]);
});

test.each([
  [[], 'PASS', 'none in the last day'],
  [
    ['2030-01-01T03:00:00Z'],
    'WARN',
    'one in the last day, the last at 2030-01-01T03:00:00Z: pods from before may have lost their endpoints',
  ],
])('crashes of HNS %j: %s', (times, verdict, seen) => {
  expect(hnsCrashes.judge(facts({ crashes: { known: times } }))).toMatchObject([{ verdict, seen }]);
});

describe('HCN', () => {
  const inventory = { known: { networks: [], endpoints: [], namespaces: [], loadBalancers: [] } };

  test('fails with what it said, once where it says nothing at all', () => {
    const version = { unknown: 'asking: HCN said E_ACCESSDENIED (0x80070005)' };
    expect(hcn.judge(facts({ version, inventory: { unknown: 'HCN said no' } }))).toEqual([
      { verdict: 'FAIL', seen: version.unknown, see: 'win-hcn explain 0x80070005' },
    ]);
  });

  test('fails where it tells its version and no more', () => {
    const version = { known: { Major: 15, Minor: 4 } };
    expect(hcn.judge(facts({ version, inventory: { unknown: 'HcnEnumerateEndpoints is late' } }))).toEqual([
      { verdict: 'PASS', seen: 'HNS 15.4 (Windows Server 2025)' },
      { verdict: 'FAIL', seen: 'HcnEnumerateEndpoints is late', see: 'Get-Service hns' },
    ]);
  });

  test('fails for what the configuration needs and this version does not have', () => {
    const configuration = configured({ loopbackDSR: true });
    expect(
      hcn.judge(facts({ version: { known: { Major: 9, Minor: 2 } }, inventory, configuration })),
    ).toEqual([
      {
        verdict: 'PASS',
        seen: 'HNS 9.2 (Windows Server 2019), without DSR, VxlanPort, AclSupportForProtocol252, IPv6DualStack, IPv6Overlay, SessionAffinity, SetPolicy, L4Proxy, L4WfpProxy, TierAcl, NetworkACL, NestedIpSet, DisableHostPort',
      },
      {
        verdict: 'FAIL',
        seen: 'the configuration has /loopbackDSR: DSR needs HNS 9.3 to 9.x, or 10.2 or later; this host has 9.2 (Windows Server 2019)',
        see: 'win-hcn plan C:\\etc\\cni\\net.d\\10-pods.conf',
      },
    ]);
  });
});

describe('the log', () => {
  test('is not looked at where none is written', () => {
    expect(log.judge(facts())).toEqual([]);
  });

  test('that cannot be read is unknown, with where it should be', () => {
    const answers = { unknown: 'ENOENT' };
    expect(log.judge(facts({ log: { path: 'C:\\logs\\win hcn.log', places: [], answers } }))).toEqual([
      { verdict: 'UNKNOWN', seen: 'ENOENT', see: 'Get-ChildItem C:\\logs' },
    ]);
  });
});
