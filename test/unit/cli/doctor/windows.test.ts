import { describe, expect, test } from 'vitest';
import { type WindowsVersion, windowsBuild } from '../../../../src/cli/doctor/checks/windows.ts';
import type { Facts } from '../../../../src/cli/doctor/facts.ts';
import type { Fact } from '../../../../src/cli/terminal/powershell.ts';
import { readNetworkConfig } from '../../../../src/config/read-config.ts';
import { configured, diagnosisTexts, facts, SchemaVersion } from './facts.ts';

const bridge = { ID: 'b1', Name: 'pods', Type: 'L2Bridge', SchemaVersion };

function windows(revision: number, build = 26100, isServer = true): Fact<WindowsVersion> {
  return { value: { caption: 'Windows', build, revision, isServer } };
}

describe('the Windows build', () => {
  test.each([
    [20348, 2581, 'PASS Windows, build 20348.2581'],
    [
      20348,
      2582,
      'WARN Windows, build 20348.2582: KB5040437 and later updates may break pod networks; install KB5044281 (20348.2762) or later | see: Get-HotFix | Sort-Object InstalledOn',
    ],
    [20348, 2762, 'PASS Windows, build 20348.2762'],
    [26100, 2600, 'PASS Windows, build 26100.2600'],
    [17763, 0, 'PASS Windows, build 17763'],
    [
      17763,
      2267,
      'WARN Windows, build 17763.2267: HNS may hang if several load balancers refer to one endpoint; install KB5006744 (17763.2268) or later. From KB4601383 (17763.1790), HNS returns an error instead if HNSControlFlag is 1 in HKLM:\\SYSTEM\\CurrentControlSet\\Services\\hns\\State | see: Get-HotFix | Sort-Object InstalledOn',
    ],
    [17763, 2268, 'PASS Windows, build 17763.2268'],
  ])('%j.%j: %s', (build, revision, expected) => {
    const found = windowsBuild.diagnose(facts(), windows(revision, build));
    expect(diagnosisTexts(found)).toEqual([expected]);
  });

  const overlayFault = 'Overlay networks may not work; install KB5066835 (26100.6899, October 2025) or later';
  const filterFault =
    'Windows 11 24H2 and later may drop the packets of pods, because VFP does not forward packets on client Windows (microsoft/Windows-Containers#608); use Windows Server';
  const natFault =
    'ACLs may not apply to NAT endpoints, so blocked traffic passes; install KB5082063 (26100.32690, April 2026) or later';
  const configuredAs = (networkType: string) => {
    const network = { ...readNetworkConfig({ name: 'pods', networkType: 'NAT' }), networkType };
    return { configuration: { ...configured(), network } as Facts['configuration'] };
  };
  const overlay = { ...bridge, Type: 'overlay' };
  const existing = { value: { networks: [overlay], endpoints: [], namespaces: [], loadBalancers: [] } };

  test.each<[string, Partial<Facts>, number, number, boolean, string | undefined]>([
    ['an Overlay configuration before the fix', configuredAs('Overlay'), 26100, 6898, true, overlayFault],
    ['an Overlay network before the fix', { inventory: existing }, 26100, 6898, true, overlayFault],
    ['an Overlay configuration after the fix', configuredAs('Overlay'), 26100, 6899, true, undefined],
    ['an L2Bridge configuration before the fix', configuredAs('L2Bridge'), 26100, 6898, true, undefined],
    [
      'an L2Bridge configuration on Windows 11 24H2',
      configuredAs('L2Bridge'),
      26100,
      4652,
      false,
      filterFault,
    ],
    ['an Overlay configuration on Windows 11 25H2', configuredAs('Overlay'), 26200, 8893, false, filterFault],
    ['a NAT configuration before the fix', configuredAs('NAT'), 26100, 32_689, true, natFault],
    ['a NAT configuration after the fix', configuredAs('NAT'), 26100, 32_690, true, undefined],
    ['a NAT configuration on Windows 11 24H2', configuredAs('NAT'), 26100, 4652, false, undefined],
    ['an L2Bridge configuration on Windows 11 23H2', configuredAs('L2Bridge'), 22631, 1, false, undefined],
  ])('for %s', (_, given, build, revision, isServer, text) => {
    const seen = `Windows, build ${build}.${revision}`;
    const expected =
      text === undefined
        ? `PASS ${seen}`
        : `WARN ${seen}: ${text} | see: Get-HotFix | Sort-Object InstalledOn`;
    const found = windowsBuild.diagnose(facts(given), windows(revision, build, isServer));
    expect(diagnosisTexts(found)).toEqual([expected]);
  });
});
