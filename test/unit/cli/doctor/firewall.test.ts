import { describe, expect, test } from 'vitest';
import { type Firewall, firewall } from '../../../../src/cli/doctor/checks/firewall.ts';
import type { ObservedNetwork, Policy } from '../../../../src/hcn/documents.ts';
import { diagnosisTexts, node, pods } from './facts.ts';

const remoteSubnet = {
  Type: 'RemoteSubnetRoute',
  Settings: {
    DestinationPrefix: '10.244.2.0/24',
    IsolationId: 4096,
    ProviderAddress: '10.0.0.5',
    DistributedRouterMacAddress: '00-15-5D-0A-0B-0C',
  },
};
const overlay = (...Policies: readonly Policy[]): ObservedNetwork => ({
  ...pods,
  Type: 'Overlay',
  Policies: [...(pods.Policies ?? []), ...Policies],
  Ipams: [
    {
      Subnets: [
        {
          IpAddressPrefix: '10.244.1.0/24',
          Policies: [{ Type: 'VSID', Settings: { IsolationId: 4096 } }],
          Routes: [{ NextHop: '10.244.1.1', DestinationPrefix: '0.0.0.0/0' }],
        },
      ],
    },
  ],
});
const members = { networkType: 'Overlay', subnets: [{ subnet: '10.244.1.0/24', vsid: 4096 }] };

const domain = { bit: 1, isEnabled: true, blocksAll: false, allowsByDefault: false };
const rule = { name: 'OverlayTraffic', allows: true, ports: '4789', profiles: 0x7fffffff };
const closed: Firewall = { hasGroupPolicy: false, profiles: [domain], rules: [] };

const diagnose = (state: Partial<Firewall>, network = overlay(remoteSubnet), given: object = members) =>
  diagnosisTexts(
    firewall.diagnose(node({ networks: [network] }, { members: given }), { value: { ...closed, ...state } }),
  );
const allowed = ['PASS inbound UDP 4789 is allowed'];
const missing = [
  "WARN no firewall rule allows all inbound UDP 4789: packets from pods of other nodes may be dropped | fix: New-NetFirewallRule -Name OverlayTraffic4789UDP -DisplayName 'Overlay network traffic UDP 4789' -Direction Inbound -Action Allow -Protocol UDP -LocalPort 4789",
];
const show = (port = 4789) =>
  ` | see: Get-NetFirewallPortFilter -Protocol UDP | Where-Object LocalPort -eq ${port} | Get-NetFirewallRule`;

describe('the firewall of a node with an Overlay network to other nodes', () => {
  test.each<[string, Partial<Firewall>]>([
    ['by a rule for the port', { rules: [rule] }],
    ['by a rule for a range', { rules: [{ ...rule, ports: '80, 4000-5000' }] }],
    ['by a rule for any protocol', { rules: [{ ...rule, ports: '' }] }],
    ['by default', { profiles: [{ ...domain, allowsByDefault: true }] }],
    ['because the firewall is off', { profiles: [{ ...domain, isEnabled: false, blocksAll: true }] }],
    [
      'in each current profile',
      { profiles: [domain, { ...domain, bit: 2 }], rules: [{ ...rule, profiles: 3 }] },
    ],
  ])('allows it %s', (_, state) => {
    expect(diagnose(state)).toEqual(allowed);
  });

  test.each<[string, Partial<Firewall>]>([
    ['no rule', {}],
    ['a rule for another port', { rules: [{ ...rule, ports: '4788,RPC' }] }],
    ['a rule for another profile', { rules: [{ ...rule, profiles: 4 }] }],
    [
      'a rule for one of two profiles',
      { profiles: [domain, { ...domain, bit: 2 }], rules: [{ ...rule, profiles: 1 }] },
    ],
  ])('does not allow it with %s', (_, state) => {
    expect(diagnose(state)).toEqual(missing);
  });

  test('is unknown if group policy has rules', () => {
    expect(diagnose({ hasGroupPolicy: true })).toEqual([
      'UNKNOWN no local rule allows inbound UDP 4789, but group policy may | see: Get-NetFirewallRule -PolicyStore ActiveStore -Direction Inbound -Enabled True',
    ]);
  });

  test('blocks it with a block rule, whatever others allow', () => {
    expect(diagnose({ rules: [rule, { ...rule, name: 'Guard', allows: false }] })).toEqual([
      `WARN rule "Guard" blocks inbound UDP 4789: pods of other nodes cannot reach pods of this node${show()}`,
    ]);
    expect(diagnose({ profiles: [{ ...domain, blocksAll: true }], rules: [rule] })).toEqual([
      'WARN the firewall blocks all inbound traffic, including inbound UDP 4789 from other nodes | see: Get-NetFirewallProfile | Format-Table Name, Enabled, AllowInboundRules',
    ]);
  });

  test('is checked for the port of the network', () => {
    const network = overlay(remoteSubnet, { Type: 'VxlanPort', Settings: { Port: 9789 } });
    expect(diagnose({ rules: [{ ...rule, ports: '9789' }] }, network)).toEqual([
      'PASS inbound UDP 9789 is allowed',
    ]);
  });

  test('is unknown if PowerShell does not say', () => {
    const facts = node({ networks: [overlay(remoteSubnet)] }, { members });
    expect(diagnosisTexts(firewall.diagnose(facts, { error: 'no PowerShell' }))).toEqual([
      `UNKNOWN no PowerShell${show()}`,
    ]);
  });
});

test('the firewall does not matter without pods on other nodes, or on other networks', () => {
  expect(diagnose({}, overlay())).toEqual([]);
  expect(diagnose({}, pods, {})).toEqual([]);
});
