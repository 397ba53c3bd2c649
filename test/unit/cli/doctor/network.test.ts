import { describe, expect, test } from 'vitest';
import { network, overlappingSubnets } from '../../../../src/cli/doctor/checks/network.ts';
import type { ObservedNetwork } from '../../../../src/hcn/documents.ts';
import { networkId } from '../../../../src/model/identity.ts';
import {
  adaptersWith,
  confFile,
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

const HostComputeNamespace = '3a6e8c1d-5b7f-4920-8d4e-6f1a2b3c4d5e';
const Resources = [{ Type: 'Container', Data: { Id: 'web' } }];
const namespaces = [{ ID: HostComputeNamespace, Type: 'Host', Resources, SchemaVersion }];
const attached = withAddress('a', '10.244.1.7', { HostComputeNamespace });

describe('the network', () => {
  test('warns if the first ADD interrupts an adapter to create it', () => {
    expect(diagnosed(network, node({ networks: [] }, { members: { adapter: 'Ethernet 2' } }))).toEqual([
      'WARN "pods" does not exist yet; the first ADD creates it, which interrupts adapter "Ethernet 2" for a few seconds | see: win-hcn network ensure C:\\etc\\cni\\net.d\\10-pods.conf',
    ]);
  });

  test('fails if it is missing and ADD must not create it', () => {
    expect(diagnosed(network, node({ networks: [] }, { members: { createNetwork: 'never' } }))).toEqual([
      'FAIL network "pods" does not exist and "createNetwork" is "never"\nwait until it is created (win-hcn ls networks shows the networks), or set "createNetwork" to "ifMissing" | see: Get-NetAdapter',
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

  test.each([
    ['without pods', [], ', or delete the network when no pod uses it: win-hcn network delete pods --yes'],
    ['with a pod', [attached], '\n1 pod on the network: the configuration may be wrong'],
  ])('fails %s if it differs, as ADD does', (_, endpoints, ending) => {
    const given = node({ endpoints, namespaces }, { members: { subnets: [{ subnet: '10.244.3.0/24' }] } });
    expect(diagnosed(network, given)).toEqual([
      'FAIL network "pods" exists but differs from the configuration: subnets are 10.244.1.0/24, expected 10.244.3.0/24\n' +
        '         configuration  HNS\nsubnets  10.244.3.0/24  10.244.1.0/24\n' +
        `change the configuration${ending} | see: win-hcn show network pods`,
    ]);
  });

  test('fails if HNS lacks a feature that the configuration needs', () => {
    const given = node({}, { members: { loopbackDSR: true } });
    expect(diagnosed(network, { ...given, version: { value: { Major: 9, Minor: 2 } } })).toEqual([
      'FAIL /loopbackDSR: DSR needs HNS 9.3 to 9.x, or 10.2 or later; this host has 9.2 | see: win-hcn show network pods',
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

  test('may overlap on different adapters', () => {
    expect(subnets(pods, second('L2Bridge', { adapter: 'Ethernet 2' }))).toEqual([
      'PASS 2 networks on adapters, no overlaps on a segment',
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
      'WARN "pods" does not exist yet, and adapter "Ethernet" is in use by Overlay network "vxlan0": HNS may refuse to put L2Bridge network "pods" on it; set "adapter" to another adapter, or delete "vxlan0" if nothing uses it: win-hcn network delete vxlan0 | see: win-hcn ls networks',
    ]);
  });

  test('fails if a Transparent network uses it', () => {
    expect(diagnose(second('Transparent', { name: 'lan' }))).toEqual([
      'FAIL "pods" does not exist yet, and adapter "Ethernet" is in use by Transparent network "lan": HNS does not put L2Bridge network "pods" on it; set "adapter" to another adapter, or delete "lan" if nothing uses it: win-hcn network delete lan | see: win-hcn ls networks',
    ]);
  });

  test('fails without a fix if pods use it', () => {
    const networks = [overlay('vxlan0', 4096)];
    const endpoints = [{ ...attached, HostComputeNetwork: networkId('vxlan0') }];
    expect(diagnosed(network, node({ networks, namespaces, endpoints }))).toEqual([
      'FAIL "pods" does not exist yet, and adapter "Ethernet" is in use by Overlay network "vxlan0" (1 pod): HNS may refuse to put L2Bridge network "pods" on it; the configuration may be wrong | see: win-hcn ls networks',
    ]);
  });

  test('is a warning if containerd uses the file of another plugin', () => {
    const given = node({ networks: [second('Transparent', { name: 'lan' })] });
    const files = { value: [confFile('05-calico.conf', { name: 'Calico', type: 'calico' })] };
    const configuration = { ...given.configuration, files };
    expect(network.diagnose({ ...given, configuration })).toMatchObject([{ verdict: 'WARN' }]);
  });

  test('is unknown without any file', () => {
    const given = node();
    const configuration = { ...snapshot().configuration, files: { value: [] } };
    expect(diagnosed(network, { ...given, configuration })).toEqual([
      'UNKNOWN no valid configuration for win-hcn',
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
