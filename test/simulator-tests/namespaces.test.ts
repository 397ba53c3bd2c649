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
const missing = 'd7a1f1b0-43f7-4b7e-9a2b-0c5d1e6f7a80';
let sandbox = '';

beforeEach(async () => {
  await createNetwork(nat, network);
  await createEndpoint(network, {}, pod);
  sandbox = service.hns.createNamespace();
});

function change(RequestType: string, Settings: object, ResourceType = 'Endpoint') {
  return modify(namespace, sandbox, { ResourceType, RequestType, Settings });
}

it('a namespace as its answer shows it [T]', async () => {
  expect((await query(namespace, sandbox)).document).toEqual({
    ID: sandbox,
    NamespaceId: 0,
    NamespaceGuid: sandbox,
    Type: 'Host',
    SchemaVersion: { Major: 2, Minor: 0 },
  });
});

test.each([
  ['nothing is a Host namespace [I]', {}, 'Host'],
  ['HostDefault can be created any number of times [T]', { Type: 'HostDefault' }, 'HostDefault'],
  ['Guest [T]', { Type: 'Guest' }, 'Guest'],
  ['an ordinal [D]', { Type: 3 }, 'GuestDefault'],
  ['a NamespaceId, which is not used [T]', { Type: 'Host', NamespaceId: 5 }, 'Host'],
])('created with %s', async (_, document, Type) => {
  expect(await create(namespace, document)).toMatchObject({ hresult: '0x00000000', document: { Type } });
});

it('the system has a HostDefault namespace in compartment 1 [O]', async () => {
  const documents = await Promise.all((await enumerate(namespace)).map((id) => query(namespace, id)));
  const hostDefault = documents.filter(({ document }) => document['Type'] === 'HostDefault');
  expect(hostDefault).toMatchObject([{ document: { NamespaceId: 1 } }]);
});

it('the namespace of the system cannot be deleted [I]', async () => {
  const system = service.hns.dump().namespaces.find(({ Type }) => Type === 'HostDefault');
  expect(await remove(namespace, String(system?.['ID']))).toBe('0x803B0015');
  expect(service.hns.dump().namespaces).toContainEqual(system);
});

it('a GUID that exists is refused [I]', async () => {
  expect((await create(namespace, {}, sandbox)).hresult).toBe('0x800700B7');
});

describe('endpoints', () => {
  it('are attached and detached, and know their namespace [T]', async () => {
    const attached = await change('Add', { EndpointId: pod.toUpperCase() });
    expect(attached.document).toMatchObject({ Resources: [{ Type: 'Endpoint', Data: { Id: pod } }] });
    expect((await query(endpoint, pod)).document).toMatchObject({ HostComputeNamespace: sandbox });
    expect((await change('Remove', { EndpointId: pod })).document).not.toHaveProperty('Resources');
    expect((await query(endpoint, pod)).document).toMatchObject({ HostComputeNamespace: zeroGuid });
  });
  it('have one namespace [D]', async () => {
    await change('Add', { EndpointId: pod });
    expect((await change('Add', { EndpointId: pod })).hresult).toBe('0x803B002B');
  });
  it('must exist [I]', async () => {
    expect((await change('Add', { EndpointId: missing })).hresult).toBe('0x803B0002');
    expect((await change('Remove', { EndpointId: pod })).hresult).toBe('0x803B0002');
  });
  it('of another host cannot be attached [I]', async () => {
    const { id } = await createEndpoint(network, { Flags: 1, IpConfigurations: [{ IpAddress: '10.9.0.4' }] });
    expect((await change('Add', { EndpointId: id })).hresult).toBe('0x803B000F');
  });
  it('become unattached when the namespace is deleted [S]', async () => {
    await change('Add', { EndpointId: pod });
    expect(await remove(namespace, sandbox)).toBe('0x00000000');
    expect((await query(endpoint, pod)).document).toMatchObject({ HostComputeNamespace: zeroGuid });
  });
});

describe('containers', () => {
  it('bring a compartment and hold endpoints and namespace [O]', async () => {
    await change('Add', { EndpointId: pod });
    service.hns.attachContainer(sandbox, '291cd4892b99');
    expect((await query(namespace, sandbox)).document).toMatchObject({
      NamespaceId: 2,
      Resources: [
        { Type: 'Container', Data: { Id: '291cd4892b99' } },
        { Type: 'Endpoint', Data: { Id: pod } },
      ],
    });
    expect((await change('Remove', { EndpointId: pod })).hresult).toBe('0x803B0015');
    expect(await remove(namespace, sandbox)).toBe('0x803B0015');
    service.hns.detachContainer(sandbox, '291cd4892b99');
    expect((await query(namespace, sandbox)).document).toMatchObject({ NamespaceId: 0 });
    expect(await remove(namespace, sandbox)).toBe('0x00000000');
  });
  it('let go when they are removed [I]', async () => {
    await change('Add', { ContainerId: '291cd4892b99' }, 'Container');
    await change('Remove', { ContainerId: '291cd4892b99' }, 'Container');
    expect(await remove(namespace, sandbox)).toBe('0x00000000');
  });
});

it('a missing namespace answers ERROR_NOT_FOUND to open and delete [T]', async () => {
  expect(await query(namespace, missing)).toMatchObject({
    hresult: '0x80070490',
    error: 'Element not found. ',
  });
  expect(await remove(namespace, missing)).toBe('0x80070490');
  expect((await query(namespace, zeroGuid)).hresult).toBe('0x80070490');
});
