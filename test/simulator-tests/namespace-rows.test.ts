import { beforeEach, describe, expect, it, test } from 'vitest';
import { endpoint, namespace } from '../simulator/computenetwork.ts';
import { zeroGuid } from '../simulator/object-id.ts';
import {
  create,
  createEndpoint,
  createNetwork,
  enumerate,
  hnsAroundEach,
  modify,
  nat,
  query,
  remove,
} from './test-client.ts';

const service = hnsAroundEach();
const network = '3c6fab4d-6191-4171-a627-dd46f8c2e392';
const pod = '8b1c4a52-0c39-4b8f-a1f7-3f4a2d9e6b01';
const container = '291cd4892b99';
let sandbox = '';

beforeEach(async () => {
  await createNetwork(nat, network);
  await createEndpoint(network, {}, pod);
  sandbox = service.hns.createNamespace();
});

function request(RequestType: string, id = sandbox) {
  return modify(namespace, id, { ResourceType: 'Endpoint', RequestType, Settings: { EndpointId: pod } });
}

describe('creating', () => {
  test.each([
    ['HostDefault', 'T hcnnamespace_test.go'],
    ['GuestDefault', 'T hcnnamespace_test.go'],
    ['Host', 'S hcsoci/network.go'],
    ['Guest', 'T hcnnamespace_test.go'],
  ])('$0 namespaces are created any number of times [$1]', async (Type) => {
    const made = [await create(namespace, { Type }), await create(namespace, { Type })];
    expect(made).toMatchObject([{ document: { Type } }, { document: { Type } }]);
    expect(await enumerate(namespace)).toEqual(expect.arrayContaining(made.map(({ id }) => id)));
  });
  it('needs no Type: hcsshim, psm1 and containerd leave it out [S hcn.NewNamespace, hns.v2.psm1]', async () => {
    expect((await create(namespace, {})).document['Type']).toBe('Host');
  });
  it('does not validate NamespaceId [T hcnnamespace_test.go]', async () => {
    const made = [await create(namespace, { NamespaceId: 5 }), await create(namespace, { NamespaceId: 5 })];
    expect(made.map(({ hresult }) => hresult)).toEqual(['0x00000000', '0x00000000']);
  });
});

describe('a compartment', () => {
  it('is missing until a container starts [O Windows-Containers#401, calico#8465]', async () => {
    await request('Add');
    const { document } = await query(namespace, sandbox, null);
    expect(document).toMatchObject({ CompartmentId: 0, IsDefault: false });
    expect(document).not.toHaveProperty('CompartmentGuid');
  });
  it('comes with the first container, and V1 names both [O Windows-Containers#485]', async () => {
    service.hns.attachContainer(sandbox, container);
    expect((await query(namespace, sandbox, null)).document).toMatchObject({
      CompartmentId: 2,
      CompartmentGuid: sandbox.toUpperCase(),
      Containers: [container],
    });
  });
  it('is not made by a Guest namespace, whose containers have a virtual machine [S hcsshim#1048, I]', async () => {
    const guest = service.hns.createNamespace('Guest');
    service.hns.attachContainer(guest, container);
    expect((await query(namespace, guest)).document['NamespaceId']).toBe(0);
  });
  it('1 is that of the system, whose namespace is the default [S nvx, O calico#8465]', async () => {
    const answers = await Promise.all((await enumerate(namespace)).map((id) => query(namespace, id, null)));
    const defaults = answers.filter(({ document }) => document['IsDefault']);
    expect(defaults).toMatchObject([{ document: { CompartmentId: 1, IsDefault: true } }]);
  });
  test.each([
    ['true [S terway utils.go]', true, ['HostDefault']],
    ['the text "true" [I]', 'true', ['HostDefault']],
    ['false [I]', false, ['Host']],
    ['the text "False" [I]', 'False', ['Host']],
  ])('is found by the filter IsDefault, %s', async (_, IsDefault, types) => {
    const found = await enumerate(namespace, { IsDefault });
    const answers = await Promise.all(found.map((id) => query(namespace, id)));
    expect(answers.map(({ document }) => document['Type'])).toEqual(types);
  });
});

describe('an endpoint', () => {
  it('in the namespace of the system is attached to the host [C nvx]', async () => {
    const system = service.hns.dump().namespaces.find(({ NamespaceId }) => NamespaceId === 1);
    expect((await request('Add', String(system?.['ID']))).hresult).toBe('0x00000000');
  });
  it('is in its V1 resources in upper case [O Windows-Containers#485]', async () => {
    await request('Add');
    expect((await query(namespace, sandbox, null)).document['ResourceList']).toEqual([
      { Data: { Id: pod.toUpperCase() }, Type: 'Endpoint' },
    ]);
  });
  it('knows its namespace until it is removed, as Azure CNI reads it [S azure-container-networking#1272]', async () => {
    await request('Add');
    expect((await query(endpoint, pod)).document['HostComputeNamespace']).toBe(sandbox);
    await request('Remove');
    expect((await query(endpoint, pod)).document['HostComputeNamespace']).toBe(zeroGuid);
  });
  it('in another namespace is refused [D HCNHResult.md]', async () => {
    await request('Add');
    expect(await request('Add', service.hns.createNamespace())).toMatchObject({
      hresult: '0x803B002B',
      error: 'This requested operation is invalid as endpoint is already part of a network namespace. ',
    });
  });
  it('is not removed while a container is there [O Windows-Containers#485]', async () => {
    await request('Add');
    service.hns.attachContainer(sandbox, container);
    expect(await request('Remove')).toMatchObject({
      hresult: '0x803B0015',
      error: 'The specified request is unsupported. ',
    });
  });
  it('can still be deleted while a container is there [S azure-container-networking#1272]', async () => {
    await request('Add');
    service.hns.attachContainer(sandbox, container);
    expect(await remove(endpoint, pod)).toBe('0x00000000');
    const Resources = [{ Type: 'Container', Data: { Id: container } }];
    expect((await query(namespace, sandbox)).document['Resources']).toEqual(Resources);
  });
});

describe('deleting', () => {
  it('a namespace with a container is refused [O Windows-Containers#485]', async () => {
    service.hns.attachContainer(sandbox, container);
    expect(await remove(namespace, sandbox)).toBe('0x803B0015');
  });
  it('a namespace with endpoints frees them, for another one to take [S azure-container-networking#1272]', async () => {
    await request('Add');
    expect(await remove(namespace, sandbox)).toBe('0x00000000');
    expect((await request('Add', service.hns.createNamespace())).hresult).toBe('0x00000000');
  });
  it('what is missing answers ERROR_NOT_FOUND [T hcnerrors_test.go]', async () => {
    await remove(namespace, sandbox);
    expect(await remove(namespace, sandbox)).toBe('0x80070490');
  });
  it('leaves the zero namespace of unattached endpoints missing [O antrea#2306]', async () => {
    expect((await query(namespace, zeroGuid)).hresult).toBe('0x80070490');
  });
});
