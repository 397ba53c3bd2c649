import { describe, expect, test } from 'vitest';
import { findOrPlanNetwork } from '../../../src/commands/network.ts';
import { readNetworkConfig } from '../../../src/config/read-config.ts';
import { IpHelperTimeout } from '../../../src/iphlpapi/windows-errors.ts';
import { resolveNetwork } from '../../../src/plan/network-plan.ts';
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

  test('a timeout of reading the adapters is thrown at once', async () => {
    const failure = new IpHelperTimeout('listing the adapters', 30);
    const { error, milliseconds } = await plan(byDefaultRoute, {
      readAdapters: () => Promise.reject(failure),
    });
    expect({ error, milliseconds }).toEqual({ error: failure, milliseconds: 0 });
  });
});
