import { describe, expect, test } from 'vitest';
import { hcn, hnsCrashes, hnsService } from '../../../../src/cli/doctor/checks/hns.ts';
import { configured, diagnosisTexts, facts } from './facts.ts';

const service = { state: 'Running', startMode: 'Manual', processId: 4, threads: 60, upSeconds: 59 };

describe('the HNS service', () => {
  test.each([
    [{}, 'PASS running for 59 s, process 4, 60 threads, start type Manual'],
    [{ upSeconds: 7300, threads: 200 }, 'PASS running for 2 h, process 4, 200 threads, start type Manual'],
    [
      { threads: 201 },
      'WARN running for 59 s, process 4, 201 threads, start type Manual; more than 200 threads usually indicate a deadlock: drain the node, because pods may lose their endpoints, then restart hns | fix: Restart-Service hns -Force',
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
    expect(diagnosisTexts(hnsService.diagnose(facts(), { value }))).toEqual([expected]);
  });
});

test.each([
  [[], 'PASS', 'none in the last 24 hours'],
  [
    ['2030-01-01T03:00:00Z'],
    'WARN',
    '1 in the last 24 hours, the latest at 2030-01-01T03:00:00Z: older pods may have lost their endpoints',
  ],
])('HNS crashes at %j: %s', (times, verdict, seen) => {
  expect(hnsCrashes.diagnose(facts(), { value: times })).toMatchObject([{ verdict, seen }]);
});

describe('HCN', () => {
  const inventory = { value: { networks: [], endpoints: [], namespaces: [], loadBalancers: [] } };

  test('fails once if it returns nothing', () => {
    const version = { error: 'querying: HCN returned E_ACCESSDENIED (0x80070005)' };
    expect(
      diagnosisTexts(hcn.diagnose(facts({ version, inventory: { error: 'HCN returned an error' } }))),
    ).toEqual([`FAIL ${version.error} | see: win-hcn explain 0x80070005`]);
  });

  test('fails if it returns only its version', () => {
    const version = { value: { Major: 15, Minor: 4 } };
    expect(
      diagnosisTexts(hcn.diagnose(facts({ version, inventory: { error: 'HcnEnumerateEndpoints is late' } }))),
    ).toEqual([
      'PASS HNS 15.4 (Windows Server 2025)',
      'FAIL HcnEnumerateEndpoints is late | see: Get-Service hns',
    ]);
  });

  test('fails if this version lacks a feature that the configuration needs', () => {
    const configuration = configured({ loopbackDSR: true });
    expect(
      diagnosisTexts(
        hcn.diagnose(facts({ version: { value: { Major: 9, Minor: 2 } }, inventory, configuration })),
      ),
    ).toEqual([
      'PASS HNS 9.2 (Windows Server 2019), without DSR, VxlanPort, AclSupportForProtocol252, IPv6DualStack, IPv6Overlay, SessionAffinity, SetPolicy, L4Proxy, L4WfpProxy, TierAcl, NetworkACL, NestedIpSet, DisableHostPort',
      'FAIL /loopbackDSR is not supported: DSR needs HNS 9.3 to 9.x, or 10.2 or later; this host has 9.2 (Windows Server 2019) | see: win-hcn config plan C:\\etc\\cni\\net.d\\10-pods.conf',
    ]);
  });
});
