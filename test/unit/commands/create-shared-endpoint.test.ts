import { expect, test } from 'vitest';
import { createSharedEndpoint } from '../../../src/commands/create-endpoint.ts';
import { type SmallNodeOptions, smallNode } from './small-node.ts';

const network = '22222222-2222-3333-4444-555555555555';
const otherNetwork = '33333333-2222-3333-4444-555555555555';
const id = '158d02ca-c981-5084-9be4-b53c3bb8f3bf';
const chosen = '0b5e1c9a-5e1f-4d8e-9a55-3d3c1a2b4c5d';
const another = '2f6b1f0e-7a11-4d0c-9b58-0d6f6b3f7a01';
const Name = 'cbr0_ep';
const document = { Name, HostComputeNetwork: network, SchemaVersion: { Major: 2, Minor: 0 } };
const step = { do: 'create host endpoint', network, id, document } as const;

/** Creates the endpoint that two requests share, and returns its id. */
async function shared(options: SmallNodeOptions): Promise<string> {
  const { context } = smallNode({ networks: [{ ID: network, Name: 'cbr0' }], ...options });
  return (await createSharedEndpoint(step, false, context)).ID;
}

const refused = (call: string) => (call === `create Endpoint ${id}` ? 0x803b001e : undefined);

test('a refused creation uses the endpoint that a concurrent request created', async () => {
  expect(await shared({ endpoints: [{ ID: id, Name, HostComputeNetwork: network }] })).toBe(id);
});

test('a refused creation uses the endpoint of the same name on the network if HNS generated its id', async () => {
  const endpoints = [
    { ID: another, Name, HostComputeNetwork: otherNetwork },
    { ID: chosen, Name, HostComputeNetwork: network },
    { ID: '3e314d9f-9d81-4f85-8c3f-8a0c4f9d5c43', Name, HostComputeNetwork: network },
  ];
  expect(await shared({ endpoints, fault: refused })).toBe(chosen);
});

test('a refused creation is thrown if only another network has an endpoint of the name', async () => {
  const endpoints = [{ ID: another, Name, HostComputeNetwork: otherNetwork }];
  await expect(shared({ endpoints, fault: refused })).rejects.toMatchObject({ hresult: 0x803b001e });
});

test('a creation that times out is thrown despite an existing endpoint', async () => {
  const fault = (call: string) => (call === `create Endpoint ${id}` ? 'late' : undefined);
  const endpoints = [{ ID: id, Name, HostComputeNetwork: network }];
  await expect(shared({ endpoints, fault })).rejects.toMatchObject({ name: 'HcnTimeout' });
});

test('a refused creation reports its reason even if the search for the endpoint fails', async () => {
  const fault = (call: string) => (call.startsWith('enumerate') ? 0x80004005 : refused(call));
  await expect(shared({ fault })).rejects.toMatchObject({
    code: 100,
    message: expect.stringContaining('HCN_E_INVALID_IP'),
    details: expect.stringContaining('listing endpoints'),
  });
});
