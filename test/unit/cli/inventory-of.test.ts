import { expect, test } from 'vitest';
import type { HcnObjects } from '../../../src/cli/collect/hcn-objects.ts';
import { inventoryOf } from '../../../src/cli/collect/inventory-of.ts';
import { endpointRows } from '../../../src/cli/inventory/endpoint-row.ts';
import type { Kind } from '../../../src/hcn/library.ts';

const guid = (number: number) => `0000000${number}-0000-0000-0000-000000000000`;
const [network, endpoint, namespace, broken] = [1, 2, 3, 4].map(guid) as [string, string, string, string];
const documents = (...objects: readonly object[]): HcnObjects => ({
  documents: objects.map((object) => ({
    id: String(Object.values(object)[0]),
    json: JSON.stringify(object),
  })),
  missing: [],
});
const policies = [{ Type: 'Encryption', Settings: { Key: 'hunter2' } }];
const objects: Readonly<Record<Kind, HcnObjects>> = {
  Network: documents({ ID: network, Name: 'l2bridge', Policies: policies }, { ID: broken, Name: 5 }),
  Endpoint: documents({
    ID: endpoint,
    Name: 'c0ffee_l2bridge',
    HostComputeNetwork: network,
    HostComputeNamespace: namespace,
  }),
  Namespace: { documents: [], missing: [{ id: namespace, error: new Error('access is denied') }] },
  LoadBalancer: documents(),
};
const { inventory, problems } = await inventoryOf(async (kind) => objects[kind]);

test('an inventory has no secrets', () => {
  expect(inventory.networks.map(({ Policies }) => Policies)).toEqual([
    [{ Type: 'Encryption', Settings: { Key: '<redacted>' } }],
  ]);
});

test('a document that cannot be read is not in it, and a problem', () => {
  expect(problems).toEqual([`Network ${broken}: HCN returned 5 for Name, expected a string`]);
});

test('an endpoint in a namespace that HCN does not show is not stale', () => {
  expect(inventory.unreadable?.map(({ kind, id }) => [kind, id])).toEqual([
    ['Network', broken],
    ['Namespace', namespace],
  ]);
  expect(endpointRows(inventory).map(({ stale }) => stale)).toEqual([undefined]);
});
