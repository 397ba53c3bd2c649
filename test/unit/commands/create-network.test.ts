import { describe, expect, test } from 'vitest';
import { ensureNetwork } from '../../../src/commands/network.ts';
import { readNetworkConfig } from '../../../src/config/read-config.ts';
import { resolveNetwork } from '../../../src/plan/network.ts';
import { planNetwork } from '../../../src/plan/network-plan.ts';
import { example } from '../../e2e/example.ts';
import type { Fault } from '../hcn/small-hcn.ts';
import { hostAdapters } from '../plan/host-adapters.ts';
import { type SmallNodeOptions, smallNode } from './small-node.ts';

const chosen = '22222222-2222-3333-4444-555555555555';
const unspecified = 0x80004005;
const existing = 0x803b0010;
const adapterNotFound = 0x803b0006;
const notFound = 0x80070490;
const invalidIp = 0x803b001e;

/** Creates the network of an example. Returns the outcome, the duration and the number of tries. */
async function created(name: string, options: SmallNodeOptions = {}) {
  const config = readNetworkConfig(example(name));
  const plan = planNetwork(config, undefined, hostAdapters);
  const { planned } = plan;
  const small = smallNode({ adds: { ManagementIP: '10.0.0.4' }, ...options });
  const outcome = await ensureNetwork(plan, small.context).then(
    ({ network, isNew }) => ({ id: network.ID, isOwn: isNew, error: undefined }),
    (error: unknown) => ({ id: undefined, isOwn: undefined, error }),
  );
  const tries = small.calls.filter((call) => call.startsWith('create Network')).length;
  return { ...small, ...outcome, planned, tries, milliseconds: small.context.now() };
}

/** The tries fail with these faults. The network of a concurrent request appears in the nth enumeration. */
function refusing(
  faults: readonly Fault[],
  appearsAt = Number.POSITIVE_INFINITY,
  changes: object = {},
): SmallNodeOptions {
  const planned = resolveNetwork(readNetworkConfig(example('l2bridge')), undefined, hostAdapters);
  return {
    networks: [{ ...planned, ID: chosen, ManagementIP: '10.0.0.4', ...changes }],
    fault: (call, nth) => {
      if (call.startsWith('create Network')) return faults[nth - 1];
      return call.startsWith('enumerate Network') && nth < appearsAt ? { answer: '[]' } : undefined;
    },
  };
}

describe('a network that HCN creates', () => {
  test('belongs to this request, and stays if a later step fails', async () => {
    const { id, isOwn, planned, rollBack } = await created('l2bridge');
    expect({ id, isOwn }).toEqual({ id: planned.ID, isOwn: true });
    expect(await rollBack()).toEqual([]);
  });

  test('on an adapter is announced, because it interrupts the node', async () => {
    const { notices } = await created('l2bridge');
    expect(notices).toEqual([
      expect.stringMatching(
        /^creating network "l2bridge" interrupts adapter "Ethernet", usually for 6 to 20 s:/,
      ),
    ]);
  });

  test('without an adapter is created without a notice', async () => {
    expect(await created('nat')).toMatchObject({ notices: [], tries: 1 });
  });
});

describe('a refused creation', () => {
  test.each([
    ['E_FAIL', unspecified],
    ['a duplicate name', existing],
    ['a missing adapter', adapterNotFound],
    ['a missing element', notFound],
  ])('with %s waits up to 3 s for the network of a concurrent request', async (_, hresult) => {
    const { id, isOwn, tries, milliseconds, rollBack } = await created('l2bridge', refusing([hresult], 5));
    expect({ id, isOwn, tries, milliseconds }).toEqual({
      id: chosen,
      isOwn: false,
      tries: 1,
      milliseconds: 1000,
    });
    expect(await rollBack()).toEqual([]);
  });

  test('that no concurrent request can cause is thrown at once', async () => {
    const { error, tries, milliseconds } = await created('l2bridge', refusing([invalidIp, invalidIp]));
    expect(error).toMatchObject({ hresult: invalidIp });
    expect({ tries, milliseconds }).toEqual({ tries: 1, milliseconds: 0 });
  });

  test('is thrown after 3 s if no network appears', async () => {
    const { error, tries, milliseconds } = await created('l2bridge', refusing([existing, existing]));
    expect(error).toMatchObject({ hresult: existing });
    expect({ tries, milliseconds }).toEqual({ tries: 1, milliseconds: 3000 });
  });

  test('reports its reason even if the search for the network fails', async () => {
    const fault = (call: string) => (call.startsWith('create') ? existing : 0x80070005);
    const { error } = await created('l2bridge', { fault });
    expect(error).toMatchObject({
      code: 100,
      message: expect.stringContaining('HCN_E_NETWORK_ALREADY_EXISTS'),
      details: expect.stringContaining('listing networks'),
    });
  });

  test('is error 7 if the network of the concurrent request differs from the configuration', async () => {
    const { error } = await created('l2bridge', refusing([existing], 2, { Type: 'Transparent' }));
    expect(error).toMatchObject({
      code: 7,
      message: expect.stringContaining('network "l2bridge" exists but differs from the configuration'),
    });
  });

  test.each([adapterNotFound, notFound])(
    'for a missing adapter (%d) is retried once after 3 s',
    async (hresult) => {
      const { isOwn, tries, milliseconds } = await created('l2bridge', refusing([hresult]));
      expect({ isOwn, tries, milliseconds }).toEqual({ isOwn: true, tries: 2, milliseconds: 3000 });
    },
  );

  test('for a missing adapter is thrown after the retry, with the existing adapters', async () => {
    const { error, tries } = await created('l2bridge', refusing([adapterNotFound, adapterNotFound]));
    expect(error).toMatchObject({
      code: 100,
      message: expect.stringContaining('HCN_E_ADAPTER_NOT_FOUND'),
      details: expect.stringMatching(/^network adapters: "Ethernet" \(index 5/),
    });
    expect(tries).toBe(2);
  });

  test('for a missing adapter is thrown even if the adapters cannot be read', async () => {
    const readAdapters = () => Promise.reject(new Error('broken'));
    const options = { ...refusing([adapterNotFound, adapterNotFound]), readAdapters };
    expect((await created('l2bridge', options)).error).toMatchObject({ code: 100, details: '' });
  });

  test('for a missing element is not retried for a network without an adapter', async () => {
    const { error, tries } = await created('nat', {
      fault: (call) => (call.startsWith('create') ? notFound : undefined),
    });
    expect(error).toMatchObject({ hresult: notFound });
    expect(tries).toBe(1);
  });
});

test('a creation that times out is thrown despite an existing network', async () => {
  const planned = resolveNetwork(readNetworkConfig(example('l2bridge')), undefined, hostAdapters);
  const late = { ...refusing(['late'], 1), networks: [planned] };
  const { error, tries } = await created('l2bridge', late);
  expect(error).toMatchObject({ name: 'HcnTimeout' });
  expect(tries).toBe(1);
});
