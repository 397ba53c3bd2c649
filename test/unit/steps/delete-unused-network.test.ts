import { describe, expect, test } from 'vitest';
import { hostEndpointId } from '../../../src/model/identity.ts';
import { deleteUnusedNetwork } from '../../../src/steps/deletions.ts';
import { type SmallHcnOptions, smallHcn } from '../hcn/small-hcn.ts';

const id = '259f4964-2dff-5b46-92f1-633319a59298';

const namespace = '9d1c7b35-2c39-4a55-8a3e-6f1e2d0c4b5a';
const ofNode = hostEndpointId('cbr0');
const generated = '0b5e1c9a-5e1f-4d8e-9a55-3d3c1a2b4c5d';
const step = { id, name: 'cbr0', hostEndpoints: [ofNode] } as const;

/** Deletes a network with these endpoints. Returns the calls and the remaining objects. */
async function deleted(
  endpoints: readonly (readonly [ID: string, Name: string])[],
  options: SmallHcnOptions = {},
) {
  const small = smallHcn({
    networks: [{ ID: id, Name: 'cbr0' }],
    namespaces: [{ ID: namespace }],
    endpoints: endpoints.map(([ID, Name]) => ({
      ID,
      Name,
      HostComputeNetwork: id,
      HostComputeNamespace: namespace,
    })),
    ...options,
  });
  await deleteUnusedNetwork(step, small.hcn);
  return { ...small, remaining: [...small.all('Endpoint'), ...small.all('Network')].map(({ ID }) => ID) };
}

describe('a network', () => {
  test('is deleted after the host endpoint, which is found by its name if HNS generated its id and detached first', async () => {
    const { remaining, calls } = await deleted([[generated, 'cbr0_ep']]);
    expect(remaining).toEqual([]);
    expect(calls.filter((call) => /^(modify|delete) /.test(call))).toEqual([
      `modify Namespace ${namespace} Remove ${generated}`,
      `delete Endpoint ${generated}`,
      `delete Network ${id}`,
    ]);
  });
});
