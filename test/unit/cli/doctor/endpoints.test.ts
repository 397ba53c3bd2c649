import { describe, expect, test } from 'vitest';
import { backends, duplicateAddresses, staleEndpoints } from '../../../../src/cli/doctor/checks/endpoints.ts';
import type { ObservedNetwork } from '../../../../src/hcn/documents.ts';
import { endpointId, endpointName, networkId } from '../../../../src/model/identity.ts';
import { bridge, diagnosed, endpoint, node, pods, SchemaVersion, second, withAddress } from './snapshot.ts';

/** The diagnosis of one endpoint with the same address on each network. */
function duplicates(...networks: readonly ObservedNetwork[]): readonly string[] {
  const endpoints = networks.map(({ ID, Name }) =>
    withAddress(Name, '10.244.1.2', { HostComputeNetwork: ID }),
  );
  const given = node({ networks: [...networks], endpoints });
  return diagnosed(duplicateAddresses, given);
}

describe('addresses', () => {
  test('fail if endpoints of this node share one on two networks of one adapter', () => {
    expect(duplicates(pods, second('L2Bridge'))).toEqual([
      'FAIL several endpoints of this node have 10.244.1.2: fd6bec0f on "pods", fd6bec0f on "second" | see: win-hcn show ip 10.244.1.2',
    ]);
  });

  test.each<[string, ObservedNetwork, ObservedNetwork]>([
    ['with different VLANs', bridge('one', 7), bridge('other', 8)],
    ['of different adapters', pods, second('L2Bridge', { adapter: 'Ethernet 2' })],
  ])('pass on networks %s', (_, ...networks) => {
    expect(duplicates(...networks)).toEqual(['PASS 2 addresses, no duplicates']);
  });

  test('pass for a remote endpoint on another network of the adapter', () => {
    const endpoints = [
      withAddress('local', '10.244.1.7'),
      withAddress('remote', '10.244.1.7', { HostComputeNetwork: networkId('second'), Flags: 1 }),
    ];
    const given = node({ networks: [pods, second('L2Bridge')], endpoints });
    expect(duplicateAddresses.diagnose(given)).toMatchObject([{ verdict: 'PASS' }]);
  });

  test('fail if two endpoints of this node share one on the same network', () => {
    const endpoints = [
      withAddress('a', '10.244.1.7'),
      withAddress('b', '10.244.1.7'),
      withAddress('c', '10.244.1.7', { HostComputeNetwork: networkId('other') }),
    ];
    expect(diagnosed(duplicateAddresses, node({ endpoints }))).toEqual([
      'FAIL several endpoints of this node have 10.244.1.7: fd6bec0f on "pods", fd6bec0f on "pods" | see: win-hcn show ip 10.244.1.7',
    ]);
  });
});

test('three of many leftovers are listed', () => {
  const endpoints = ['1', '2', '3', '4', '5'].map((id) => endpoint(id, { Flags: 1 }));
  expect(diagnosed(staleEndpoints, node({ endpoints }))).toEqual([
    'WARN 5 leftovers (0 of win-hcn): fd6bec0f, no load balancer refers to it; fd6bec0f, no load balancer refers to it; fd6bec0f, no load balancer refers to it and 2 more | see: win-hcn gc --other-plugins',
  ]);
});

const attachment = { containerId: 'gone', ifname: 'eth0', network: pods.Name };
const ours = endpoint('', { ID: endpointId(attachment), Name: endpointName(attachment) });
const theirs = endpoint('2', { Name: 'c0ffee_pods', State: 1 });

test.each([
  [
    'of win-hcn',
    [ours],
    'WARN 1 leftover (1 of win-hcn): 0651ec30 (container gone), in no namespace | fix: win-hcn gc --yes | see: win-hcn gc --other-plugins',
  ],
  [
    'of another plugin',
    [theirs],
    'WARN 1 leftover (0 of win-hcn): fd6bec0f (container c0ffee), in no namespace | see: win-hcn gc --other-plugins',
  ],
])('leftovers %s have the commands that list and delete them', (_, endpoints, expected) => {
  expect(diagnosed(staleEndpoints, node({ endpoints }))).toEqual([expected]);
});

const backend = withAddress('b', '10.244.1.7');
const loadBalancer = (...HostComputeEndpoints: readonly string[]) => ({
  ID: '8b3e4d5c-6f70-4182-8c9d-1e2f3a4b5c61',
  HostComputeEndpoints,
  FrontendVIPs: ['10.96.0.77'],
  PortMappings: [{ Protocol: 6, InternalPort: 8080, ExternalPort: 80 }],
  SchemaVersion,
});
const missing = '7a2d3c4b-5e6f-4071-9b8c-0d1e2f3a4b54';

const diagnose = (given: Parameters<typeof node>[0]) => diagnosed(backends, node(given));

test('a node without load balancers has no finding', () => {
  expect(diagnose({})).toEqual([]);
});

test('load balancers whose backends exist pass', () => {
  expect(diagnose({ endpoints: [backend], loadBalancers: [loadBalancer(backend.ID)] })).toEqual([
    'PASS 1 load balancer, all backends exist',
  ]);
});

test('a load balancer with a missing backend is a warning', () => {
  expect(diagnose({ endpoints: [backend], loadBalancers: [loadBalancer(backend.ID, missing)] })).toEqual([
    'WARN 8b3e4d5c (10.96.0.77 80->8080/tcp) has a backend that does not exist: 7a2d3c4b | see: win-hcn show loadbalancer 8b3e4d5c',
  ]);
});

test('a backend that cannot be read may exist', () => {
  const unreadable = [{ kind: 'Endpoint' as const, id: missing, error: new Error('unreadable') }];
  expect(diagnose({ loadBalancers: [loadBalancer(missing)], unreadable })).toEqual([]);
});
