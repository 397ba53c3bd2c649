import { describe, expect, test } from 'vitest';
import { readLoadBalancer } from '../../../src/config/load-balancer-config.ts';
import type {
  HostComputeLoadBalancer,
  ObservedEndpoint,
  ObservedLoadBalancer,
} from '../../../src/hcn/documents.ts';
import { loadBalancerId } from '../../../src/model/identity.ts';
import { requiredLoadBalancerFeatures } from '../../../src/plan/features.ts';
import {
  isSameLoadBalancer,
  type LoadBalancerState,
  loadBalancerDocument,
  planLoadBalancer,
  planLoadBalancerDeletion,
} from '../../../src/plan/load-balancer.ts';

const SchemaVersion = { Major: 2, Minor: 0 };
const overlay = {
  ID: '22222222-2222-3333-4444-555555555555',
  Name: 'overlay',
  Type: 'Overlay',
  SchemaVersion,
};
const l2bridge = { ...overlay, Type: 'L2Bridge' };
const pod: ObservedEndpoint = {
  ID: 'fd6bec0f-7b88-4b61-b5af-70897ab0960b',
  Name: 'pod',
  HostComputeNetwork: overlay.ID,
  IpConfigurations: [{ IpAddress: '192.168.1.2', PrefixLength: 16 }],
  SchemaVersion,
};
const remoteId = '2ad7f5c6-2d9c-5c02-9c49-f576a9a78526';
const remoteDocument = {
  ID: remoteId,
  Name: 'remote_100.1.2.3',
  HostComputeNetwork: overlay.ID,
  Policies: [{ Type: 'ProviderAddress', Settings: { ProviderAddress: '10.0.0.5' } }],
  IpConfigurations: [{ IpAddress: '100.1.2.3' }],
  MacAddress: '02-11-64-01-02-03',
  Flags: 1,
  SchemaVersion,
};
/** The endpoint as HCN returns it. */
const remote: ObservedEndpoint = {
  ...remoteDocument,
  HostComputeNamespace: '00000000-0000-0000-0000-000000000000',
  Routes: [],
  Dns: { Search: [] },
  Health: { Data: { LastErrorCode: 0 } },
};
const read = (changes: object = {}) =>
  readLoadBalancer({
    name: 'dns',
    network: 'overlay',
    frontendVIPs: ['10.96.0.10'],
    ports: [{ protocol: 'udp', port: 53 }],
    backends: ['192.168.1.2'],
    ...changes,
  });
const id = loadBalancerId('dns');
const document = (HostComputeEndpoints: readonly string[]): HostComputeLoadBalancer => ({
  HostComputeEndpoints,
  FrontendVIPs: ['10.96.0.10'],
  PortMappings: [{ Protocol: 17, InternalPort: 53, ExternalPort: 53 }],
  SchemaVersion,
});
const observed = (HostComputeEndpoints: readonly string[], ID = id): ObservedLoadBalancer => ({
  ...document(HostComputeEndpoints),
  ID,
});

