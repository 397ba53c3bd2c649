import { describe, expect, test } from 'vitest';
import { ensureNetwork } from '../../../src/commands/network.ts';
import { readNetworkConfig } from '../../../src/config/read-config.ts';
import type { ObservedNetwork } from '../../../src/hcn/documents.ts';
import { resolveNetwork } from '../../../src/plan/network.ts';
import { example } from '../../e2e/example.ts';
import { hostAdapters } from '../plan/host-adapters.ts';
import { type SmallNodeOptions, smallNode } from './small-node.ts';

const chosen = '22222222-2222-3333-4444-555555555555';
const drMac = { Type: 'DrMacAddress', Settings: { Address: '00-15-5D-00-00-02' } };
const provider = (ProviderAddress: string) => ({ Type: 'ProviderAddress', Settings: { ProviderAddress } });
const finished = { Policies: [drMac, provider('10.0.0.4')] };
const complete = { Policies: [...finished.Policies, { Type: 'HostRoute', Settings: {} }] };

/** Ensures the network of an example, new or found as given, and says what came of it. */
async function ensured(name: string, options: SmallNodeOptions = {}, found?: ObservedNetwork) {
  const config = readNetworkConfig(example(name));
  const planned = resolveNetwork(config, undefined, hostAdapters);
  const small = smallNode({ ...(found && { networks: [found] }), ...options });
  const plan = { config, found, planned, adapters: hostAdapters };
  const outcome = await ensureNetwork(plan, small.context).then(
    ({ network, created }) => ({ network, created, error: undefined }),
    (error: unknown) => ({ network: undefined, created: undefined, error }),
  );
  const added = small.calls.filter((call) => call.startsWith('modify Network'));
  return { ...small, ...outcome, planned, added, milliseconds: small.context.now() };
}

/** An Overlay network as another request created it, not finished. */
function unfinished(): ObservedNetwork {
  return {
    ...resolveNetwork(readNetworkConfig(example('overlay')), undefined, hostAdapters),
    Type: 'Overlay',
  };
}

describe('a network that exists', () => {
  test('is used without another look', async () => {
    const { network, calls } = await ensured('overlay', {}, { ...unfinished(), ...complete });
    expect(network).toMatchObject({ Name: 'overlay' });
    expect(calls).toEqual([]);
  });

  test('and is not finished is waited for, and left as it is', async () => {
    const found = unfinished();
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
  test('that HNS refuses is only a notice', async () => {
    const fault = (call: string) => (call.startsWith('modify Network') ? 0x80070057 : undefined);
    const { network, notices } = await ensured('overlay', { adds: finished, fault });
    expect(notices.at(-1)).toMatch(
      `network "overlay" lacks HostRoute: adding policies to network ${network?.ID}: HCN returned E_INVALIDARG`,
    );
  });

  test('is not added if it is not configured', async () => {
    expect((await ensured('nat')).added).toEqual([]);
  });

  test('is not added to a network that exists: HNS may not show it, and each pod would add one more', async () => {
    const { added } = await ensured('overlay', {}, { ...unfinished(), ...finished });
    expect(added).toEqual([]);
  });
});

describe('a new network', () => {
  test('has the id that HNS gave it, and gets HostRoute under that', async () => {
    const options = { chooseId: () => chosen, adds: finished };
    const { network, added, rollBack } = await ensured('overlay', options);
    expect(network).toMatchObject({ ID: chosen });
    expect(added).toEqual([`modify Network ${chosen} Add Policy`]);
    expect(await rollBack()).toEqual([`delete Network ${chosen}`]);
  });

  test('that another request created meanwhile is used as it is', async () => {
    const fault = (call: string, nth: number) => {
      if (call.startsWith('create Network')) return 0x803b0010;
      return call.startsWith('enumerate') && nth === 1 ? { answer: '[]' } : undefined;
    };
    const there = { ...unfinished(), Policies: [...(unfinished().Policies ?? []), ...complete.Policies] };
    const { network, added, created } = await ensured('overlay', { networks: [there], fault });
    expect(network).toMatchObject({ Name: 'overlay' });
    expect(added).toEqual([]);
    expect(created).toBeUndefined();
  });

  test('of type NAT takes no time', async () => {
    expect(await ensured('nat')).toMatchObject({ network: { Name: 'nat' }, milliseconds: 0 });
  });

  test('of type Transparent takes 2 s, as HNS takes no address before', async () => {
    expect(await ensured('transparent')).toMatchObject({
      network: { Name: 'transparent' },
      milliseconds: 2000,
    });
  });
});

describe('a network on which the node never gets its address', () => {
  const failure = (name: string) => ({
    code: 11,
    message: `network "${name}" has no usable address of the node after 20 s`,
  });

  test.each([
    ['L2Bridge, without one', 'l2bridge', {}],
    ['L2Bridge, with one that waits for DHCP', 'l2bridge', { ManagementIP: '169.254.7.9' }],
    ['Overlay, without provider address', 'overlay', { Policies: [drMac] }],
    [
      'Overlay, whose provider address no interface has',
      'overlay',
      { Policies: [drMac, provider('10.0.0.9')] },
    ],
  ])('(%s) is error 11 after 20 s, and stays', async (_, name, adds) => {
    const { error, milliseconds, rollBack } = await ensured(name, { adds });
    expect(error).toMatchObject(failure(name));
    expect(milliseconds).toBe(20_000);
    expect(await rollBack()).toEqual([]);
  });

  test('is not one with an address that others reach', async () => {
    const { network, milliseconds } = await ensured('l2bridge', { adds: { ManagementIP: '10.0.0.4' } });
    expect(network).toMatchObject({ Name: 'l2bridge' });
    expect(milliseconds).toBe(0);
  });
});
