import { describe, expect, test } from 'vitest';
import { readLoadBalancer } from '../../../src/config/load-balancer-config.ts';
import type { ObservedEndpoint, ObservedNetwork } from '../../../src/hcn/documents.ts';
import {
  endpointsOfBackends,
  providerAddressFor,
  recreationDocument,
  remoteDifferences,
} from '../../../src/plan/backends.ts';

const route = (Type: string, DestinationPrefix: string, ProviderAddress: string) => ({
  Type,
  Settings: { DestinationPrefix, ProviderAddress, IsolationId: 4096 },
});
const routes = [
  route('RemoteSubnetRoute', '10.244.1.0/24', '10.0.0.5'),
  route('REMOTESUBNETROUTE', '10.244.2.0/24', '10.0.0.6'),
];
const own = { Type: 'ProviderAddress', Settings: { ProviderAddress: '10.0.0.4' } };
const overlay = { Name: 'overlay', Type: 'Overlay', SchemaVersion: { Major: 2, Minor: 0 } };

test.each([
  ['10.244.1.9', '10.0.0.5'],
  ['10.244.2.9', '10.0.0.6'],
  ['10.244.3.9', '10.0.0.4'],
  ['192.168.1.9', '10.0.0.4'],
])('an Overlay network sends packets for %s to node %s', (address, node) => {
  expect(providerAddressFor({ ...overlay, Policies: [...routes, own] }, address)).toBe(node);
});

test('no node is known for an address outside all subnets until the network has a provider address', () => {
  expect(providerAddressFor({ ...overlay, Policies: routes }, '192.168.1.9')).toBeUndefined();
  expect(providerAddressFor(overlay, '10.244.1.9')).toBeUndefined();
});

test('kube-proxy uses the last of several remote subnets with an address', () => {
  const Policies = [...routes, route('RemoteSubnetRoute', '10.244.0.0/16', '10.0.0.7'), own];
  expect(providerAddressFor({ ...overlay, Policies }, '10.244.1.9')).toBe('10.0.0.7');
  const unreadable = { Type: 'RemoteSubnetRoute', Settings: {} };
  expect(providerAddressFor({ ...overlay, Policies: [...routes, unreadable] }, '10.244.1.9')).toBe(
    '10.0.0.5',
  );
});

const SchemaVersion = { Major: 2, Minor: 0 };
const network = { ...overlay, ID: '22222222-2222-3333-4444-555555555555' };
const pod = (ID: string, more: object = {}) => ({
  ID,
  Name: 'pod',
  HostComputeNetwork: network.ID,
  IpConfigurations: [{ IpAddress: '100.1.2.3' }],
  SchemaVersion,
  ...more,
});
const ids = ['fd6bec0f-7b88-4b61-b5af-70897ab0960b', 'e446032f-bbf7-4b5a-880f-667bebc65501'] as const;
const remoteId = '2ad7f5c6-2d9c-5c02-9c49-f576a9a78526';
const endpointOf = (backend: object, of: object = network, endpoints: readonly object[] = []) =>
  endpointsOfBackends(
    readLoadBalancer({
      name: 'dns',
      network: 'overlay',
      ports: [{ protocol: 'udp', port: 53 }],
      backends: [{ address: '100.1.2.3', ...backend }],
    }),
    of as ObservedNetwork,
    endpoints as readonly ObservedEndpoint[],
  );
const provider = (ProviderAddress: string) => ({ Type: 'ProviderAddress', Settings: { ProviderAddress } });
const document = (more: object = {}) => ({
  ID: remoteId,
  Name: 'remote_100.1.2.3',
  HostComputeNetwork: network.ID,
  IpConfigurations: [{ IpAddress: '100.1.2.3' }],
  MacAddress: '02-11-64-01-02-03',
  Flags: 1,
  SchemaVersion,
  ...more,
});

describe('the endpoint of a backend', () => {
  test('is the first one of several on this node', () => {
    const endpoints = [pod(remoteId, { Flags: 1 }), pod(ids[0]), pod(ids[1])];
    expect(endpointOf({}, network, endpoints)).toEqual([{ state: 'present', id: ids[0] }]);
    expect(endpointOf({}, network, endpoints.slice(0, 1))).toEqual([{ state: 'present', id: remoteId }]);
  });

  test.each([
    ['the configured one', { providerAddress: '10.0.0.9' }, [own], '10.0.0.9'],
    ["the network's own", {}, [own], '10.0.0.4'],
    [
      'that of a remote subnet',
      {},
      [route('RemoteSubnetRoute', '100.1.0.0/16', '10.0.0.5'), own],
      '10.0.0.5',
    ],
  ])('on an Overlay network has as its provider address %s', (_, backend, Policies, address) => {
    expect(endpointOf(backend, { ...network, Policies })).toEqual([
      { state: 'missing', id: remoteId, document: document({ Policies: [provider(address)] }) },
    ]);
  });

  test('on another network has no provider address, even if the network has one', () => {
    expect(endpointOf({}, { ...network, Type: 'L2Bridge', Policies: [own] })).toEqual([
      { state: 'missing', id: remoteId, document: document() },
    ]);
  });

  test('is refused on an Overlay network that has no provider address yet', () => {
    expect(() => endpointOf({})).toThrow(
      expect.objectContaining({
        code: 7,
        message:
          '/backends/0/providerAddress is missing, expected the address of the node that hosts 100.1.2.3',
        details: 'Overlay network "overlay" has no endpoint with this address and no provider address yet',
      }),
    );
  });

  test('is refused if a setting differs', () => {
    const foreign = pod(ids[1], { Flags: 1 });
    expect(() =>
      endpointOf({ macAddress: '00-15-5D-00-00-01', providerAddress: '10.0.0.6' }, network, [foreign]),
    ).toThrow(
      expect.objectContaining({
        code: 7,
        message:
          `/backends/0 is 100.1.2.3, but its remote endpoint ${ids[1]} differs: ` +
          'its MAC address is none, expected 00-15-5D-00-00-01; its provider address is none, expected 10.0.0.6',
        details: 'change the backend to match the endpoint, or delete the endpoint',
      }),
    );
  });
});

test('settings that a backend does not have are no difference, and MAC addresses match in any form', () => {
  const endpoint = document({ Policies: [provider('10.0.0.5')], MacAddress: '02:11:64:0a:02:03' });
  const backend = { address: '100.1.2.3' };
  expect(remoteDifferences(backend, endpoint)).toEqual([]);
  expect(remoteDifferences({ ...backend, macAddress: '02-11-64-0A-02-03' }, endpoint)).toEqual([]);
  expect(remoteDifferences({ ...backend, providerAddress: '10.0.0.5' }, endpoint)).toEqual([]);
});

test('a deleted remote endpoint is recreated with what the configuration of an endpoint has', () => {
  const created = document({ Policies: [provider('10.0.0.5')] }) as ObservedEndpoint;
  const observed = { ...created, HostComputeNamespace: '', State: 1, Routes: [], Health: {} };
  expect(recreationDocument(observed)).toEqual(created);
  const { Policies: _, IpConfigurations: __, MacAddress: ___, Flags: ____, ...bare } = created;
  expect(Object.keys(recreationDocument({ ...bare, Policies: [] }))).toEqual([
    'ID',
    'Name',
    'HostComputeNetwork',
    'SchemaVersion',
  ]);
});
