import { describe, expect, test } from 'vitest';
import { HcnMissing } from '../../../src/hcn/errors.ts';
import { deleteEndpoint } from '../../../src/steps/deletions.ts';
import { type Fault, smallHcn } from '../hcn/small-hcn.ts';

const id = '070ede33-25ca-53d9-9556-72c268cfd259';
const own = 'c08cb7b8-9b3c-408e-8e30-5e16a3aeb444';
const other = '2f6b1f0e-7a11-4d0c-9b58-0d6f6b3f7a01';
const none = '00000000-0000-0000-0000-000000000000';

const sharingDisabled = 0x803b001d;
const unavailable = 0x800706ba;

const detachOwn = `modify Namespace ${own} Remove ${id}`;
const detachOther = `modify Namespace ${other} Remove ${id}`;
const deletion = `delete Endpoint ${id}`;
const look = [`open Endpoint ${id}`, `query Endpoint ${id}`];

/** An HCN with an endpoint in a namespace, where some calls fail: the nth of a call as the nth of its list says. */
function withEndpointIn(
  namespace: string,
  faults: Readonly<Record<string, readonly (Fault | undefined)[]>> = {},
) {
  return smallHcn({
    endpoints: [{ ID: id, Name: 'c0ffee_cbr0_eth0', HostComputeNamespace: namespace }],
    namespaces: [{ ID: own }, { ID: other }],
    fault: (call, nth) => faults[call]?.[nth - 1],
  });
}

describe('an endpoint', () => {
  test('is detached from its namespace, then deleted', async () => {
    const { hcn, calls, all } = withEndpointIn(own);
    expect(await deleteEndpoint(id, own, hcn)).toBe(true);
    expect(calls).toEqual([`open Namespace ${own}`, detachOwn, deletion]);
    expect(all('Endpoint')).toEqual([]);
  });

  test('is only deleted where its namespace is not known', async () => {
    const { hcn, calls } = withEndpointIn(none);
    expect(await deleteEndpoint(id, undefined, hcn)).toBe(true);
    expect(calls).toEqual([deletion]);
  });

  test('is only deleted where its namespace is gone', async () => {
    const { hcn, calls } = withEndpointIn(none);
    const gone = '9d1c7b35-2c39-4a55-8a3e-6f1e2d0c4b5a';
    expect(await deleteEndpoint(id, gone, hcn)).toBe(true);
    expect(calls).toEqual([`open Namespace ${gone}`, deletion]);
  });

  test('that does not exist is reported so', async () => {
    const { hcn } = smallHcn();
    expect(await deleteEndpoint(id, undefined, hcn)).toBe(false);
  });
});

describe('a detach that fails does not stop the deletion', () => {
  test.each<[string, Fault]>([
    ['HNS refuses it', sharingDisabled],
    ['the service is down', unavailable],
    ['HNS does not answer', 'late'],
    ['HNS answers nonsense', { answer: 'nonsense' }],
    ['anything else is wrong', new Error('broken')],
  ])('%s', async (_, fault) => {
    const { hcn, calls, all } = withEndpointIn(own, { [detachOwn]: [fault] });
    expect(await deleteEndpoint(id, own, hcn)).toBe(true);
    expect(calls).toEqual([`open Namespace ${own}`, detachOwn, deletion]);
    expect(all('Endpoint')).toEqual([]);
  });

  test('not even where the namespace cannot be opened', async () => {
    const { hcn, all } = withEndpointIn(own, { [`open Namespace ${own}`]: [sharingDisabled] });
    expect(await deleteEndpoint(id, own, hcn)).toBe(true);
    expect(all('Endpoint')).toEqual([]);
  });
});

test('without HCN nothing is deleted', async () => {
  const missing = new HcnMissing('computenetwork.dll is missing', undefined);
  const { hcn, calls } = withEndpointIn(own, { [`open Namespace ${own}`]: [missing] });
  await expect(deleteEndpoint(id, own, hcn)).rejects.toBe(missing);
  expect(calls).toEqual([`open Namespace ${own}`]);
});

