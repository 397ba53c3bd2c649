import { expect, test } from 'vitest';
import {
  type HcnObjects,
  problemsOf,
  queryObjects,
  readInventory,
} from '../../../../src/cli/collect/hcn-collectors.ts';
import { endpointRows } from '../../../../src/cli/inventory/endpoint-row.ts';
import type { Kind } from '../../../../src/hcn/guid.ts';
import { hresultOf } from '../../../../src/hcn/hresults.ts';
import type { ComputeNetworkLibrary, Handle, HcnResponse } from '../../../../src/hcn/library.ts';

const ids = [1, 2, 3].map((number) => `0000000${number}-0000-0000-0000-000000000000`);
const [gone] = ids;

/** HCN with three load balancers; the first one is deleted after HCN listed it. */
const library: Pick<ComputeNetworkLibrary, 'enumerate' | 'open' | 'query'> = {
  enumerate: async () => answer(JSON.stringify(ids)),
  open: async <K extends Kind>(kind: K, id: string): Promise<HcnResponse<Handle<K>>> => ({
    ...answer({ kind, id, pointer: undefined }),
    hresult: id === gone ? hresultOf('HCN_E_POLICY_NOT_FOUND') : 0,
  }),
  query: async ({ id }) => answer(`{"ID":"${id}"}`),
};

function answer<T>(value: T): HcnResponse<T> {
  return { hresult: 0, value, errorRecord: undefined };
}

const json = (id: string | undefined) => ({ id, json: `{"ID":"${id}"}` });

test('an object that is deleted meanwhile is omitted', async () => {
  expect(await queryObjects(library, 'LoadBalancer', () => true)).toEqual({
    documents: [json(ids[1]), json(ids[2])],
    missing: [],
  });
});

test('objects are queried until the time limit is reached', async () => {
  let calls = 0;
  const hasTime = () => {
    calls += 1;
    return calls <= 2;
  };
  const found = await queryObjects(library, 'LoadBalancer', hasTime);
  expect(found.documents).toEqual([json(ids[1])]);
  expect(found.missing.map(({ id }) => id)).toEqual([ids[2]]);
  expect(problemsOf(found)).toEqual(['skipped 1 of 2: time limit reached']);
});

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
  Network: documents({ ID: network, Name: 'l2bridge', Policies: policies }, { ID: broken, Type: 5 }),
  Endpoint: documents({
    ID: endpoint,
    Name: 'c0ffee_l2bridge',
    HostComputeNetwork: network,
    HostComputeNamespace: namespace,
  }),
  Namespace: { documents: [], missing: [{ id: namespace, error: new Error('access is denied') }] },
  LoadBalancer: documents(),
};
const { inventory, problems } = await readInventory(async (kind) => objects[kind]);

test('the inventory contains no secrets', () => {
  expect(inventory.networks.map(({ Policies }) => Policies)).toEqual([
    [{ Type: 'Encryption', Settings: { Key: '<redacted>' } }],
  ]);
});

test('a document that cannot be read is a problem', () => {
  expect(problems).toEqual([`Network ${broken}: HCN returned 5 for Type, expected a string`]);
});

test('an endpoint in a namespace that cannot be read is not stale', () => {
  expect(inventory.unreadable?.map(({ kind, id }) => [kind, id])).toEqual([
    ['Network', broken],
    ['Namespace', namespace],
  ]);
  expect(endpointRows(inventory).map(({ stale }) => stale)).toEqual([undefined]);
});
