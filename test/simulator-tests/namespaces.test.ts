import { beforeEach, describe, expect, it, test } from 'vitest';
import { endpoint, namespace } from '../simulator/computenetwork.ts';
import { zeroGuid } from '../simulator/object-id.ts';
import {
  create,
  createEndpoint,
  createNetwork,
  done,
  enumerate,
  hnsAroundEach,
  missingId,
  modify,
  nat,
  networkId,
  endpointId as pod,
  query,
  remove,
} from './test-client.ts';

const service = hnsAroundEach();
const container = '291cd4892b99';
let sandbox = '';

beforeEach(async () => {
  await createNetwork(nat, networkId);
  await createEndpoint(networkId, {}, pod);
  sandbox = service.hns.createNamespace();
});

function change(RequestType: string, EndpointId = pod, id = sandbox) {
  return modify(namespace, id, { ResourceType: 'Endpoint', RequestType, Settings: { EndpointId } });
}

describe('creating a namespace', () => {
  test.for([
    ['of type HostDefault', { Type: 'HostDefault' }, 'HostDefault', 'T hcnnamespace_test.go'],
    ['of type GuestDefault', { Type: 'GuestDefault' }, 'GuestDefault', 'T hcnnamespace_test.go'],
    ['of type Guest', { Type: 'Guest' }, 'Guest', 'T hcnnamespace_test.go'],
    ['with an ordinal as type', { Type: 3 }, 'GuestDefault', 'D'],
    ['with a NamespaceId, which is ignored', { NamespaceId: 5 }, 'Host', 'T hcnnamespace_test.go'],
  ] as const)('$0 succeeds any number of times [$3]', async ([, document, Type]) => {
    const created = [await create(namespace, document), await create(namespace, document)];
    expect(created).toMatchObject(Array(2).fill({ hresult: done, document: { Type } }));
    expect(await enumerate(namespace)).toEqual(expect.arrayContaining(created.map(({ id }) => id)));
  });
  it('returns this document [T]', async () => {
    expect((await query(namespace, sandbox)).document).toEqual({
      ID: sandbox,
      NamespaceId: 0,
      NamespaceGuid: sandbox,
      Type: 'Host',
      SchemaVersion: { Major: 2, Minor: 0 },
    });
  });
});

describe("the host's namespace", () => {
  it('is of type HostDefault, in compartment 1, and V1 shows it as the default [O calico#8465, S nvx]', async () => {
    const ids = await enumerate(namespace);
    const v2 = await Promise.all(ids.map((id) => query(namespace, id)));
    const v1 = await Promise.all(ids.map((id) => query(namespace, id, null)));
    expect(v2.filter(({ document }) => document['Type'] === 'HostDefault')).toMatchObject([
      { document: { NamespaceId: 1 } },
    ]);
    expect(v1.filter(({ document }) => document['IsDefault'])).toMatchObject([
      { document: { CompartmentId: 1, IsDefault: true } },
    ]);
  });
});

describe('a compartment', () => {
  it('is missing until a container starts [O Windows-Containers#401, calico#8465]', async () => {
    await change('Add');
    const { document } = await query(namespace, sandbox, null);
    expect(document).toMatchObject({ CompartmentId: 0, IsDefault: false });
    expect(document).not.toHaveProperty('CompartmentGuid');
  });
  it('is created by the first container; V1 shows both [O Windows-Containers#485]', async () => {
    service.hns.attachContainer(sandbox, container);
    expect((await query(namespace, sandbox, null)).document).toMatchObject({
      CompartmentId: 2,
      CompartmentGuid: sandbox.toUpperCase(),
      Containers: [container],
    });
  });
  test.each([['true [S terway utils.go]', true, ['HostDefault']]])(
    'is found by the filter IsDefault, %s',
    async (_, IsDefault, types) => {
      const found = await enumerate(namespace, { IsDefault });
      const answers = await Promise.all(found.map((id) => query(namespace, id)));
      expect(answers.map(({ document }) => document['Type'])).toEqual(types);
    },
  );
});

describe('an endpoint', () => {
  it('is attached and detached, and names its namespace meanwhile [T, S azure-container-networking#1272]', async () => {
    const attached = await change('Add', pod.toUpperCase());
    expect(attached.document).toMatchObject({
      Resources: [{ Type: 'Endpoint', Data: { Id: pod.toUpperCase() } }],
    });
    expect((await query(endpoint, pod)).document).toMatchObject({ HostComputeNamespace: sandbox });
    expect((await change('Remove')).document).not.toHaveProperty('Resources');
    expect((await query(endpoint, pod)).document).toMatchObject({ HostComputeNamespace: zeroGuid });
  });
  it('has an upper-case id in V1 resources [O Windows-Containers#485]', async () => {
    await change('Add');
    expect((await query(namespace, sandbox, null)).document['ResourceList']).toEqual([
      { Data: { Id: pod.toUpperCase() }, Type: 'Endpoint' },
    ]);
  });
  it('is refused while it is in this or another namespace [D HCNHResult.md]', async () => {
    await change('Add');
    for (const id of [sandbox, service.hns.createNamespace()]) {
      expect(await change('Add', pod, id)).toMatchObject({
        hresult: '0x803B002B',
        error: 'This requested operation is invalid as endpoint is already part of a network namespace. ',
      });
    }
  });
  it('can be deleted while a container is in the namespace, but not removed [S azure-container-networking#1272, O Windows-Containers#485]', async () => {
    await change('Add');
    service.hns.attachContainer(sandbox, container);
    expect(await change('Remove')).toMatchObject({
      hresult: '0x803B0015',
      error: 'The specified request is unsupported. ',
    });
    expect(await remove(endpoint, pod)).toBe(done);
    const Resources = [{ Type: 'Container', Data: { Id: container } }];
    expect((await query(namespace, sandbox)).document['Resources']).toEqual(Resources);
  });
});

describe('deleting a namespace', () => {
  it('is refused until its containers have ended, which ends the compartment [O Windows-Containers#485]', async () => {
    await change('Add');
    service.hns.attachContainer(sandbox, container);
    expect((await query(namespace, sandbox)).document).toMatchObject({
      NamespaceId: 2,
      Resources: [
        { Type: 'Container', Data: { Id: container } },
        { Type: 'Endpoint', Data: { Id: pod.toUpperCase() } },
      ],
    });
    expect(await remove(namespace, sandbox)).toBe('0x803B0015');
    service.hns.detachContainer(sandbox, container);
    expect((await query(namespace, sandbox)).document).toMatchObject({ NamespaceId: 0 });
    expect(await remove(namespace, sandbox)).toBe(done);
  });
  it('returns ERROR_NOT_FOUND if it is missing, as a query does [T hcnerrors_test.go]', async () => {
    await remove(namespace, sandbox);
    expect(await remove(namespace, sandbox)).toBe('0x80070490');
    expect(await query(namespace, missingId)).toMatchObject({
      hresult: '0x80070490',
      error: 'Element not found. ',
    });
  });
  it('the zero GUID of unattached endpoints is not a namespace [O antrea#2306]', async () => {
    expect((await query(namespace, zeroGuid)).hresult).toBe('0x80070490');
  });
});
