import { describe, expect, test } from 'vitest';
import { ensureNetwork } from '../../../src/commands/network.ts';
import { readNetworkConfig } from '../../../src/config/read-config.ts';
import { planNetwork, resolveNetwork } from '../../../src/plan/network-plan.ts';
import { example } from '../../e2e/example.ts';
import type { Fault } from '../hcn/small-hcn.ts';
import { hostAdapters } from '../plan/host-adapters.ts';
import { type SmallNodeOptions, smallNode } from './small-node.ts';

const chosen = '22222222-2222-3333-4444-555555555555';

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

describe('a refused creation', () => {
  test('that no concurrent request can cause is thrown at once', async () => {
    const { error, tries, milliseconds } = await created('l2bridge', refusing([invalidIp, invalidIp]));
    expect(error).toMatchObject({ hresult: invalidIp });
    expect({ tries, milliseconds }).toEqual({ tries: 1, milliseconds: 0 });
  });

  test('is answered by the network of a concurrent request, which may appear later', async () => {
    const { id, isOwn, tries, milliseconds } = await created('l2bridge', refusing([0x803b0010], 5));
    expect({ id, isOwn, tries, milliseconds }).toEqual({
      id: chosen,
      isOwn: false,
      tries: 1,
      milliseconds: 1000,
    });
  });

  test('for a missing adapter is retried once after 3 s', async () => {
    const { isOwn, tries, milliseconds } = await created('l2bridge', refusing([notFound]));
    expect({ isOwn, tries, milliseconds }).toEqual({ isOwn: true, tries: 2, milliseconds: 3000 });
  });
});

test('a creation that times out is thrown despite an existing network', async () => {
  const planned = resolveNetwork(readNetworkConfig(example('l2bridge')), undefined, hostAdapters);
  const late = { ...refusing(['late'], 1), networks: [planned] };
  const { error, tries } = await created('l2bridge', late);
  expect(error).toMatchObject({ name: 'HcnTimeout' });
  expect(tries).toBe(1);
});
