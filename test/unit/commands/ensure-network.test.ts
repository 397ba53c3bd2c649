import { describe, expect, test } from 'vitest';
import { ensureNetwork } from '../../../src/commands/network.ts';
import { readNetworkConfig } from '../../../src/config/read-config.ts';
import type { ObservedNetwork } from '../../../src/hcn/documents.ts';
import { networkId } from '../../../src/model/identity.ts';
import { planNetwork, resolveNetwork } from '../../../src/plan/network-plan.ts';
import { encapsulatedSubnets, remoteSubnetPolicy } from '../../../src/plan/remote-subnets.ts';
import { example } from '../../e2e/example.ts';
import type { Fault } from '../hcn/small-hcn.ts';
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
function unready(name = 'overlay'): ObservedNetwork {
  return {
    ...resolveNetwork(readNetworkConfig(example(name)), undefined, hostAdapters),
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

  const pod = { ID: networkId('any'), Name: 'pod', HostComputeNetwork: unready().ID };

  test.each([
    ['has endpoints', {}, { endpoints: [pod] }],
    ['another program created', { ID: '22222222-2222-3333-4444-555555555555' }, {}],
  ])('is not added to a network that %s', async (_, changes, options) => {
    expect((await ensured('overlay', options, { ...unready(), ...ready, ...changes })).added).toEqual([]);
  });

  test('that HNS refuses is a notice', async () => {
    const fault = (call: string) => (call.startsWith('modify') ? 0x80070057 : undefined);
    const { error, notices } = await ensured('overlay', { fault }, { ...unready(), ...ready });
    expect({ error, notices }).toEqual({
      error: undefined,
      notices: [expect.stringMatching(/^network "overlay" lacks HostRoute: \S/)],
    });
  });
});

describe('the remote subnets of a network that another request is finishing', () => {
  const config = readNetworkConfig(example('static-overlay'));
  const found = { ...unready('static-overlay'), ...complete };
  const policies = encapsulatedSubnets(config).map((one) => remoteSubnetPolicy(one, found));

  test.each([
    ['adds none for 3 s', [0], 2, 3000],
    ['adds all', [0, 0, 1, 1, 2], 0, 750],
    ['adds one and none for further 3 s', [0, 0, 1], 1, 3500],
  ])('are added after it %s', async (_, counts, missing, milliseconds) => {
    const fault = (call: string, nth: number) => {
      if (!call.startsWith('query Network')) return undefined;
      const added = policies.slice(0, counts[nth - 1] ?? counts.at(-1));
      return { answer: JSON.stringify({ ...found, Policies: [...complete.Policies, ...added] }) };
    };
    const outcome = await ensured('static-overlay', { fault }, found);
    expect([outcome.added.length, outcome.milliseconds]).toEqual([missing, milliseconds]);
  });
});

describe('a new network', () => {
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

  test.each([
    ['overlay', 'without a MAC address for routing', { Policies: [provider('10.0.0.4')] }],
    ['overlay', 'with an address that no interface has', { Policies: [drMac, provider('10.0.0.5')] }],
    ['l2bridge', 'with the address of no adapter', { ManagementIP: '0.0.0.0' }],
  ])('of example %s %s is error 11 after 20 s and is kept', async (name, _, adds) => {
    const { error, milliseconds, rollBack } = await ensured(name, { adds });
    expect(error).toMatchObject(failure(name));
    expect(milliseconds).toBe(20_000);
    expect(await rollBack()).toEqual([]);
  });

  test('because HNS does not show it is error 11', async () => {
    const fault = (call: string) => (call.startsWith('query Network') ? 0x803b0001 : undefined);
    const { error, planned } = await ensured('overlay', { fault });
    expect(error).toMatchObject({
      code: 11,
      message: 'HNS does not show network "overlay", which was created: retry',
      details: expect.stringContaining(`win-hcn show network ${planned.ID}`),
    });
  });
});

describe('a refused creation', () => {
  test('is error 7 if the network of the concurrent request differs from the configuration', async () => {
    const fault = (call: string) => (call.startsWith('create Network') ? 0x803b0010 : undefined);
    const { error } = await ensured('overlay', { networks: [{ ...unready(), Type: 'L2Bridge' }], fault });
    const message = expect.stringMatching(/: networkType is L2Bridge, expected Overlay$/);
    expect(error).toMatchObject({ code: 7, message });
  });

  test.each<[string, Fault, object]>([
    ['that no concurrent request can cause', 0x803b001e, { hresult: 0x803b001e }],
    ['that times out, despite an existing network,', 'late', { name: 'HcnTimeout' }],
  ])('%s is thrown at once', async (_, refusal, expected) => {
    const fault = (call: string) => (call.startsWith('create Network') ? refusal : undefined);
    const networks = refusal === 'late' ? [unready()] : [];
    const { error, calls, milliseconds } = await ensured('overlay', { networks, fault });
    expect(error).toMatchObject(expected);
    const tries = calls.filter((call) => call.startsWith('create Network')).length;
    expect({ tries, milliseconds }).toEqual({ tries: 1, milliseconds: 0 });
  });
});
