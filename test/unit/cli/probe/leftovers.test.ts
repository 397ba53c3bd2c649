import { describe, expect, test } from 'vitest';
import { newHcnCalls } from '../../../../src/cli/probe/hcn-calls.ts';
import { findLeftovers, removeObjects } from '../../../../src/cli/probe/leftovers.ts';
import type { Inventory } from '../../../../src/model/inventory.ts';
import { smallHcn } from '../../hcn/small-hcn.ts';

const SchemaVersion = { Major: 2, Minor: 0 };
const probeId = '77696e68-636e-4070-a072-6f6265000001';
const ids = {
  network: '11111111-0000-4000-8000-000000000001',
  endpoint: '22222222-0000-4000-8000-000000000002',
  namespace: '33333333-0000-4000-8000-000000000003',
};

/** An inventory with these objects. */
function inventoryOf(objects: Partial<Inventory>): Inventory {
  return { networks: [], endpoints: [], namespaces: [], loadBalancers: [], ...objects };
}

const network = (Name: string, ID = ids.network, Type = 'Private') => ({ ID, Name, Type, SchemaVersion });
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

/** Further IDs of probes. */
const other = (number: number) => `77696e68-636e-4070-a072-6f626500000${number}`;

const own = endpoint('win-hcn-probe-7');
const others = endpoint('web_l2bridge_eth0', '55555555-0000-4000-8000-000000000005');

describe('the objects of probes are', () => {
  test.each<[string, Partial<Inventory>, readonly object[]]>([
    [
      'a network with its endpoints, and the namespace that has only these',
      {
        networks: [network('WIN-HCN-PROBE-1')],
        endpoints: [endpoint('', ids.endpoint, ids.namespace)],
        namespaces: [namespace('Host', [ids.endpoint])],
      },
      [
        { kind: 'Endpoint', id: ids.endpoint, namespace: ids.namespace },
        { kind: 'Namespace', id: ids.namespace },
        { kind: 'Network', id: ids.network, isExternal: false },
      ],
    ],
    [
      'one of each kind by its ID, whatever else it is',
      {
        networks: [network('l2bridge', probeId, 'L2Bridge')],
        endpoints: [{ ...endpoint('web', other(2)), HostComputeNetwork: other(9) }],
        namespaces: [namespace('Host', [others.ID], other(3))],
      },
      [
        { kind: 'Endpoint', id: other(2), namespace: undefined },
        { kind: 'Namespace', id: other(3) },
        { kind: 'Network', id: probeId, isExternal: true },
      ],
    ],
  ])('%s', (_, objects, expected) => {
    expect(findLeftovers(inventoryOf(objects))).toEqual(expected);
  });
});

test.each<[string, Partial<Inventory>]>([
  ['a network whose name only begins like one', { networks: [network('win-hcn-probe-backup')] }],
  [
    'a namespace of containers, or without members',
    {
      namespaces: [
        { ID: ids.namespace, Resources: [{ Type: 'Container', Data: { Id: own.ID } }], SchemaVersion },
        { ID: ids.network, SchemaVersion },
      ],
    },
  ],
])('no object of a probe is %s', (_, objects) => {
  expect(findLeftovers(inventoryOf({ ...objects }))).toEqual([]);
});

test.each([
  ["the node's namespace", namespace('HostDefault', [own.ID])],
  ["a namespace with a pod's endpoint too", namespace('Host', [own.ID, others.ID])],
])('no object of a probe is %s', (_, one) => {
  const found = findLeftovers(inventoryOf({ endpoints: [own, others], namespaces: [one] }));
  expect(found).toEqual([{ kind: 'Endpoint', id: own.ID, namespace: undefined }]);
});

test.each([1, 2])('network %s of two of an experiment remains: not all are deleted', async (kept) => {
  const networks = [1, 2].map((number) => network('', other(number)));
  const fault = (call: string) => (call === `delete Network ${other(kept)}` ? 0x80004005 : undefined);
  const calls = newHcnCalls(smallHcn({ networks, fault }).library);
  const opened = await Promise.all(networks.map(({ ID }) => calls.open('Network', ID)));
  const objects = opened.flatMap(({ value }) => value ?? []);
  expect(await removeObjects(objects, calls, async () => undefined)).toBe(false);
});

test('an object of an experiment is deleted under the ID that HNS chose', async () => {
  const { library, all } = smallHcn({ chooseId: () => ids.network });
  const hcn = newHcnCalls(library);
  const { value } = await hcn.create('Network', network('win-hcn-probe-1'), probeId);
  expect(await removeObjects(value === undefined ? [] : [value], hcn, async () => undefined)).toBe(true);
  expect(all('Network')).toEqual([]);
});
