import { describe, expect, test } from 'vitest';
import { mtu, network } from '../../../../src/cli/doctor/checks/network.ts';
import { adaptersWith, diagnosisTexts, endpoint, facts, node, pods, withAddress } from './facts.ts';

describe('the network', () => {
  test('warns if the first ADD interrupts an adapter to create it', () => {
    expect(
      diagnosisTexts(network.diagnose(node({ networks: [] }, { members: { adapter: 'Ethernet 2' } }))),
    ).toEqual([
      'WARN "pods" does not exist yet; the first ADD creates it, which interrupts adapter "Ethernet 2" for a few seconds | fix: win-hcn network ensure C:\\etc\\cni\\net.d\\10-pods.conf --yes',
    ]);
  });

  test('passes if the first ADD creates it without an adapter', () => {
    const members = { networkType: 'NAT' };
    expect(diagnosisTexts(network.diagnose(node({ networks: [] }, { members })))).toEqual([
      'PASS "pods" does not exist yet; the first ADD creates it',
    ]);
  });

  test('fails if it is missing and ADD must not create it', () => {
    expect(
      diagnosisTexts(network.diagnose(node({ networks: [] }, { members: { createNetwork: 'never' } }))),
    ).toEqual([
      'FAIL network "pods" does not exist and "createNetwork" is "never"\nwait until it is created (win-hcn ls networks shows the networks), or set "createNetwork" to "ifMissing" | see: win-hcn ls networks',
    ]);
  });

  test('fails if HNS reserves the address of its host endpoint', () => {
    const members = { hostEndpoint: { address: '10.244.1.1' } };
    expect(diagnosisTexts(network.diagnose(node({}, { members })))).toEqual([
      "FAIL /hostEndpoint: 10.244.1.1 is the network's gateway, which HNS reserves | see: win-hcn show network pods",
    ]);
  });

  test('fails if no adapter has a default route', () => {
    const adapters = adaptersWith('vEthernet (Ethernet)', { gateways: [] });
    expect(network.diagnose(node({ networks: [] }, { adapters }))).toMatchObject([
      {
        verdict: 'FAIL',
        seen: expect.stringMatching(
          /^invalid network configuration: \/adapter is missing and no network adapter has a default route. Set it to an adapter\nnetwork adapters: /,
        ),
        see: 'Get-NetAdapter',
      },
    ]);
  });

  test('fails if an Overlay network has no provider address', () => {
    const subnet = {
      IpAddressPrefix: '10.244.1.0/24',
      Policies: [{ Type: 'VSID', Settings: { IsolationId: 4096 } }],
    };
    const vxlan = { ...pods, Type: 'Overlay', Ipams: [{ Subnets: [subnet] }] };
    const members = { networkType: 'Overlay', subnets: [{ subnet: '10.244.1.0/24', vsid: 4096 }] };
    expect(diagnosisTexts(network.diagnose(node({ networks: [vxlan] }, { members })))).toEqual([
      'FAIL "pods" has no usable ProviderAddress: its traffic cannot leave this node | see: Get-NetIPAddress -AddressFamily IPv4',
    ]);
  });

  test('is unknown if ADD needs the adapters and they are unknown', () => {
    const given = { ...node({ networks: [] }), adapters: { error: 'Windows did not respond' } };
    expect(diagnosisTexts(network.diagnose(given))).toEqual(['UNKNOWN Windows did not respond']);
  });

  const table = '         configuration  HNS\nsubnets  10.244.3.0/24  10.244.1.0/24';
  const wrong = { subnets: [{ subnet: '10.244.3.0/24' }] };
  const remote = withAddress('r', '10.244.1.9', { Flags: 1 });
  test.each([
    [
      'without pods: the command that deletes it',
      {},
      {},
      'no pod uses the network: correct line 1, column 79 of 10-pods.conf, or delete the network | fix: win-hcn network delete pods --yes',
    ],
    [
      'without pods, if ADD must not create it: no command',
      {},
      { createNetwork: 'never' },
      'line 1, column 79 of 10-pods.conf or the network is wrong | see: win-hcn show network pods',
    ],
    [
      'with endpoints that keep it from being deleted: their number',
      { endpoints: [remote] },
      {},
      'no pod uses the network, but it has 1 leftover | see: win-hcn show network pods',
    ],
  ])('fails if it differs %s', (_, inventory, members, expected) => {
    const given = node(inventory, { members: { ...wrong, ...members } });
    expect(diagnosisTexts(network.diagnose(given))).toEqual([
      `FAIL "pods" differs from the configuration: subnets are 10.244.1.0/24, expected 10.244.3.0/24\n${table}\n${expected}`,
    ]);
  });

  test('is not checked without a configuration', () => {
    expect(diagnosisTexts(network.diagnose(facts()))).toEqual(['UNKNOWN no valid configuration for win-hcn']);
  });
});

describe('the MTU', () => {
  test('is not checked if it is not configured', () => {
    expect(mtu.diagnose(node())).toEqual([]);
  });

  test('fails if it is too large for the adapter', () => {
    expect(diagnosisTexts(mtu.diagnose(node({}, { members: { mtu: 9000 } })))).toEqual([
      'FAIL /mtu is 9000, but adapter Ethernet allows at most 1500 | see: Get-NetIPInterface',
    ]);
  });

  test('warns about endpoints with another MTU', () => {
    const overhead = (Overhead: number) => ({
      Policies: [{ Type: 'EncapOverhead', Settings: { Overhead } }],
    });
    const endpoints = [endpoint('a', overhead(50)), endpoint('b', overhead(100)), endpoint('c', {})];
    expect(diagnosisTexts(mtu.diagnose(node({ endpoints }, { members: { mtu: 1400 } })))).toEqual([
      'WARN pods 1400, adapter "Ethernet" 1500; endpoints with another MTU, until their pods are recreated: fd6bec0f | see: win-hcn show endpoint fd6bec0f-7b88-4b61-b5af-70890000000a',
    ]);
  });
});
