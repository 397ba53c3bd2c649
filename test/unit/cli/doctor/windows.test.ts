import { describe, expect, test } from 'vitest';
import { natAcls, type WindowsVersion, windowsBuild } from '../../../../src/cli/doctor/checks/windows.ts';
import type { Facts } from '../../../../src/cli/doctor/facts.ts';
import type { Fact } from '../../../../src/cli/terminal/fact.ts';
import type { NetworkConfig } from '../../../../src/config/network-config.ts';
import { readNetworkConfig } from '../../../../src/config/read-config.ts';
import { configured, diagnosisTexts, facts, SchemaVersion } from './facts.ts';

const nat = { ID: 'a1', Name: 'nat', Type: 'nat', SchemaVersion };
const bridge = { ID: 'b1', Name: 'pods', Type: 'L2Bridge', SchemaVersion };
const acl = { action: 'Block', direction: 'In' };
const rawAcl = { Type: 'ACL', Settings: { Action: 'Block', Direction: 'In' } };

/** A node with an endpoint that has these policies, on one of two networks. */
function onNetwork(network: string, ...types: readonly string[]): Facts['inventory'] {
  const endpoint = {
    ID: 'c1',
    Name: 'web',
    HostComputeNetwork: network,
    Policies: types.map((Type) => ({ Type })),
    SchemaVersion,
  };
  return {
    value: { networks: [nat, bridge], endpoints: [endpoint], namespaces: [], loadBalancers: [] },
  };
}

function windows(revision: number, build = 26100, isServer = true): Fact<WindowsVersion> {
  return { value: { caption: 'Windows', build, revision, isServer } };
}

const withAcls = { inventory: onNetwork('a1', 'OutBoundNAT', 'acl') };

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

describe('ACLs of NAT endpoints', () => {
  test.each<[string, Fact<WindowsVersion>, string]>([
    [
      'may have no effect before the update',
      windows(32689),
      'WARN build 26100.32689 may not apply ACLs to NAT endpoints, so blocked traffic passes; install KB5082063 (26100.32690, April 2026) or later | see: Get-HotFix | Sort-Object InstalledOn',
    ],
    [
      'are applied from the update on',
      windows(32690),
      'PASS build 26100.32690 applies ACLs to NAT endpoints',
    ],
    [
      'may have no effect when the update level is unknown',
      windows(0),
      "UNKNOWN Windows Server 2025 before KB5082063 (26100.32690, April 2026) may not apply ACLs to NAT endpoints; this node's update level is unknown | see: cmd /c ver",
    ],
    [
      'are unknown when Windows is unknown',
      { error: 'PowerShell did not finish within 15 s' },
      'UNKNOWN PowerShell did not finish within 15 s | see: cmd /c ver',
    ],
  ])('%s', (_, version, expected) => {
    expect(diagnosisTexts(natAcls.diagnose(facts(withAcls), version))).toEqual([expected]);
  });

  test.each<[string, Fact<WindowsVersion>]>([
    ['of Windows Server 2022', windows(2965, 20348)],
    ['of a client edition', windows(4000, 26100, false)],
  ])('%s are not checked', (_, version) => {
    expect(natAcls.diagnose(facts(withAcls), version)).toEqual([]);
  });

  test.each<[string, Partial<NetworkConfig>]>([
    ['a default action', { defaultAction: 'Allow' }],
    ['a rule for mapped ports', { portMapping: { localRoutedVip: false, allowAcl: true } }],
    ["an ACL in HCN's own form", { endpointPolicies: [rawAcl] }],
  ])('are checked for a NAT configuration with %s', (_, members) => {
    const network = { ...readNetworkConfig({ name: 'nat', networkType: 'NAT' }), ...members };
    const configuration = { ...configured(), network };
    expect(natAcls.diagnose(facts({ configuration }), windows(1742))).toMatchObject([{ verdict: 'WARN' }]);
  });

  test.each<[string, Partial<Facts>]>([
    ['an endpoint without ACLs', { inventory: onNetwork('a1', 'OutBoundNAT') }],
    ['an endpoint with ACLs on a bridged network', { inventory: onNetwork('b1', 'ACL') }],
    [
      'a bridged configuration with ACLs',
      { configuration: configured({ acls: [acl], defaultAction: 'Allow' }) },
    ],
    ['a NAT configuration without ACLs', { configuration: configured({ networkType: 'NAT' }) }],
    ['a node with neither configuration nor inventory', {}],
  ])('are not checked for %s', (_, given) => {
    expect(natAcls.diagnose(facts(given), windows(1742))).toEqual([]);
  });
});
