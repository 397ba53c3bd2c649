import { describe, expect, test } from 'vitest';
import { HcnMissing } from '../../../src/hcn/errors.ts';
import { deleteEndpoint, deleteUnusedNetwork } from '../../../src/steps/deletions.ts';
import { changesIn, faultsOf, smallHcn } from '../hcn/small-hcn.ts';

const id = '070ede33-25ca-53d9-9556-72c268cfd259';
const own = 'c08cb7b8-9b3c-408e-8e30-5e16a3aeb444';
const other = '2f6b1f0e-7a11-4d0c-9b58-0d6f6b3f7a01';

const sharingDisabled = 0x803b001d;
const unavailable = 0x800706ba;

const detachOwn = `modify Namespace ${own} Remove ${id}`;

const deletion = `delete Endpoint ${id}`;
const queries = [`open Endpoint ${id}`, `query Endpoint ${id}`];

/** An HCN with an endpoint in a namespace, on which some calls fail. */
function withEndpointIn(namespace: string, faults: Parameters<typeof faultsOf>[0] = {}) {
  return smallHcn({
    endpoints: [{ ID: id, Name: 'c0ffee_cbr0_eth0', HostComputeNamespace: namespace }],
    namespaces: [{ ID: own }, { ID: other }],
    ...faultsOf(faults),
  });
}

test('without HCN the deletion fails at once', async () => {
  const missing = new HcnMissing('computenetwork.dll is missing', undefined);
  const { hcn, calls } = withEndpointIn(own, { [`open Namespace ${own}`]: [missing] });
  await expect(deleteEndpoint(id, own, hcn)).rejects.toBe(missing);
  expect(calls).toEqual([`open Namespace ${own}`]);
});

describe('a deletion that remains refused is thrown', () => {
  test('with the message of the failed detach in its details', async () => {
    const { hcn, calls } = withEndpointIn(own, { [detachOwn]: [unavailable], [deletion]: [sharingDisabled] });
    await expect(deleteEndpoint(id, own, hcn)).rejects.toMatchObject({
      code: 100,
      message: expect.stringContaining(`deleting endpoint ${id}: HCN returned`),
      details: expect.stringMatching(
        new RegExp(`Removing endpoint ${id} from namespace ${own} failed with RPC_S_SERVER_UNAVAILABLE`),
      ),
    });
    expect(calls).toEqual([`open Namespace ${own}`, detachOwn, deletion, ...queries]);
  });

  test('with the message of the second deletion if that is refused too', async () => {
    const { hcn, all } = withEndpointIn(other, { [deletion]: [sharingDisabled, unavailable] });
    await expect(deleteEndpoint(id, undefined, hcn)).rejects.toMatchObject({
      code: 100,
      details: expect.stringContaining('RPC_S_SERVER_UNAVAILABLE'),
    });
    expect(all('Endpoint')).toHaveLength(1);
  });
});

test('an unused network is deleted after its host endpoint, which is detached first and may have an id of HNS', async () => {
  const [network, Name] = ['259f4964-2dff-5b46-92f1-633319a59298', 'cbr0_ep'];
  const small = smallHcn({
    networks: [{ ID: network, Name: 'cbr0' }],
    namespaces: [{ ID: own }],
    endpoints: [{ ID: other, Name, HostComputeNetwork: network, HostComputeNamespace: own }],
  });
  await deleteUnusedNetwork({ id: network, name: 'cbr0', hostEndpoints: [id] }, small.hcn);
  expect(changesIn(small.calls)).toEqual([
    `modify Namespace ${own} Remove ${other}`,
    `delete Endpoint ${other}`,
    `delete Network ${network}`,
  ]);
});