describe("a load balancer's document", () => {
  test('omits default values', () => {
    expect(loadBalancerDocument(read({ frontendVIPs: [] }), [pod.ID])).toEqual({
      HostComputeEndpoints: ['fd6bec0f-7b88-4b61-b5af-70897ab0960b'],
      PortMappings: [{ Protocol: 17, InternalPort: 53, ExternalPort: 53 }],
      SchemaVersion: { Major: 2, Minor: 0 },
    });
  });

  test('encodes all settings as HCN numbers', () => {
    const config = read({
      frontendVIPs: ['fd00:96::10', 'fd00:96::11'],
      sourceVIP: 'fd00::1',
      sessionAffinity: 'SourceIP',
      directServerReturn: true,
      internalLoadBalancer: true,
      localRoutedVip: true,
      preserveDip: true,
      ports: [
        { protocol: 'tcp', port: '8080-8081', targetPort: '80-81' },
        { protocol: 'udp', port: 53 },
      ],
      backends: ['fd00:192::2'],
    });
    expect(loadBalancerDocument(config, [pod.ID])).toEqual({
      HostComputeEndpoints: ['fd6bec0f-7b88-4b61-b5af-70897ab0960b'],
      SourceVIP: 'fd00::1',
      FrontendVIPs: ['fd00:96::10', 'fd00:96::11'],
      PortMappings: [
        { Protocol: 6, InternalPort: 80, ExternalPort: 8080, DistributionType: 2, Flags: 11 },
        { Protocol: 6, InternalPort: 81, ExternalPort: 8081, DistributionType: 2, Flags: 11 },
        { Protocol: 17, InternalPort: 53, ExternalPort: 53, DistributionType: 2, Flags: 11 },
      ],
      Flags: 3,
      SchemaVersion: { Major: 2, Minor: 0 },
    });
  });

  test.each([
    ['directServerReturn', { directServerReturn: true }, { Flags: 1 }],
    ['an IPv6 address', { frontendVIPs: ['fd00:96::10'], backends: ['fd00::2'] }, { Flags: 2 }],
    ['internalLoadBalancer', { internalLoadBalancer: true }, { PortMappings: [{ Flags: 1 }] }],
    ['localRoutedVip', { localRoutedVip: true }, { PortMappings: [{ Flags: 2 }] }],
    ['preserveDip', { preserveDip: true }, { PortMappings: [{ Flags: 8 }] }],
    ['an affinity', { sessionAffinity: 'SourceIPProtocol' }, { PortMappings: [{ DistributionType: 1 }] }],
  ])('encodes %s', (_, changes, expected) => {
    expect(loadBalancerDocument(read(changes), [pod.ID])).toMatchObject(expected);
  });

  test('is equivalent in another order and case, with or without default values', () => {
    const one: HostComputeLoadBalancer = {
      HostComputeEndpoints: [pod.ID, remoteId],
      FrontendVIPs: ['10.96.0.10', '10.96.0.11'],
      PortMappings: [
        { Protocol: 6, InternalPort: 80, ExternalPort: 80 },
        { Protocol: 17, InternalPort: 53, ExternalPort: 53 },
      ],
      SchemaVersion,
    };
    const other: HostComputeLoadBalancer = {
      HostComputeEndpoints: [remoteId.toUpperCase(), pod.ID],
      FrontendVIPs: ['10.96.0.11', '10.96.0.10'],
      PortMappings: [
        { Protocol: 17, InternalPort: 53, ExternalPort: 53, DistributionType: 0, Flags: 0 },
        { Protocol: 6, InternalPort: 80, ExternalPort: 80 },
      ],
      Flags: 0,
      SchemaVersion,
    };
    expect(isSameLoadBalancer(one, other)).toBe(true);
  });

  test.each([
    ['endpoint', { HostComputeEndpoints: [pod.ID, remoteId] }],
    ['VIP', { FrontendVIPs: [] }],
    ['source VIP', { SourceVIP: '192.168.0.2' }],
    ['flag', { Flags: 1 }],
    ['port', { PortMappings: [{ Protocol: 17, InternalPort: 5353, ExternalPort: 53 }] }],
    [
      'affinity',
      { PortMappings: [{ Protocol: 17, InternalPort: 53, ExternalPort: 53, DistributionType: 2 }] },
    ],
  ])('is not equivalent with another %s', (_, changes) => {
    expect(isSameLoadBalancer(document([pod.ID]), { ...document([pod.ID]), ...changes })).toBe(false);
  });
});

