import { beforeEach, describe, expect, test } from 'vitest';
import { type HcnClient, hcnClient } from '../../src/hcn/client.ts';
import { schemaVersion } from '../../src/hcn/documents.ts';
import { idOf } from './attempt.ts';
import { nat } from './documents.ts';
import { hnsAroundEach } from './hns-around-each.ts';

const service = hnsAroundEach();
const container = '291cd4892b99';
const pod = idOf('Endpoint');
let sandbox = '';
let hcn: HcnClient;

beforeEach(async () => {
  const network = service.hns.others.createNetwork(nat);
  hcn = hcnClient(service.hns.withoutDlls().library);
  await hcn.createEndpoint(network, pod, {
    Name: 'pod',
    HostComputeNetwork: network,
    SchemaVersion: schemaVersion,
  });
  sandbox = service.hns.createNamespace();
  await hcn.addEndpoint(sandbox, pod);
});

test("the host's namespace is of type HostDefault, in compartment 1 [O calico#8465, S nvx]", async () => {
  const namespaces = await hcn.findNamespaces();
  expect(namespaces.filter(({ Type }) => Type === 'HostDefault')).toMatchObject([{ NamespaceId: 1 }]);
  expect(await hcn.findDefaultNamespaces()).toMatchObject([{ NamespaceId: 1 }]);
});

test('an attached endpoint is refused in this or another namespace [D HCNHResult.md]', async () => {
  for (const id of [sandbox, service.hns.createNamespace()])
    await expect(hcn.addEndpoint(id, pod)).rejects.toMatchObject({ hresult: 0x803b002b });
});

describe('while a container is in a namespace', () => {
  beforeEach(() => service.hns.attachContainer(sandbox, container));

  test('an endpoint can be deleted, but not removed [S azure-container-networking#1272, O Windows-Containers#485]', async () => {
    await expect(hcn.removeEndpoint(sandbox, pod)).rejects.toMatchObject({ hresult: 0x803b0015 });
    expect(await hcn.deleteEndpoint(pod)).toBe(true);
    expect(await hcn.findNamespace(sandbox)).toMatchObject({
      Resources: [{ Type: 'Container', Data: { Id: container } }],
    });
  });

  test('it has a compartment, and its deletion is refused [O Windows-Containers#485]', async () => {
    expect(await hcn.findNamespace(sandbox)).toMatchObject({ NamespaceId: 2 });
    await expect(hcn.deleteNamespace(sandbox)).rejects.toMatchObject({ hresult: 0x803b0015 });
    service.hns.detachContainer(sandbox, container);
    expect(await hcn.findNamespace(sandbox)).toMatchObject({ NamespaceId: 0 });
    expect(await hcn.deleteNamespace(sandbox)).toBe(true);
  });
});
