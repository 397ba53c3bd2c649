import { expect, test } from 'vitest';
import { createSharedEndpoint } from '../../../src/commands/create-endpoint.ts';
import { type SmallNodeOptions, smallNode } from './small-node.ts';

const network = '22222222-2222-3333-4444-555555555555';

const id = '158d02ca-c981-5084-9be4-b53c3bb8f3bf';

const Name = 'cbr0_ep';
const document = { Name, HostComputeNetwork: network, SchemaVersion: { Major: 2, Minor: 0 } };
const step = { do: 'create host endpoint', network, id, document } as const;

/** Creates the endpoint that two requests share, and returns its id. */
async function shared(options: SmallNodeOptions): Promise<string> {
  const { context } = smallNode({ networks: [{ ID: network, Name: 'cbr0' }], ...options });
  return (await createSharedEndpoint(step, false, context)).ID;
}

const refused = (call: string) => (call === `create Endpoint ${id}` ? 0x803b001e : undefined);

test('a refused creation reports its reason even if the search for the endpoint fails', async () => {
  const fault = (call: string) => (call.startsWith('enumerate') ? 0x80004005 : refused(call));
  await expect(shared({ fault })).rejects.toMatchObject({
    code: 100,
    message: expect.stringContaining('HCN_E_INVALID_IP'),
    details: expect.stringContaining('listing endpoints'),
  });
});
