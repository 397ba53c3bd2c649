import { describe, expect, test } from 'vitest';
import { ensureNetwork } from '../../../src/commands/network.ts';
import { readNetworkConfig } from '../../../src/config/read-config.ts';
import type { ObservedNetwork } from '../../../src/hcn/documents.ts';
import { planNetwork, resolveNetwork } from '../../../src/plan/network-plan.ts';
import { example } from '../../e2e/example.ts';
import { hostAdapters } from '../plan/host-adapters.ts';
import { type SmallNodeOptions, smallNode } from './small-node.ts';

const drMac = { Type: 'DrMacAddress', Settings: { Address: '00-15-5D-00-00-02' } };
const provider = (ProviderAddress: string) => ({ Type: 'ProviderAddress', Settings: { ProviderAddress } });
const ready = { Policies: [drMac, provider('10.0.0.4')] };
const complete = { Policies: [...ready.Policies, { Type: 'HostRoute', Settings: {} }] };

/** Ensures the network of an example: new, or as found. */
async function ensured(name: string, options: SmallNodeOptions = {}, found?: ObservedNetwork) {
  const config = readNetworkConfig(example(name));
  const plan = planNetwork(config, found, hostAdapters);
  const { planned } = plan;
  const small = smallNode({ ...(found && { networks: [found] }), ...options });
  const outcome = await ensureNetwork(plan, small.context).then(
    ({ network, isNew }) => ({ network, isNew, error: undefined }),
    (error: unknown) => ({ network: undefined, isNew: undefined, error }),
  );
  const added = small.calls.filter((call) => call.startsWith('modify Network'));
  return { ...small, ...outcome, planned, added, milliseconds: small.context.now() };
}

/** The Overlay network of a concurrent request, before it is ready. */
function unready(): ObservedNetwork {
  return {
    ...resolveNetwork(readNetworkConfig(example('overlay')), undefined, hostAdapters),
    Type: 'Overlay',
  };
}

describe('an existing network', () => {
  test('is used without further calls', async () => {
    const { network, calls } = await ensured('overlay', {}, { ...unready(), ...complete });
    expect(network).toMatchObject({ Name: 'overlay' });
    expect(calls).toEqual([]);
  });

  test('that is not ready is waited for and not changed', async () => {
    const found = unready();
    const answer = JSON.stringify({ ...found, ...complete });
    const fault = (call: string, nth: number) =>
      call.startsWith('query Network') && nth > 4 ? { answer } : undefined;
    const { network, added, milliseconds, rollBack } = await ensured('overlay', { fault }, found);
    expect(network).toMatchObject({ Name: 'overlay', Policies: complete.Policies });
    expect({ added, milliseconds }).toEqual({ added: [], milliseconds: 1000 });
    expect(await rollBack()).toEqual([]);
  });
});

describe('HostRoute', () => {
  test('is added at once to a network that a failed request left without it', async () => {
    const { added, milliseconds } = await ensured('overlay', {}, { ...unready(), ...ready });
    expect({ count: added.length, milliseconds }).toEqual({ count: 1, milliseconds: 0 });
  });
});

describe('a new network', () => {
  test('that a concurrent request created is used unchanged', async () => {
    const fault = (call: string, nth: number) => {
      if (call.startsWith('create Network')) return 0x803b0010;
      return call.startsWith('enumerate') && nth === 1 ? { answer: '[]' } : undefined;
    };
    const there = { ...unready(), Policies: [...(unready().Policies ?? []), ...complete.Policies] };
    const { network, added, isNew } = await ensured('overlay', { networks: [there], fault });
    expect(network).toMatchObject({ Name: 'overlay' });
    expect(added).toEqual([]);
    expect(isNew).toBe(false);
  });

  test('of type Transparent takes 2 s, because HNS accepts no address earlier', async () => {
    expect(await ensured('transparent')).toMatchObject({
      network: { Name: 'transparent' },
      milliseconds: 2000,
    });
  });
});

describe('a network on which the node gets no address', () => {
  const failure = (name: string) => ({
    code: 11,
    message: `network "${name}" has no usable address of the node after 20 s`,
    details: 'check that the adapter is up and has an address: Get-NetIPAddress',
  });

  test('of type Overlay without a MAC address for routing is error 11 after 20 s and is kept', async () => {
    const { error, milliseconds, rollBack } = await ensured('overlay', {
      adds: { Policies: [provider('10.0.0.4')] },
    });
    expect(error).toMatchObject(failure('overlay'));
    expect(milliseconds).toBe(20_000);
    expect(await rollBack()).toEqual([]);
  });
});
