import { describe, expect, test } from 'vitest';
import { HcnMissing } from '../../../src/hcn/errors.ts';
import { deleteEndpoint } from '../../../src/steps/deletions.ts';
import { type Fault, faultsOf, smallHcn } from '../hcn/small-hcn.ts';

const id = '070ede33-25ca-53d9-9556-72c268cfd259';
const own = 'c08cb7b8-9b3c-408e-8e30-5e16a3aeb444';
const other = '2f6b1f0e-7a11-4d0c-9b58-0d6f6b3f7a01';
const none = '00000000-0000-0000-0000-000000000000';

const sharingDisabled = 0x803b001d;
const unavailable = 0x800706ba;

const detachOwn = `modify Namespace ${own} Remove ${id}`;
const detachOther = `modify Namespace ${other} Remove ${id}`;
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

describe('an endpoint', () => {
  test('is detached from its namespace, then deleted', async () => {
    const { hcn, calls, all } = withEndpointIn(own);
    expect(await deleteEndpoint(id, own, hcn)).toBe(true);
    expect(calls).toEqual([`open Namespace ${own}`, detachOwn, deletion]);
    expect(all('Endpoint')).toEqual([]);
  });

  test('is only deleted if its namespace is unknown', async () => {
    const { hcn, calls } = withEndpointIn(none);
    expect(await deleteEndpoint(id, undefined, hcn)).toBe(true);
    expect(calls).toEqual([deletion]);
  });

  test('is only deleted if its namespace is gone', async () => {
    const { hcn, calls } = withEndpointIn(none);
    const gone = '9d1c7b35-2c39-4a55-8a3e-6f1e2d0c4b5a';
    expect(await deleteEndpoint(id, gone, hcn)).toBe(true);
    expect(calls).toEqual([`open Namespace ${gone}`, deletion]);
  });

  test('that does not exist returns false', async () => {
    const { hcn } = smallHcn();
    expect(await deleteEndpoint(id, undefined, hcn)).toBe(false);
  });
});

describe('a failed detach does not stop the deletion', () => {
  test.each<[string, Fault]>([
    ['HNS refuses it', sharingDisabled],
    ['the service is down', unavailable],
    ['HNS does not respond', 'late'],
    ['HNS returns an invalid response', { answer: 'nonsense' }],
    ['it fails otherwise', new Error('broken')],
  ])('%s', async (_, fault) => {
    const { hcn, calls, all } = withEndpointIn(own, { [detachOwn]: [fault] });
    expect(await deleteEndpoint(id, own, hcn)).toBe(true);
    expect(calls).toEqual([`open Namespace ${own}`, detachOwn, deletion]);
    expect(all('Endpoint')).toEqual([]);
  });

  test('even if the namespace cannot be opened', async () => {
    const { hcn, all } = withEndpointIn(own, { [`open Namespace ${own}`]: [sharingDisabled] });
    expect(await deleteEndpoint(id, own, hcn)).toBe(true);
    expect(all('Endpoint')).toEqual([]);
  });
});

test('without HCN the deletion fails at once', async () => {
  const missing = new HcnMissing('computenetwork.dll is missing', undefined);
  const { hcn, calls } = withEndpointIn(own, { [`open Namespace ${own}`]: [missing] });
  await expect(deleteEndpoint(id, own, hcn)).rejects.toBe(missing);
  expect(calls).toEqual([`open Namespace ${own}`]);
});

describe('a deletion that', () => {
  test.each<[string, Fault]>([
    ['is refused', sharingDisabled],
    ['times out', 'late'],
  ])('%s is retried after the endpoint is detached from its actual namespace', async (_, fault) => {
    const { hcn, calls, all } = withEndpointIn(other, { [deletion]: [fault] });
    expect(await deleteEndpoint(id, own, hcn)).toBe(true);
    expect(calls).toEqual([
      `open Namespace ${own}`,
      detachOwn,
      deletion,
      ...queries,
      `open Namespace ${other}`,
      detachOther,
      deletion,
    ]);
    expect(all('Endpoint')).toEqual([]);
  });

  test('is refused without a known namespace is retried after the detach too', async () => {
    const { hcn, all } = withEndpointIn(own, { [deletion]: [sharingDisabled] });
    expect(await deleteEndpoint(id, undefined, hcn)).toBe(true);
    expect(all('Endpoint')).toEqual([]);
  });

  test('times out after its effect returns false', async () => {
    const { hcn } = smallHcn({ fault: (call) => (call === deletion ? 'late' : undefined) });
    expect(await deleteEndpoint(id, undefined, hcn)).toBe(false);
  });

  test.each<[string, Fault, string]>([
    ['fails because the service is down', unavailable, 'RPC_S_SERVER_UNAVAILABLE'],
    ['is skipped because the time is used up', 'skipped', 'was skipped'],
  ])('%s is thrown at once', async (_, fault, message) => {
    const { hcn, calls } = withEndpointIn(other, { [deletion]: [fault] });
    await expect(deleteEndpoint(id, undefined, hcn)).rejects.toThrow(message);
    expect(calls).toEqual([deletion]);
  });
});

describe('a deletion that remains refused is thrown', () => {
  test('unchanged if the endpoint is not attached', async () => {
    const { hcn, calls } = withEndpointIn(none, { [deletion]: [sharingDisabled] });
    await expect(deleteEndpoint(id, undefined, hcn)).rejects.toMatchObject({
      name: 'HcnError',
      hresult: sharingDisabled,
    });
    expect(calls).toEqual([deletion, ...queries]);
  });

  test('unchanged if the known namespace is gone', async () => {
    const { hcn } = withEndpointIn(none, { [deletion]: [sharingDisabled] });
    const gone = '9d1c7b35-2c39-4a55-8a3e-6f1e2d0c4b5a';
    await expect(deleteEndpoint(id, gone, hcn)).rejects.toMatchObject({ name: 'HcnError' });
  });

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

  test('with the message of the second detach if that fails too', async () => {
    const { hcn, all } = withEndpointIn(other, { [detachOther]: ['late'], [deletion]: [sharingDisabled] });
    await expect(deleteEndpoint(id, undefined, hcn)).rejects.toMatchObject({
      code: 100,
      message: expect.stringContaining(`deleting endpoint ${id}: HCN returned`),
      details: expect.stringContaining(`${detachOther} did not respond within 30 s`),
    });
    expect(all('Endpoint')).toHaveLength(1);
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
