import { describe, expect, test } from 'vitest';
import { defaultRoute, hostEndpoint, managementAddress } from '../../../../src/cli/doctor/checks/node.ts';
import type { ObservedEndpoint } from '../../../../src/hcn/documents.ts';
import { hostEndpointId } from '../../../../src/model/identity.ts';
import type { HostAdapter } from '../../../../src/net/host-adapter.ts';
import { hostAdapters } from '../../plan/host-adapters.ts';
import { adaptersWith, diagnosed, hostNamespace, node, pods, withAddress } from './snapshot.ts';

describe('the management address', () => {
  const what = 'network "pods" on adapter "Ethernet"';
  const above = 'vEthernet (Ethernet)';
  const show = 'Get-NetIPConfiguration -Detailed';
  test.each<[string, readonly HostAdapter[], string]>([
    ['passes with an address', hostAdapters, `PASS ${what}: "${above}" has 10.0.0.4`],
    [
      'fails on an adapter that is down',
      adaptersWith(above, { isUp: false }),
      `FAIL ${what}: "${above}" has 10.0.0.4 but is down, or "Ethernet" is | see: Get-NetAdapter`,
    ],
    [
      'fails if it is an APIPA address',
      adaptersWith(above, {
        addresses: [
          { address: 'fe80::1', length: 64 },
          { address: '169.254.12.9', length: 16 },
        ],
      }),
      `FAIL ${what}: the node has no address on it (only fe80::1, 169.254.12.9: no DHCP server responds, or a static address was lost) | see: ${show}`,
    ],
    [
      'fails if the adapter is missing',
      hostAdapters.slice(1, 2),
      `FAIL ${what}: the node has no address on it | see: ${show}`,
    ],
  ])('%s', (_, adapters, expected) => {
    expect(diagnosed(managementAddress, node({}, { adapters }))).toEqual([expected]);
  });

  test('is checked for the adapter of a network that does not exist yet', () => {
    const members = { adapter: 'Ethernet 2' };
    expect(managementAddress.diagnose(node({ networks: [] }, { members }))).toMatchObject([
      { verdict: 'PASS', seen: expect.stringContaining('adapter "Ethernet 2"') },
    ]);
  });

  test('is not checked for a network without an adapter', () => {
    expect(managementAddress.diagnose(node({ networks: [{ ...pods, Policies: [] }] }))).toEqual([]);
  });
});

const showRoutes =
  'see: Get-NetRoute -DestinationPrefix 0.0.0.0/0 | Format-Table InterfaceAlias, NextHop, RouteMetric, InterfaceMetric';

describe('the default route', () => {
  test('fails if it is missing', () => {
    const adapters = adaptersWith('vEthernet (Ethernet)', { gateways: ['fe80::1'] });
    expect(diagnosed(defaultRoute, node({}, { adapters }))).toEqual([
      `FAIL the node has no IPv4 default route | ${showRoutes}`,
    ]);
  });

  test('passes beside one on another adapter only if Windows prefers it', () => {
    const beside = (metric: number) => {
      const adapters = adaptersWith('Ethernet 2', { gateways: ['172.16.0.1'], metric });
      return diagnosed(defaultRoute, node({}, { adapters: adapters.toReversed() }));
    };
    expect(beside(5000)).toEqual([
      'PASS via 10.0.0.1 on "vEthernet (Ethernet)", by its interface metric before via 172.16.0.1 on "Ethernet 2"',
    ]);
    expect(beside(15)).toEqual([
      `WARN 2 IPv4 default routes: via 10.0.0.1 on "vEthernet (Ethernet)", via 172.16.0.1 on "Ethernet 2" | ${showRoutes}`,
    ]);
    expect(beside(1)).toEqual([
      `WARN 2 IPv4 default routes: via 172.16.0.1 on "Ethernet 2", via 10.0.0.1 on "vEthernet (Ethernet)" | ${showRoutes}`,
    ]);
  });
});

describe('the host endpoint', () => {
  const attached = (address: string) =>
    withAddress('2', address, { ID: hostEndpointId('pods'), HostComputeNamespace: hostNamespace });
  test.each<[string, readonly ObservedEndpoint[], object, string]>([
    [
      'warns if it is missing and not configured',
      [],
      {},
      'WARN the node has no endpoint on "pods", so kubelet\'s probes may not reach its pods; "hostEndpoint": {} in the configuration creates one | see: win-hcn show network pods',
    ],
    [
      'passes if other software created it',
      [attached('10.244.1.9')],
      {},
      'PASS the node has 10.244.1.9 on "pods"',
    ],
    [
      'passes if it is as configured',
      [attached('10.244.1.2')],
      { hostEndpoint: {} },
      'PASS the node has 10.244.1.2 on "pods"',
    ],
    [
      'fails if it is configured and missing',
      [withAddress('2', '10.244.1.2')],
      { hostEndpoint: {} },
      'FAIL the node\'s endpoint 10.244.1.2 on "pods" is missing: pods have no gateway | fix: win-hcn network ensure C:\\etc\\cni\\net.d\\10-pods.conf --yes',
    ],
    [
      'fails if it has another address',
      [attached('10.244.1.9')],
      { hostEndpoint: {} },
      `FAIL the node has 10.244.1.9 on "pods", but /hostEndpoint requires 10.244.1.2: ADD fails | see: win-hcn show endpoint 5a83b1f2`,
    ],
  ])('%s', (_, endpoints, members, expected) => {
    expect(diagnosed(hostEndpoint, node({ endpoints }, { members }))).toEqual([expected]);
  });

  test('is checked only on a bridge', () => {
    const networks = [{ ...pods, Type: 'Transparent' }];
    const members = { networkType: 'Transparent' };
    expect(hostEndpoint.diagnose(node({ networks }, { members }))).toEqual([]);
  });
});
