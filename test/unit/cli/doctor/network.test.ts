import { describe, expect, test } from 'vitest';
import { natNetworks, network, overlappingSubnets } from '../../../../src/cli/doctor/checks/network.ts';
import type { ObservedNetwork } from '../../../../src/hcn/documents.ts';
import { networkId } from '../../../../src/model/identity.ts';
import {
  adaptersWith,
  diagnosed,
  node,
  overlay,
  pods,
  SchemaVersion,
  second,
  snapshot,
  withAddress,
} from './snapshot.ts';

function subnets(...networks: readonly ObservedNetwork[]): readonly string[] {
  return diagnosed(overlappingSubnets, node({ networks: [...networks] }));
}

describe('the network', () => {
  test('warns if the first ADD interrupts an adapter to create it', () => {
    expect(diagnosed(network, node({ networks: [] }, { members: { adapter: 'Ethernet 2' } }))).toEqual([
      'WARN "pods" does not exist yet; the first ADD creates it, which interrupts adapter "Ethernet 2" for a few seconds | see: win-hcn network ensure C:\\etc\\cni\\net.d\\10-pods.conf',
    ]);
  });

  test('passes if the first ADD creates it without an adapter', () => {
    const members = { networkType: 'NAT' };
    expect(diagnosed(network, node({ networks: [] }, { members }))).toEqual([
      'PASS "pods" does not exist yet; the first ADD creates it',
    ]);
  });

  test('fails if it is missing and ADD must not create it', () => {
    expect(diagnosed(network, node({ networks: [] }, { members: { createNetwork: 'never' } }))).toEqual([
      'FAIL network "pods" does not exist and "createNetwork" is "never"\nwait until it is created (win-hcn ls networks shows the networks), or set "createNetwork" to "ifMissing" | see: win-hcn ls networks',
    ]);
  });

  test('fails if HNS reserves the address of its host endpoint', () => {
    const members = { hostEndpoint: { address: '10.244.1.1' } };
    expect(diagnosed(network, node({}, { members }))).toEqual([
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
    expect(diagnosed(network, node({ networks: [vxlan] }, { members }))).toEqual([
      'FAIL "pods" has no usable ProviderAddress: its traffic cannot leave this node | see: Get-NetIPAddress -AddressFamily IPv4',
    ]);
  });

  test('is unknown if ADD needs the adapters and they are unknown', () => {
    const given = { ...node({ networks: [] }), adapters: { error: 'Windows did not respond' } };
    expect(diagnosed(network, given)).toEqual(['UNKNOWN Windows did not respond']);
  });

  const table = '         configuration  HNS\nsubnets  10.244.3.0/24  10.244.1.0/24';
  const wrong = { subnets: [{ subnet: '10.244.3.0/24' }] };
  const remote = withAddress('r', '10.244.1.9', { Flags: 1 });
  test.each([
    [
      'without pods: both ways out',
      {},
      {},
      'no pod uses the network: correct line 1, column 79 of 10-pods.conf, or delete the network | see: win-hcn show network pods',
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
    expect(diagnosed(network, given)).toEqual([
      `FAIL "pods" differs from the configuration: subnets are 10.244.1.0/24, expected 10.244.3.0/24\n${table}\n${expected}`,
    ]);
  });

  test('is not checked without a configuration', () => {
    expect(diagnosed(network, snapshot())).toEqual(['UNKNOWN no valid configuration for win-hcn']);
  });
});

describe('subnets', () => {
  test('warn if they overlap with those of another network of the adapter', () => {
    expect(subnets(pods, second('L2Bridge', { prefix: '10.244.0.0/16' }))).toEqual([
      'WARN subnet 10.244.0.0/16 of network "second" overlaps with 10.244.1.0/24 of network "pods" on adapter "Ethernet": pods of both networks can get the same address | see: win-hcn ls networks',
    ]);
  });

  test.each(['0.0.0.0/0', '::/0'])('ignore the placeholder %s', (prefix) => {
    const placeholder = second('L2Bridge', { prefix });
    expect(subnets(pods, placeholder)).toEqual(['PASS those of 2 networks on adapters do not overlap']);
  });

  const helper = (name: string, adapter: string) =>
    second('L2Bridge', { name, adapter, prefix: '192.168.255.0/30' });

  test('warn on different adapters if win-hcn has endpoints on one of them', () => {
    const networks = [helper('own', 'Ethernet'), { ...helper('other', 'Ethernet 2'), ID: networkId('any') }];
    const endpoints = [withAddress('web', '192.168.255.2', { HostComputeNetwork: networkId('own') })];
    expect(diagnosed(overlappingSubnets, node({ networks, endpoints }))).toEqual([
      expect.stringMatching(
        /^WARN subnet 192\.168\.255\.0\/30 of network "other" on adapter "Ethernet 2" overlaps/,
      ),
    ]);
    const others = networks.map((network) => ({ ...network, ID: networkId(`any ${network.Name}`) }));
    const endpointsOfOthers = [
      withAddress('web', '192.168.255.2', { HostComputeNetwork: networkId('any own') }),
    ];
    expect(diagnosed(overlappingSubnets, node({ networks: others, endpoints: endpointsOfOthers }))).toEqual([
      'PASS only those of networks without pods overlap, on different adapters',
    ]);
  });

  test('warn on networks of different adapters, because the node routes an address to one of them', () => {
    expect(subnets(pods, second('L2Bridge', { adapter: 'Ethernet 2' }))).toEqual([
      'WARN subnet 10.244.1.0/24 of network "second" on adapter "Ethernet 2" overlaps with 10.244.1.0/24 of network "pods" on adapter "Ethernet": the node sends traffic to an address in both through one of the adapters only | see: win-hcn ls networks',
    ]);
  });

  test('are compared before ADD creates the network', () => {
    const given = node({ networks: [second('L2Bridge')] });
    expect(diagnosed(overlappingSubnets, given)).toEqual([
      'WARN subnet 10.244.1.0/24 of network "pods" overlaps with 10.244.1.0/24 of network "second" on adapter "Ethernet": pods of both networks can get the same address | see: win-hcn ls networks',
    ]);
  });

  test('of an Overlay network without NetAdapterName are on the adapter with its provider address', () => {
    const ProviderAddress = { Type: 'ProviderAddress', Settings: { ProviderAddress: '10.0.0.4' } };
    const flannel = { ...overlay('vxlan0', 4096), Policies: [ProviderAddress] };
    expect(subnets(overlay('one', 4096), flannel)).toEqual([
      expect.stringMatching(/^WARN .* of network "one" on adapter "Ethernet" with VSID 4096:/),
    ]);
  });
});

describe('the adapter of a missing network', () => {
  const diagnose = (...networks: readonly ObservedNetwork[]) =>
    diagnosed(network, node({ networks: [...networks] }));

  test('is a warning if a network of another type uses it, because HNS may accept both', () => {
    expect(diagnose(overlay('vxlan0', 4096))).toEqual([
      'WARN "pods" does not exist yet; the first ADD creates it, which interrupts adapter "Ethernet" for a few seconds; ' +
        'adapter "Ethernet" is in use by Overlay network "vxlan0": HNS may refuse to put L2Bridge network "pods" on it; set "adapter" to another adapter, or delete "vxlan0" if nothing uses it: win-hcn network delete vxlan0 | see: win-hcn network ensure C:\\etc\\cni\\net.d\\10-pods.conf',
    ]);
  });

  test('fails if a Transparent network uses it', () => {
    expect(diagnose(second('Transparent', { name: 'lan' }))).toEqual([
      'FAIL "pods" does not exist yet, and adapter "Ethernet" is in use by Transparent network "lan": HNS does not put L2Bridge network "pods" on it; set "adapter" to another adapter, or delete "lan" if nothing uses it: win-hcn network delete lan | see: win-hcn ls networks',
    ]);
  });

  test('fails without a fix if pods use it', () => {
    const HostComputeNamespace = '3a6e8c1d-5b7f-4920-8d4e-6f1a2b3c4d5e';
    const Resources = [{ Type: 'Container', Data: { Id: 'web' } }];
    const namespaces = [{ ID: HostComputeNamespace, Type: 'Host', Resources, SchemaVersion }];
    const networks = [overlay('vxlan0', 4096)];
    const HostComputeNetwork = networkId('vxlan0');
    const endpoints = [withAddress('a', '10.244.1.7', { HostComputeNetwork, HostComputeNamespace })];
    expect(diagnosed(network, node({ networks, namespaces, endpoints }))).toEqual([
      'FAIL 1 pod uses network "vxlan0"; the configuration asks for "pods", and adapter "Ethernet" is in use by Overlay network "vxlan0" | see: win-hcn ls networks',
    ]);
  });

  test.each([
    ['a network of the same type', second('L2Bridge')],
    ['a network on another adapter', second('Transparent', { adapter: 'Ethernet 2' })],
  ])('does not fail for %s', (_, other) => {
    expect(diagnose(other)).toEqual([
      expect.stringMatching(/^WARN "pods" does not exist yet; the first ADD/),
    ]);
  });
});

test('an MTU that is too large for the adapter fails, as ADD would', () => {
  expect(diagnosed(network, node({}, { members: { mtu: 9000 } }))).toEqual([
    'FAIL /mtu is 9000, but adapter Ethernet allows at most 1500 | see: win-hcn show network pods',
  ]);
});

test('two NAT networks are a warning, one is none', () => {
  const natNamed = (Name: string) => ({ ...pods, ID: Name, Name, Type: 'nat' });
  const on = (networks: readonly (typeof pods)[]) =>
    diagnosed(natNetworks, node({ networks: [...networks] }));
  expect(on([pods, natNamed('nat'), natNamed('dev')])).toEqual([
    'WARN "nat" and "dev" are NAT networks: with more than one, HNS may hang when a third port is published, on Windows Server 2025 until the node restarts (microsoft/Windows-Containers#486); use one NAT network for all pods with host ports | see: win-hcn ls networks',
  ]);
  expect(on([pods, natNamed('nat')])).toEqual([]);
});
