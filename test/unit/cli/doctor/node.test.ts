import { describe, expect, test } from 'vitest';
import { defaultRoute, hostEndpoint, managementAddress } from '../../../../src/cli/doctor/checks/node.ts';
import type { ObservedEndpoint } from '../../../../src/hcn/documents.ts';
import { hostEndpointId } from '../../../../src/model/identity.ts';
import type { HostAdapter } from '../../../../src/net/host-adapter.ts';
import { hostAdapters } from '../../plan/host-adapters.ts';
import {
  adaptersWith,
  diagnosed,
  hostNamespace,
  node,
  pods,
  SchemaVersion,
  withAddress,
} from './snapshot.ts';

describe('the management address', () => {
  const HostComputeNamespace = '3a6e8c1d-5b7f-4920-8d4e-6f1a2b3c4d5e';
  const namespaces = [
    {
      ID: HostComputeNamespace,
      Type: 'Host',
      NamespaceId: 2,
      Resources: [{ Type: 'Container', Data: { Id: 'web' } }],
      SchemaVersion,
    },
  ];
  const inNamespace = (address: string) => withAddress('a', address, { HostComputeNamespace });
  const what = 'network "pods" on adapter "Ethernet"';
  const above = 'vEthernet (Ethernet)';
  const show = "Get-NetIPConfiguration -InterfaceAlias 'vEthernet (Ethernet)' -Detailed";
  test.each<[string, readonly HostAdapter[], string]>([
    [
      'passes with the default route',
      hostAdapters,
      `PASS ${what}: "${above}" has 10.0.0.4 and the default route via 10.0.0.1`,
    ],
    [
      'warns without a default route',
      adaptersWith(above, { gateways: [] }),
      `WARN ${what}: "${above}" has 10.0.0.4 but no default route: pods may not reach other networks | see: Get-NetRoute -DestinationPrefix 0.0.0.0/0`,
    ],
    [
      'fails on an adapter that is down',
      adaptersWith(above, { isUp: false }),
      `FAIL ${what}: "${above}" has 10.0.0.4 but is down | fix: Enable-NetAdapter -Name 'vEthernet (Ethernet)'`,
    ],
    [
      'fails if it is an APIPA address',
      adaptersWith(above, {
        addresses: [
          { address: 'fe80::1', length: 64 },
          { address: '169.254.12.9', length: 16 },
        ],
      }),
      `FAIL ${what}: "${above}" has only 169.254.12.9 (APIPA): no DHCP server responds, or a static address was lost | see: ${show}`,
    ],
    [
      'fails if it is missing',
      adaptersWith(above, { addresses: [{ address: 'fe80::1', length: 64 }] }),
      `FAIL ${what}: "${above}" has no address | see: ${show}`,
    ],
    [
      'fails if the adapter is missing',
      hostAdapters.slice(1, 2),
      `FAIL ${what}: the node has no interface on it | see: Get-NetAdapter -IncludeHidden`,
    ],
  ])('%s', (_, adapters, expected) => {
    expect(diagnosed(managementAddress, node({}, { adapters }))).toEqual([expected]);
  });

  test('is checked for the adapter of a network that does not exist yet', () => {
    const members = { adapter: 'Ethernet 2' };
    expect(managementAddress.diagnose(node({ networks: [] }, { members }))).toMatchObject([
      { verdict: 'WARN' },
    ]);
  });

  test.each([
    [
      'with a pod',
      [inNamespace('10.244.1.7')],
      'WARN',
      ' but no default route: pods may not reach other networks | see: Get-NetRoute -DestinationPrefix 0.0.0.0/0',
    ],
    ['without pods', [], 'PASS', ''],
  ])('of another network %s: only pods need a default route', (_, endpoints, verdict, rest) => {
    const adapters = adaptersWith(above, { gateways: [] });
    const given = node({ endpoints, namespaces }, { adapters, members: { name: 'other' } });
    expect(diagnosed(managementAddress, given).slice(0, 1)).toEqual([
      `${verdict} ${what}: "${above}" has 10.0.0.4${rest}`,
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

  test('warns if two adapters have one', () => {
    const adapters = adaptersWith('Ethernet 2', { gateways: ['172.16.0.1'] });
    expect(diagnosed(defaultRoute, node({}, { adapters }))).toEqual([
      `WARN 2 IPv4 default routes: via 172.16.0.1 on "Ethernet 2", via 10.0.0.1 on "vEthernet (Ethernet)" | ${showRoutes}`,
    ]);
  });

  test('of a host endpoint has a fix if there is another one', () => {
    const adapters = adaptersWith('Ethernet 2', { alias: 'vEthernet (pods_ep)', gateways: ['10.244.1.1'] });
    expect(diagnosed(defaultRoute, node({}, { adapters }))).toEqual([
      'WARN 2 IPv4 default routes: via 10.244.1.1 on "vEthernet (pods_ep)", via 10.0.0.1 on "vEthernet (Ethernet)"; a host endpoint does not need one | fix: Remove-NetRoute -InterfaceIndex 7 -DestinationPrefix 0.0.0.0/0 -Confirm:$false',
    ]);
  });

  test('of host endpoints has no fix without another one', () => {
    const alias = 'vEthernet (pods_ep)';
    const adapters = [1, 2].flatMap((index) =>
      hostAdapters.slice(0, 1).map((one) => ({ ...one, index, alias, gateways: ['10.244.1.1'] })),
    );
    expect(diagnosed(defaultRoute, node({}, { adapters }))).toEqual([
      `WARN 2 IPv4 default routes: via 10.244.1.1 on "vEthernet (pods_ep)", via 10.244.1.1 on "vEthernet (pods_ep)" | ${showRoutes}`,
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
