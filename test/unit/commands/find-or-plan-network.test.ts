import { describe, expect, test } from 'vitest';
import { findOrPlanNetwork } from '../../../src/commands/network.ts';
import { readNetworkConfig } from '../../../src/config/read-config.ts';
import { IpHelperTimeout } from '../../../src/iphlpapi/windows-errors.ts';
import { networkId } from '../../../src/model/identity.ts';
import { resolveNetwork } from '../../../src/plan/network.ts';
import { example } from '../../e2e/example.ts';
import { hostAdapters } from '../plan/host-adapters.ts';
import { type SmallNodeOptions, smallNode } from './small-node.ts';

const l2bridge = readNetworkConfig(example('l2bridge'));
const planned = resolveNetwork(l2bridge, undefined, hostAdapters);
const existing = { ...planned, Type: 'L2Bridge' };

/** Finds or plans a network. Returns the plan or the error, how often the adapters were read, and the duration. */
async function plan(config = l2bridge, options: SmallNodeOptions = {}) {
  let reads = 0;
  const node = smallNode({
    ...options,
    readAdapters: async () => {
      reads += 1;
      return (options.readAdapters ?? (async () => hostAdapters))();
    },
  });
  const outcome = await findOrPlanNetwork(config, node.context).then(
    (plan) => ({ plan, error: undefined }),
    (error: unknown) => ({ plan: undefined, error }),
  );
  return { ...outcome, reads, milliseconds: node.context.now() };
}

describe('the network of a request', () => {
  test('is planned with the adapters of the node if it is absent', async () => {
    const { plan: found, reads, milliseconds } = await plan();
    expect(found).toMatchObject({ config: l2bridge, found: undefined, planned, adapters: hostAdapters });
    expect({ reads, milliseconds }).toEqual({ reads: 1, milliseconds: 0 });
  });

  test('is used as it is if it exists', async () => {
    const { plan: found, milliseconds } = await plan(l2bridge, { networks: [existing] });
    expect(found).toMatchObject({ found: { ID: planned.ID }, planned: { ID: planned.ID } });
    expect(milliseconds).toBe(0);
  });

  test('is planned without the adapters if it needs none', async () => {
    const { plan: found, reads } = await plan(readNetworkConfig(example('nat')));
    expect(found).toMatchObject({ found: undefined, planned: { ID: networkId('nat') }, adapters: [] });
    expect(reads).toBe(0);
  });

  test('that must exist and is absent is an error at once', async () => {
    const { error, reads, milliseconds } = await plan({ ...l2bridge, createNetwork: 'never' });
    expect(error).toMatchObject({ code: 11 });
    expect({ reads, milliseconds }).toEqual({ reads: 1, milliseconds: 0 });
  });
});

const byDefaultRoute = readNetworkConfig(example('l2bridge', { adapter: undefined }));

describe('while another request creates the network, and the adapters give no usable answer', () => {
  const appearing = (nth: number): SmallNodeOptions => ({
    networks: [existing],
    readAdapters: async () => [],
    fault: (call, count) => {
      if (call.startsWith('open Network') && count < nth) return 0x803b0001;
      return call.startsWith('enumerate Network') ? { answer: '[]' } : undefined;
    },
  });

  test('waits for the network', async () => {
    const { plan: found, milliseconds } = await plan(byDefaultRoute, appearing(4));
    expect(found).toMatchObject({ found: { ID: planned.ID } });
    expect(milliseconds).toBe(500);
  });

  test('fails with the choice of the adapter after 3 s', async () => {
    const { error, milliseconds } = await plan(byDefaultRoute, { readAdapters: async () => [] });
    expect(error).toMatchObject({ code: 7, message: expect.stringContaining('/adapter is missing') });
    expect(milliseconds).toBe(3000);
  });

  test('does not wait for a network that needs no adapter', async () => {
    const nat = { ...readNetworkConfig(example('nat')), hostEndpoint: { address: '10.9.9.9' } };
    const { error, milliseconds } = await plan(nat);
    expect(error).toMatchObject({ code: 7, message: expect.stringContaining('/hostEndpoint: 10.9.9.9') });
    expect(milliseconds).toBe(0);
  });

  test('fails at once if the network must exist', async () => {
    const { error, milliseconds } = await plan(
      { ...byDefaultRoute, createNetwork: 'never' },
      { readAdapters: async () => [] },
    );
    expect(error).toMatchObject({ code: 7 });
    expect(milliseconds).toBe(0);
  });

  test.each([
    ['internally', new TypeError('broken')],
    ['with the code of another program', Object.assign(new Error('refused'), { code: 7 })],
    ['because Windows does not respond', new IpHelperTimeout('listing the adapters', 30)],
  ])('a failure %s to read the adapters is thrown at once', async (_, failure) => {
    const { error, milliseconds } = await plan(byDefaultRoute, {
      readAdapters: () => Promise.reject(failure),
    });
    expect({ error, milliseconds }).toEqual({ error: failure, milliseconds: 0 });
  });
});
