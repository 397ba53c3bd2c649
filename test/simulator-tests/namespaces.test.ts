import { beforeEach, describe, expect, it } from 'vitest';
import { endpoint, namespace } from '../simulator/computenetwork.ts';
import { zeroGuid } from '../simulator/object-id.ts';
import {
  createEndpoint,
  createNetwork,
  done,
  enumerate,
  hnsAroundEach,
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
});
