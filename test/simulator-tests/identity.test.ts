import { beforeEach, describe, expect, it, test } from 'vitest';
import { endpoint, loadBalancer, namespace, sdnRoute } from '../simulator/computenetwork.ts';
import { create, createEndpoint, createNetwork, hnsAroundEach, nat, query } from './test-client.ts';

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
  test('is the ID of the document when the argument is GUID_NULL [T hcnloadbalancer_test.go]', async () => {
    expect((await createWith({ ID: id.toUpperCase() })).id).toBe(id);
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
});

describe('GUIDs in documents', () => {
  it('that are invalid return HCN_E_GUID_CONVERSION_FAILURE [D HCNHResult.md]', async () => {
    expect((await createEndpoint(parent, { HostComputeNamespace: 'none' })).hresult).toBe('0x803B0019');
  });
});
