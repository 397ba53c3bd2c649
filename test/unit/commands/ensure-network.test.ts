import { describe, expect, test } from 'vitest';
import { ensureNetwork } from '../../../src/commands/network.ts';
import { readNetworkConfig } from '../../../src/config/read-config.ts';
import type { ObservedNetwork } from '../../../src/hcn/documents.ts';
import { resolveNetwork } from '../../../src/plan/network.ts';
import { planNetwork } from '../../../src/plan/network-plan.ts';
import { example } from '../../e2e/example.ts';
import { hostAdapters } from '../plan/host-adapters.ts';
import { type SmallNodeOptions, smallNode } from './small-node.ts';

const chosen = '22222222-2222-3333-4444-555555555555';
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
  test('that HNS refuses is reported in a notice', async () => {
    const fault = (call: string) => (call.startsWith('modify Network') ? 0x80070057 : undefined);
    const { network, notices } = await ensured('overlay', { adds: ready, fault });
    expect(notices.at(-1)).toMatch(
      `network "overlay" lacks HostRoute: adding policies to network ${network?.ID}: HCN returned E_INVALIDARG`,
    );
  });

  test('is not added if it is not configured', async () => {
    expect((await ensured('nat')).added).toEqual([]);
  });

  test('is not added to a network with endpoints: HNS may not return it, and each pod would add another one', async () => {
    const found = { ...unready(), ...ready };
    const endpoints = [{ ID: chosen, Name: 'pod', HostComputeNetwork: found.ID }];
    expect((await ensured('overlay', { endpoints }, found)).added).toEqual([]);
  });

  test('is added at once to a network that a failed request left without it', async () => {
    const { added, milliseconds } = await ensured('overlay', {}, { ...unready(), ...ready });
    expect({ count: added.length, milliseconds }).toEqual({ count: 1, milliseconds: 0 });
  });
});

describe('a new network', () => {
  test('has the id that HNS generated, and gets HostRoute under it', async () => {
    const options = { chooseId: () => chosen, adds: ready };
    const { network, added, rollBack } = await ensured('overlay', options);
    expect(network).toMatchObject({ ID: chosen });
    expect(added).toEqual([`modify Network ${chosen} Add Policy`]);
    expect(await rollBack()).toEqual([]);
  });

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

  test('of type NAT is ready at once', async () => {
    expect(await ensured('nat')).toMatchObject({ network: { Name: 'nat' }, milliseconds: 0 });
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

  test.each([
    ['L2Bridge without an address', 'l2bridge', {}],
    ['L2Bridge with the address of a host that waits for DHCP', 'l2bridge', { ManagementIP: '169.254.7.9' }],
    ['Overlay without a provider address', 'overlay', { Policies: [drMac] }],
    ['Overlay without a MAC address for routing', 'overlay', { Policies: [provider('10.0.0.4')] }],
    [
      'Overlay with a provider address that no interface has',
      'overlay',
      { Policies: [drMac, provider('10.0.0.9')] },
    ],
  ])('(%s) is error 11 after 20 s and is kept', async (_, name, adds) => {
    const { error, milliseconds, rollBack } = await ensured(name, { adds });
    expect(error).toMatchObject(failure(name));
    expect(milliseconds).toBe(20_000);
    expect(await rollBack()).toEqual([]);
  });

  test('is not one with a reachable address', async () => {
    const { network, milliseconds } = await ensured('l2bridge', { adds: { ManagementIP: '10.0.0.4' } });
    expect(network).toMatchObject({ Name: 'l2bridge' });
    expect(milliseconds).toBe(0);
  });
});

describe('the remote subnets of a new network', () => {
  const remoteSubnet = {
    subnet: '10.245.2.0/24',
    providerAddress: '10.0.0.5',
    macAddress: '00-15-5D-0A-0B-0C',
    vsid: 4096,
  };

  /** Ensures an Overlay network with a remote subnet. */
  async function withRemoteSubnet(options: SmallNodeOptions) {
    const config = { ...readNetworkConfig(example('overlay')), remoteSubnets: [remoteSubnet] };
    const small = smallNode(options);
    const plan = planNetwork(config, undefined, hostAdapters);
    const error: unknown = await ensureNetwork(plan, small.context).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    return { ...small, error, added: small.calls.filter((call) => call.startsWith('modify Network')) };
  }

  test('are added after HostRoute', async () => {
    const { error, added } = await withRemoteSubnet({ adds: ready });
    expect({ error, count: added.length }).toEqual({ error: undefined, count: 2 });
  });

  test('that HNS refuses are an error, with what to do once a pod uses the network', async () => {
    const fault = (call: string, nth: number) =>
      call.startsWith('modify Network') && nth === 2 ? 0x80070057 : undefined;
    const { error } = await withRemoteSubnet({ adds: ready, fault });
    expect(error).toMatchObject({
      code: 100,
      message: expect.stringMatching(/HCN returned E_INVALIDARG .*Compare the remote subnet with/),
      details:
        'the next ADD adds them while the network has no endpoint; after that, run win-hcn network sync FILE --yes',
    });
  });

  test('are not added while the node has no address', async () => {
    const { error, added } = await withRemoteSubnet({ adds: { Policies: [drMac] } });
    expect(error).toMatchObject({
      code: 11,
      details: 'check that the adapter is up and has an address: Get-NetIPAddress',
    });
    expect(added).toEqual([]);
  });
});

test('a new network on an adapter is compared with the others, one without an adapter is not', async () => {
  const listing = 'enumerate Network {}';
  expect((await ensured('overlay', { adds: ready })).calls).toContain(listing);
  expect((await ensured('nat')).calls).not.toContain(listing);
});
