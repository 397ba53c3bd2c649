import { describe, expect, test } from 'vitest';
import { duplicateAddresses, overlappingSubnets } from '../../../../src/cli/doctor/checks/addresses.ts';
import { network as networkCheck } from '../../../../src/cli/doctor/checks/network.ts';
import type { ObservedNetwork, Policy } from '../../../../src/hcn/documents.ts';
import { networkId } from '../../../../src/model/identity.ts';
import { diagnosisTexts, node, pods, SchemaVersion, withAddress } from './facts.ts';

const adapterPolicy = (NetworkAdapterName: string): Policy => ({
  Type: 'NetAdapterName',
  Settings: { NetworkAdapterName },
});
const isolation = (Type: string, IsolationId: number): Policy => ({ Type, Settings: { IsolationId } });

interface Given {
  readonly adapter?: string | undefined;
  readonly policies?: readonly Policy[];
  readonly name?: string;
  readonly prefix?: string;
}

/** Network "second" with the subnet of network "pods", on the same adapter by default. */
function second(
  Type: string,
  { adapter = 'Ethernet', policies = [], name = 'second', prefix = '10.244.1.0/24' }: Given = {},
): ObservedNetwork {
  return {
    ID: networkId(name),
    Name: name,
    Type,
    Policies: adapter === '' ? [] : [adapterPolicy(adapter)],
    Ipams: [{ Subnets: [{ IpAddressPrefix: prefix, Policies: policies }] }],
    SchemaVersion,
  };
}

/** The diagnosis of one endpoint with the same address on each network. */
function duplicates(...networks: readonly ObservedNetwork[]): readonly string[] {
  const endpoints = networks.map(({ ID, Name }) =>
    withAddress(Name, '10.244.1.2', { HostComputeNetwork: ID }),
  );
  const facts = node({ networks: [...networks], endpoints });
  return diagnosisTexts(duplicateAddresses.diagnose(facts));
}

function subnets(...networks: readonly ObservedNetwork[]): readonly string[] {
  return diagnosisTexts(overlappingSubnets.diagnose(node({ networks: [...networks] })));
}

const overlay = (name: string, vsid: number) =>
  second('Overlay', { name, policies: [isolation('VSID', vsid)] });
const bridge = (name: string, vlan: number) =>
  second('L2Bridge', { name, policies: [isolation('VLAN', vlan)] });

/** Two networks with the same subnet whose endpoints reach each other. */
const together: Readonly<Record<string, readonly [ObservedNetwork, ObservedNetwork]>> = {
  'L2Bridge networks of one adapter': [pods, second('L2Bridge')],
  'an L2Bridge and an L2Tunnel network of one adapter': [pods, second('L2Tunnel')],
  'an L2Bridge and a Transparent network of one adapter': [pods, second('TRANSPARENT')],
  'an adapter in another case': [pods, second('L2Bridge', { adapter: 'ETHERNET' })],
  'L2Bridge networks with the same VLAN': [bridge('one', 7), bridge('other', 7)],
  'Overlay networks with the same VSID': [overlay('one', 4096), overlay('other', 4096)],
};

/** Two networks with the same subnet whose endpoints do not reach each other, or not for certain. */
const apart: Readonly<Record<string, readonly [ObservedNetwork, ObservedNetwork]>> = {
  'networks of different adapters': [pods, second('L2Bridge', { adapter: 'Ethernet 2' })],
  'networks with different VLANs': [bridge('one', 7), bridge('other', 8)],
  'networks of which one has a VLAN': [pods, bridge('other', 8)],
  'Overlay networks with different VSIDs': [overlay('one', 4096), overlay('other', 4097)],
  'an L2Bridge and an Overlay network': [pods, overlay('other', 4096)],
  'Overlay networks without a VSID': [second('Overlay', { name: 'one' }), second('Overlay')],
  'NAT networks': [second('NAT', { name: 'one', adapter: '' }), second('NAT', { adapter: '' })],
  'Internal networks': [
    second('Internal', { name: 'one', adapter: '' }),
    second('Internal', { adapter: '' }),
  ],
  'an L2Bridge and a Private network': [pods, second('Private', { adapter: '' })],
  'an L2Bridge network whose adapter is unknown': [pods, second('L2Bridge', { adapter: '' })],
};

