import { describe, expect, test } from 'vitest';
import { findLeftovers } from '../../../../src/cli/probe/leftovers.ts';
import { HcnInvalidResponse } from '../../../../src/hcn/errors.ts';
import type { Kind } from '../../../../src/hcn/guid.ts';
import type { Inventory } from '../../../../src/model/inventory.ts';

const SchemaVersion = { Major: 2, Minor: 0 };
const probeId = '77696e68-636e-4070-a072-6f6265000001';
const ids = {
  network: '11111111-0000-4000-8000-000000000001',
  endpoint: '22222222-0000-4000-8000-000000000002',
  namespace: '33333333-0000-4000-8000-000000000003',
  loadBalancer: '44444444-0000-4000-8000-000000000004',
};

/** An inventory with these objects. */
function inventoryOf(objects: Partial<Inventory>): Inventory {
  return { networks: [], endpoints: [], namespaces: [], loadBalancers: [], ...objects };
}

const network = (Name: string, ID = ids.network) => ({ ID, Name, Type: 'Private', SchemaVersion });
const endpoint = (Name: string, ID = ids.endpoint, HostComputeNamespace = '') => ({
  ID,
  Name,
  HostComputeNetwork: ids.network,
  HostComputeNamespace,
  SchemaVersion,
});
const namespace = (Type: string, endpoints: readonly string[], ID = ids.namespace) => ({
  ID,
  NamespaceId: Type === 'HostDefault' ? 1 : 0,
  Type,
  Resources: endpoints.map((Id) => ({ Type: 'Endpoint', Data: { Id } })),
  SchemaVersion,
});
const loadBalancer = (vip: string, HostComputeEndpoints: readonly string[], ID = ids.loadBalancer) => ({
  ID,
  HostComputeEndpoints,
  FrontendVIPs: [vip],
  PortMappings: [],
  SchemaVersion,
});
const unreadable = (kind: Kind, id: string) => ({
  kind,
  id,
  error: new HcnInvalidResponse('HCN returned nothing'),
});

/** Further IDs of probes. */
const other = (number: number) => `77696e68-636e-4070-a072-6f62650000${String(number).padStart(2, '0')}`;

const onAdapter = { Type: 'NetAdapterName', Settings: { NetworkAdapterName: 'vEthernet (Ethernet)' } };
const kinds: readonly Kind[] = ['Network', 'Endpoint', 'Namespace', 'LoadBalancer'];
const own = endpoint('win-hcn-probe-7');
const others = endpoint('web_l2bridge_eth0', '55555555-0000-4000-8000-000000000005');

describe('the objects of probes are', () => {
  test.each<[string, Partial<Inventory>, readonly object[]]>([
    [
      'a network with its endpoints, and the namespace and load balancer that have only these',
      {
        networks: [network('win-hcn-probe-1')],
        endpoints: [endpoint('', ids.endpoint, ids.namespace)],
        namespaces: [namespace('Host', [ids.endpoint])],
        loadBalancers: [loadBalancer('10.96.0.1', [ids.endpoint])],
      },
      [
        { kind: 'LoadBalancer', id: ids.loadBalancer },
        { kind: 'Endpoint', id: ids.endpoint, namespace: ids.namespace },
        { kind: 'Namespace', id: ids.namespace },
        { kind: 'Network', id: ids.network },
      ],
    ],
    [
      'a namespace by its ID',
      { namespaces: [namespace('Host', [], probeId)] },
      [{ kind: 'Namespace', id: probeId }],
    ],
    [
      'a load balancer on a frontend of probes whose endpoints are gone',
      { loadBalancers: [loadBalancer('192.0.2.9', [ids.endpoint])] },
      [{ kind: 'LoadBalancer', id: ids.loadBalancer }],
    ],
    [
      'one of each kind by its ID, whatever else it is',
      {
        networks: [network('l2bridge', probeId)],
        endpoints: [{ ...endpoint('web', other(2)), HostComputeNetwork: other(9) }],
        namespaces: [namespace('Host', [others.ID], other(3))],
        loadBalancers: [loadBalancer('10.96.0.1', [others.ID], other(4))],
      },
      [
        { kind: 'LoadBalancer', id: other(4) },
        { kind: 'Endpoint', id: other(2) },
        { kind: 'Namespace', id: other(3) },
        { kind: 'Network', id: probeId },
      ],
    ],
    [
      'those that could not be read, after the others of their kind',
      {
        networks: [network('win-hcn-probe-1')],
        endpoints: [endpoint('WIN-HCN-PROBE-2')],
        namespaces: [namespace('Host', [], other(3))],
        loadBalancers: [loadBalancer('10.96.0.1', [], other(4))],
        unreadable: kinds.flatMap((kind, index) => [
          unreadable(kind, other(10 + index)),
          unreadable(kind, ids.network),
        ]),
      },
      [
        { kind: 'LoadBalancer', id: other(4) },
        { kind: 'LoadBalancer', id: other(13) },
        { kind: 'Endpoint', id: ids.endpoint },
        { kind: 'Endpoint', id: other(11) },
        { kind: 'Namespace', id: other(3) },
        { kind: 'Namespace', id: other(12) },
        { kind: 'Network', id: ids.network },
        { kind: 'Network', id: other(10), adapter: '' },
      ],
    ],
    [
      'networks on adapters, with the name of the adapter if HNS returns one',
      {
        networks: [
          { ...network('win-hcn-probe-1'), Type: 'L2Bridge', Policies: [onAdapter] },
          { ...network('win-hcn-probe-2', other(2)), Type: 'Overlay' },
          { ...network('win-hcn-probe-3', other(3)), Type: 'nat', Policies: [onAdapter] },
        ],
      },
      [
        { kind: 'Network', id: ids.network, adapter: 'Ethernet' },
        { kind: 'Network', id: other(2), adapter: '' },
        { kind: 'Network', id: other(3) },
      ],
    ],
  ])('%s', (_, objects, expected) => {
    expect(findLeftovers(inventoryOf(objects))).toEqual(expected);
  });
});

