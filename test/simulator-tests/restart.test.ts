import { beforeEach, describe, expect, it } from 'vitest';
import { endpoint, namespace } from '../simulator/computenetwork.ts';
import { createEndpoint, createNetwork, hnsAroundEach, nat, overlay, query } from './test-client.ts';

const service = hnsAroundEach();
const id = '3c6fab4d-6191-4171-a627-dd46f8c2e392';
const pod = '8b1c4a52-0c39-4b8f-a1f7-3f4a2d9e6b01';

beforeEach(async () => {
  await createNetwork(nat, id);
});

describe('a restart of the service', () => {
  it('keeps networks, endpoints and their namespaces [O k8s#139519]', async () => {
    const HostComputeNamespace = service.hns.createNamespace();
    await createEndpoint(id, { HostComputeNamespace }, pod);
    service.hns.restart();
    expect((await query(endpoint, pod)).document).toMatchObject({
      HostComputeNetwork: id,
      HostComputeNamespace,
    });
  });
  it('deletes networks with EnableNonPersistent and their endpoints [O moby#38358]', async () => {
    const { id: gone } = await createNetwork(overlay);
    await createEndpoint(gone, {}, pod);
    service.hns.restart();
    expect(service.hns.dump()).toMatchObject({ networks: [{ ID: id }], endpoints: [] });
  });
});

describe('a reboot of the host', () => {
  it('ends the containers and their compartments [I]', async () => {
    const sandbox = service.hns.createNamespace();
    service.hns.attachContainer(sandbox, '291cd4892b99');
    service.hns.reboot();
    expect((await query(namespace, sandbox)).document).toMatchObject({ NamespaceId: 0 });
  });
});