describe('the plan of a load balancer', () => {
  const base: LoadBalancerState = { network: overlay, endpoints: [pod], loadBalancer: undefined };
  const plan = (config: object, state: Partial<LoadBalancerState> = {}) =>
    planLoadBalancer(read(config), { ...base, ...state });
  const create = (...endpoints: readonly string[]) => ({
    do: 'create load balancer',
    id,
    document: document(endpoints),
  });
  const remove = (...endpoints: readonly string[]) => ({
    do: 'delete load balancer',
    id,
    previous: document(endpoints),
  });
  const createRemote = { do: 'create remote endpoint', id: remoteId, document: remoteDocument };
  const deleteRemote = { do: 'delete remote endpoint', id: remoteId, previous: remoteDocument };
  const backendOn = (providerAddress: string) => [{ address: '100.1.2.3', providerAddress }];
  const foreign = { ...remote, ID: 'e446032f-bbf7-4b5a-880f-667bebc65501', Name: '' };

  test.each<[string, object, Partial<LoadBalancerState>, readonly object[]]>([
    ['uses an existing endpoint of the network', {}, {}, [create(pod.ID)]],
    [
      'creates a remote endpoint for a backend without an endpoint on the network',
      { backends: ['192.168.1.2', ...backendOn('10.0.0.5')] },
      {},
      [createRemote, create(pod.ID, remoteId)],
    ],
    [
      'needs no provider address on other networks, and uses the configured MAC address',
      { backends: [{ address: '100.1.2.3', macAddress: '00:15:5d:00:00:01' }] },
      { network: l2bridge },
      [
        {
          do: 'create remote endpoint',
          id: remoteId,
          document: {
            ID: remoteId,
            Name: 'remote_100.1.2.3',
            HostComputeNetwork: overlay.ID,
            IpConfigurations: [{ IpAddress: '100.1.2.3' }],
            MacAddress: '00-15-5D-00-00-01',
            Flags: 1,
            SchemaVersion,
          },
        },
        create(remoteId),
      ],
    ],
    [
      'prefers the endpoint on this node if two have the address',
      {},
      { endpoints: [{ ...pod, ID: remoteId, Flags: 1 }, pod] },
      [create(pod.ID)],
    ],
    [
      'recognizes a remote endpoint by its flag, even with other flags set',
      {},
      { endpoints: [{ ...pod, ID: remoteId, Flags: 3 }, pod] },
      [create(pod.ID)],
    ],
    [
      'is empty if HNS returns the MAC address of a backend in another notation',
      { backends: [{ address: '100.1.2.3', macAddress: '02-11-64-01-02-03', providerAddress: '10.0.0.5' }] },
      { endpoints: [{ ...remote, MacAddress: '02:11:64:01:02:03' }], loadBalancer: observed([remoteId]) },
      [],
    ],
    ['is empty if the load balancer is as configured', {}, { loadBalancer: observed([pod.ID]) }, []],
  ])('%s', (_, config, state, steps) => {
    expect(plan(config, state)).toEqual(steps);
  });

  test('creates a remote endpoint if only an endpoint of another network has the address', () => {
    const elsewhere = { ...pod, HostComputeNetwork: foreign.ID };
    expect(plan({}, { network: l2bridge, endpoints: [elsewhere] })).toMatchObject([
      { do: 'create remote endpoint', document: { IpConfigurations: [{ IpAddress: '192.168.1.2' }] } },
      { do: 'create load balancer' },
    ]);
  });

  test.each([
    ['has another backend', { backends: ['100.1.2.3'] }, [pod, remote], [pod.ID]],
    ['refers to a deleted endpoint', {}, [pod], [pod.ID, remoteId]],
  ])('refuses a load balancer that %s', (_, config, endpoints, ids) => {
    expect(() => plan(config, { endpoints, loadBalancer: observed(ids) })).toThrow(
      expect.objectContaining({
        code: 7,
        message: `load balancer "dns" (${id}) exists and differs from the configuration`,
        details: `delete it with win-hcn debug loadbalancer delete dns --yes and apply the file again; win-hcn show loadbalancer ${id} shows its settings`,
      }),
    );
  });

  test('refuses a backend whose remote endpoint differs', () => {
    const backends = [{ address: '100.1.2.3', macAddress: '02-11-00-00-00-01', providerAddress: '10.0.0.6' }];
    expect(() => plan({ backends }, { endpoints: [remote] })).toThrow(
      expect.objectContaining({
        code: 7,
        message:
          `/backends/0 is 100.1.2.3, but its remote endpoint ${remoteId} differs: ` +
          'its MAC address is 02-11-64-01-02-03, expected 02-11-00-00-00-01; its provider address is 10.0.0.5, expected 10.0.0.6',
        details: 'change the backend to match the endpoint, or delete the endpoint',
      }),
    );
  });

  test('of a deletion includes the remote endpoints that only the load balancer uses', () => {
    const current = observed([pod.ID, remoteId]);
    expect(planLoadBalancerDeletion(current, [pod, remote], [])).toEqual([
      remove(pod.ID, remoteId),
      deleteRemote,
    ]);
    expect(
      planLoadBalancerDeletion(current, [pod, remote], [observed([remoteId], loadBalancerId('other'))]),
    ).toHaveLength(1);
  });
});

describe('the features a load balancer requires', () => {
  test('are none by default', () => {
    expect(requiredLoadBalancerFeatures(read())).toEqual([]);
  });

  test('are listed with the setting that needs them', () => {
    const config = read({
      frontendVIPs: [],
      backends: ['fd00:192::2'],
      directServerReturn: true,
      sessionAffinity: 'SourceIP',
    });
    expect(requiredLoadBalancerFeatures(config)).toEqual([
      { feature: 'DSR', at: '/directServerReturn' },
      { feature: 'SessionAffinity', at: '/sessionAffinity' },
      { feature: 'IPv6DualStack', at: '/backends/0' },
    ]);
    expect(
      requiredLoadBalancerFeatures(read({ frontendVIPs: ['fd00:96::10'], backends: ['fd00:192::2'] })),
    ).toEqual([{ feature: 'IPv6DualStack', at: '/frontendVIPs/0' }]);
  });
});
