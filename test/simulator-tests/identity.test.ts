import { beforeEach, describe, expect, it, test } from 'vitest';
import { endpoint, loadBalancer, namespace, network, sdnRoute } from '../simulator/computenetwork.ts';
import { zeroGuid } from '../simulator/object-id.ts';
import { create, createEndpoint, createNetwork, hnsAroundEach, modify, nat, query } from './test-client.ts';

hnsAroundEach();
const parent = '3c6fab4d-6191-4171-a627-dd46f8c2e392';
const id = '8b1c4a52-0c39-4b8f-a1f7-3f4a2d9e6b01';

beforeEach(async () => {
  await createNetwork(nat, parent);
});

describe.each([
  ['a network', (document: object, given?: string) => createNetwork({ Type: 'Private', ...document }, given)],
  ['an endpoint', (document: object, given?: string) => createEndpoint(parent, document, given)],
  ['a namespace', (document: object, given?: string) => create(namespace, document, given)],
  [
    'a load balancer',
    async (document: object, given?: string) => {
      const HostComputeEndpoints = [(await createEndpoint(parent, {})).id];
      return create(loadBalancer, { ...document, HostComputeEndpoints }, given);
    },
  ],
  ['a route', (document: object, given?: string) => create(sdnRoute, document, given)],
] as const)('the GUID of %s', (_, createWith) => {
  test('is the argument [S WSL NatNetworking.cpp, multipass]', async () => {
    expect((await createWith({}, id)).id).toBe(id);
  });
  test('is the ID of the document when the argument is GUID_NULL [T hcnloadbalancer_test.go]', async () => {
    expect((await createWith({ ID: id.toUpperCase() })).id).toBe(id);
  });
  test('is random if argument and document have none [S hcnnetwork.go]', async () => {
    const [one, other] = [await createWith({}), await createWith({ ID: zeroGuid })];
    expect(one.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/);
    expect(other.id).not.toBe(one.id);
    expect(other.id).not.toBe(zeroGuid);
  });
});

describe('an endpoint', () => {
  it('belongs to the network of the handle if its document has none [I]', async () => {
    expect((await createEndpoint(parent, {})).document['HostComputeNetwork']).toBe(parent);
  });
  it('may name its network in upper case [S hcsshim filters]', async () => {
    const { hresult } = await createEndpoint(parent, { HostComputeNetwork: parent.toUpperCase() });
    expect(hresult).toBe('0x00000000');
  });
});

describe('GUIDs in answers', () => {
  it('are lower case in V2 and upper case in V1 [O hcsshim#1270]', async () => {
    await createEndpoint(parent, {}, id.toUpperCase());
    expect((await query(endpoint, id)).document).toMatchObject({ ID: id, HostComputeNetwork: parent });
    expect((await query(endpoint, id, null)).document).toMatchObject({
      ID: id.toUpperCase(),
      VirtualNetwork: parent.toUpperCase(),
    });
  });
  it('have no braces [S hcsshim guid.FromString]', async () => {
    expect((await query(network, parent)).id).toHaveLength(36);
  });
});

describe('GUIDs in documents', () => {
  it('that are invalid return HCN_E_GUID_CONVERSION_FAILURE [D HCNHResult.md]', async () => {
    expect((await createEndpoint(parent, { HostComputeNamespace: 'none' })).hresult).toBe('0x803B0019');
  });
  it('find their object in either case [S kube-proxy hns.go]', async () => {
    await createEndpoint(parent, {}, id);
    const Settings = { EndpointId: id.toUpperCase() };
    const { id: sandbox } = await create(namespace, {});
    const request = { ResourceType: 'Endpoint', RequestType: 'Add', Settings };
    expect((await modify(namespace, sandbox, request)).hresult).toBe('0x00000000');
  });
});