describe('addresses', () => {
  test('fail if endpoints of this node share one on two networks of one adapter', () => {
    expect(duplicates(pods, second('L2Bridge'))).toEqual([
      'FAIL several endpoints of this node have 10.244.1.2 on adapter "Ethernet": fd6bec0f on "pods", fd6bec0f on "second" | see: win-hcn show ip 10.244.1.2',
    ]);
  });

  test.each(Object.entries(together))('fail on %s', (_, networks) => {
    expect(duplicates(...networks)).toEqual([
      expect.stringMatching(/^FAIL several endpoints of this node have 10\.244\.1\.2 on adapter "Ethernet"/),
    ]);
  });

  test.each(Object.entries(apart))('pass on %s', (_, networks) => {
    expect(duplicates(...networks)).toEqual(['PASS no duplicates']);
  });

  test('pass for a remote endpoint on another network of the adapter', () => {
    const endpoints = [
      withAddress('local', '10.244.1.7'),
      withAddress('remote', '10.244.1.7', { HostComputeNetwork: networkId('second'), Flags: 1 }),
    ];
    const facts = node({ networks: [pods, second('L2Bridge')], endpoints });
    expect(duplicateAddresses.diagnose(facts)).toMatchObject([{ verdict: 'PASS' }]);
  });

  test('fail if two endpoints of this node share one on the same network', () => {
    const endpoints = [
      withAddress('a', '10.244.1.7'),
      withAddress('b', '10.244.1.7'),
      withAddress('c', '10.244.1.7', { HostComputeNetwork: networkId('other') }),
    ];
    expect(diagnosisTexts(duplicateAddresses.diagnose(node({ endpoints })))).toEqual([
      'FAIL several endpoints of this node have 10.244.1.7: fd6bec0f, fd6bec0f | see: win-hcn show ip 10.244.1.7',
    ]);
  });

  test('pass if two remote endpoints share one', () => {
    const endpoints = [
      withAddress('a', '10.244.2.7', { Flags: 1 }),
      withAddress('b', '10.244.2.7', { Flags: 1 }),
    ];
    expect(duplicateAddresses.diagnose(node({ endpoints }))).toMatchObject([{ verdict: 'PASS' }]);
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

  test('of other programs may overlap on different adapters', () => {
    expect(subnets(helper('External', 'Ethernet'), helper('External 2', 'Ethernet 2'))).toEqual([
      'PASS only those of networks without pods overlap, on different adapters',
    ]);
  });

  test('warn on different adapters if win-hcn has endpoints on one of them', () => {
    const networks = [helper('own', 'Ethernet'), { ...helper('other', 'Ethernet 2'), ID: networkId('any') }];
    const endpoints = [withAddress('web', '192.168.255.2', { HostComputeNetwork: networkId('own') })];
    expect(diagnosisTexts(overlappingSubnets.diagnose(node({ networks, endpoints })))).toEqual([
      expect.stringMatching(
        /^WARN subnet 192\.168\.255\.0\/30 of network "other" on adapter "Ethernet 2" overlaps/,
      ),
    ]);
    const others = networks.map((network) => ({ ...network, ID: networkId(`any ${network.Name}`) }));
    const endpointsOfOthers = [
      withAddress('web', '192.168.255.2', { HostComputeNetwork: networkId('any own') }),
    ];
    expect(
      diagnosisTexts(overlappingSubnets.diagnose(node({ networks: others, endpoints: endpointsOfOthers }))),
    ).toEqual(['PASS only those of networks without pods overlap, on different adapters']);
  });

  test('warn on networks of different adapters, because the node routes an address to one of them', () => {
    expect(subnets(...(apart['networks of different adapters'] ?? []))).toEqual([
      'WARN subnet 10.244.1.0/24 of network "second" on adapter "Ethernet 2" overlaps with 10.244.1.0/24 of network "pods" on adapter "Ethernet": the node sends traffic to an address in both through one of the adapters only | see: win-hcn ls networks',
    ]);
  });

  test('pass if those of one adapter do not overlap', () => {
    expect(subnets(pods, second('L2Bridge', { prefix: '10.244.2.0/24' }))).toEqual([
      'PASS those of 2 networks on adapters do not overlap',
    ]);
  });

  test('are compared before ADD creates the network', () => {
    const facts = node({ networks: [second('L2Bridge')] });
    expect(diagnosisTexts(overlappingSubnets.diagnose(facts))).toEqual([
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
    diagnosisTexts(networkCheck.diagnose(node({ networks: [...networks] })));

  test('is a warning if a network of another type uses it, because HNS may accept both', () => {
    expect(diagnose(overlay('vxlan0', 4096))).toEqual([
      'WARN "pods" does not exist yet; the first ADD creates it, which interrupts adapter "Ethernet" for a few seconds; ' +
        'adapter "Ethernet" is in use by Overlay network "vxlan0": HNS may refuse to put L2Bridge network "pods" on it; set "adapter" to another adapter, or delete "vxlan0" if nothing uses it: win-hcn network delete vxlan0 | fix: win-hcn network ensure C:\\etc\\cni\\net.d\\10-pods.conf --yes',
    ]);
  });

  test('fails if a Transparent network uses it', () => {
    expect(diagnose(second('Transparent', { name: 'lan' }))).toEqual([
      'FAIL "pods" does not exist yet, and adapter "Ethernet" is in use by Transparent network "lan": HNS does not put L2Bridge network "pods" on it; set "adapter" to another adapter, or delete "lan" if nothing uses it: win-hcn network delete lan | see: win-hcn ls networks',
    ]);
  });

  test.each([
    ['a network of the same type', second('L2Bridge')],
    ['a network on another adapter', second('Transparent', { adapter: 'Ethernet 2' })],
    ['a NAT network', second('NAT', { adapter: '' })],
  ])('does not fail for %s', (_, other) => {
    expect(diagnose(other)).toEqual([
      expect.stringMatching(/^WARN "pods" does not exist yet; the first ADD/),
    ]);
  });
});