describe('a deletion that is', () => {
  test.each<[string, Fault]>([
    ['refused', sharingDisabled],
    ['late', 'late'],
  ])('%s looks where the endpoint is, detaches it there and deletes it again', async (_, fault) => {
    const { hcn, calls, all } = withEndpointIn(other, { [deletion]: [fault] });
    expect(await deleteEndpoint(id, own, hcn)).toBe(true);
    expect(calls).toEqual([
      `open Namespace ${own}`,
      detachOwn,
      deletion,
      ...look,
      `open Namespace ${other}`,
      detachOther,
      deletion,
    ]);
    expect(all('Endpoint')).toEqual([]);
  });

  test('refused where no namespace was known looks for it too', async () => {
    const { hcn, all } = withEndpointIn(own, { [deletion]: [sharingDisabled] });
    expect(await deleteEndpoint(id, undefined, hcn)).toBe(true);
    expect(all('Endpoint')).toEqual([]);
  });

  test('late and took effect all the same finds no endpoint any more', async () => {
    const { hcn } = smallHcn({ fault: (call) => (call === deletion ? 'late' : undefined) });
    expect(await deleteEndpoint(id, undefined, hcn)).toBe(false);
  });

  test.each<[string, Fault, string]>([
    ['impossible because the service is down', unavailable, 'RPC_S_SERVER_UNAVAILABLE'],
    ['not made because the time is used up', 'skipped', 'was skipped'],
  ])('%s is thrown at once', async (_, fault, message) => {
    const { hcn, calls } = withEndpointIn(other, { [deletion]: [fault] });
    await expect(deleteEndpoint(id, undefined, hcn)).rejects.toThrow(message);
    expect(calls).toEqual([deletion]);
  });
});

describe('a deletion that stays refused is thrown', () => {
  test('as it is where the endpoint is in no namespace', async () => {
    const { hcn, calls } = withEndpointIn(none, { [deletion]: [sharingDisabled] });
    await expect(deleteEndpoint(id, undefined, hcn)).rejects.toMatchObject({
      name: 'HcnError',
      hresult: sharingDisabled,
    });
    expect(calls).toEqual([deletion, ...look]);
  });

  test('as it is where the namespace that was known is gone', async () => {
    const { hcn } = withEndpointIn(none, { [deletion]: [sharingDisabled] });
    const gone = '9d1c7b35-2c39-4a55-8a3e-6f1e2d0c4b5a';
    await expect(deleteEndpoint(id, gone, hcn)).rejects.toMatchObject({ name: 'HcnError' });
  });

  test('with the message of the detach that failed in its details', async () => {
    const { hcn, calls } = withEndpointIn(own, { [detachOwn]: [unavailable], [deletion]: [sharingDisabled] });
    await expect(deleteEndpoint(id, own, hcn)).rejects.toMatchObject({
      code: 100,
      message: expect.stringContaining(`deleting endpoint ${id}: HCN returned`),
      details: expect.stringMatching(
        new RegExp(`^removing endpoint ${id} from namespace ${own}: HCN returned RPC_S_SERVER_UNAVAILABLE`),
      ),
    });
    expect(calls).toEqual([`open Namespace ${own}`, detachOwn, deletion, ...look]);
  });

  test('with the message of the second detach, where that fails as well', async () => {
    const { hcn, all } = withEndpointIn(other, { [detachOther]: ['late'], [deletion]: [sharingDisabled] });
    await expect(deleteEndpoint(id, undefined, hcn)).rejects.toMatchObject({
      code: 100,
      message: expect.stringContaining(`deleting endpoint ${id}: HCN returned`),
      details: expect.stringContaining(`${detachOther} did not respond within 30 s`),
    });
    expect(all('Endpoint')).toHaveLength(1);
  });

  test('with the message of the second deletion, where that is refused as well', async () => {
    const { hcn, all } = withEndpointIn(other, { [deletion]: [sharingDisabled, unavailable] });
    await expect(deleteEndpoint(id, undefined, hcn)).rejects.toMatchObject({
      code: 100,
      details: expect.stringContaining('RPC_S_SERVER_UNAVAILABLE'),
    });
    expect(all('Endpoint')).toHaveLength(1);
  });
});
