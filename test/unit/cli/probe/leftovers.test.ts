import { describe, expect, test } from 'vitest';
import { findLeftovers } from '../../../../src/cli/probe/leftovers.ts';
import { HcnInvalidResponse } from '../../../../src/hcn/errors.ts';
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
const unreadable = (kind: 'Endpoint' | 'Network', id: string) => ({
  kind,
  id,
  error: new HcnInvalidResponse('HCN returned nothing'),
});

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
      'an object that could not be read, by its ID',
      { unreadable: [unreadable('Network', probeId)] },
      [{ kind: 'Network', id: probeId }],
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