describe('no object of a probe is', () => {
  test.each<[string, Partial<Inventory>]>([
    ['a network whose name only begins like one', { networks: [network('win-hcn-probe-backup')] }],
    [
      'a load balancer whose endpoint exists',
      { endpoints: [others], loadBalancers: [loadBalancer('192.0.2.9', [others.ID])] },
    ],
    [
      'a load balancer of which an endpoint exists',
      { endpoints: [others], loadBalancers: [loadBalancer('192.0.2.9', [others.ID, ids.endpoint])] },
    ],
    [
      'a load balancer on another address whose endpoints are gone',
      { loadBalancers: [loadBalancer('198.19.5.10', [ids.endpoint])] },
    ],
    [
      'a load balancer whose endpoint could not be read',
      {
        loadBalancers: [loadBalancer('192.0.2.9', [ids.endpoint])],
        unreadable: [unreadable('Endpoint', ids.endpoint)],
      },
    ],
    ['an object that could not be read', { unreadable: [unreadable('Network', ids.network)] }],
    [
      'a load balancer of which only one frontend is one of probes',
      {
        loadBalancers: [
          { ...loadBalancer('192.0.2.9', [ids.endpoint]), FrontendVIPs: ['192.0.2.9', '10.96.0.1'] },
        ],
      },
    ],
    [
      'a load balancer without frontends, or without any list of them',
      {
        loadBalancers: [
          { ...loadBalancer('', [ids.endpoint]), FrontendVIPs: [] },
          { ID: ids.loadBalancer, HostComputeEndpoints: [], PortMappings: [], SchemaVersion },
        ],
      },
    ],
    [
      'a namespace of containers, or without members',
      {
        namespaces: [
          { ID: ids.namespace, Resources: [{ Type: 'Container', Data: { Id: own.ID } }], SchemaVersion },
          { ID: ids.loadBalancer, SchemaVersion },
          { Resources: [{ Type: 'Endpoint', Data: {} }], SchemaVersion },
        ],
      },
    ],
    ['an empty namespace', { namespaces: [namespace('Host', [])] }],
  ])('%s', (_, objects) => {
    expect(findLeftovers(inventoryOf(objects))).toEqual([]);
  });

  test.each([
    ["the node's namespace", namespace('HostDefault', [own.ID])],
    ["a namespace with a pod's endpoint too", namespace('Host', [own.ID, others.ID])],
  ])('%s', (_, one) => {
    const found = findLeftovers(inventoryOf({ endpoints: [own, others], namespaces: [one] }));
    expect(found).toEqual([{ kind: 'Endpoint', id: own.ID }]);
  });
});
