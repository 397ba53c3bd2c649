import { describe, expect, test } from 'vitest';
import { ensureHostEndpoint } from '../../../src/commands/host-endpoint.ts';
import { readNetworkConfig } from '../../../src/config/read-config.ts';
import { hostEndpointId } from '../../../src/model/identity.ts';
import type { HostAdapter } from '../../../src/net/host-adapter.ts';
import { planNetwork, resolveNetwork } from '../../../src/plan/network-plan.ts';
import { example } from '../../e2e/example.ts';
import { faultsOf } from '../hcn/small-hcn.ts';
import { hostAdapters, hostEndpointInterface } from '../plan/host-adapters.ts';
import { type SmallNodeOptions, smallNode } from './small-node.ts';

const config = readNetworkConfig(example('l2bridge-host-endpoint'));
const network = { ...resolveNetwork(config, undefined, hostAdapters), Type: 'L2Bridge' };
const namespace = { ID: '9d1c7b35-2c39-4a55-8a3e-6f1e2d0c4b5a', Type: 'HostDefault', NamespaceId: 1 };
const id = hostEndpointId('cbr0');

const attaching = `modify Namespace ${namespace.ID} Add ${id}`;

const unattached = {
  ID: id,
  Name: 'cbr0_ep',
  HostComputeNetwork: network.ID,
  IpConfigurations: [{ IpAddress: '10.244.2.2', PrefixLength: 24 }],
};
const leftover = { ...unattached, IpConfigurations: [{ IpAddress: '10.244.2.9', PrefixLength: 24 }] };

/** Ensures the host endpoint. */
async function ensured(options: SmallNodeOptions = {}, planned: readonly HostAdapter[] = hostAdapters) {
  const adapters = [...hostAdapters, hostEndpointInterface];
  const small = smallNode({
    networks: [network],
    namespaces: [namespace],
    readAdapters: async () => adapters,
    ...options,
  });
  const plan = { hostEndpoint: config.hostEndpoint, adapters: planned };
  const ensuring = ensureHostEndpoint(plan, { network, isNew: false }, small.context);
  const error: unknown = await ensuring.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  const endpoints = small.all('Endpoint').map(({ ID, HostComputeNamespace }) => [ID, HostComputeNamespace]);
  return { ...small, error, endpoints, milliseconds: small.context.now() };
}

describe('the host endpoint', () => {
  test('is not created if HNS refuses it without a route too', async () => {
    const { error, calls } = await ensured(faultsOf({ [`create Endpoint ${id}`]: [0x80070057, 0x803b000d] }));
    expect(error).toMatchObject({ hresult: 0x803b000d });
    expect(calls.filter((call) => call.startsWith('create'))).toHaveLength(2);
  });

  test('that HNS refuses reports its reason even if the search for another one fails', async () => {
    const { error } = await ensured({
      fault: (call, nth) => {
        if (call === `create Endpoint ${id}`) return 0x803b001e;
        return call.startsWith('enumerate Endpoint') && nth > 1 ? 0x80004005 : undefined;
      },
    });
    expect(error).toMatchObject({
      code: 100,
      message: expect.stringContaining('HCN_E_INVALID_IP'),
      details: expect.stringContaining('listing endpoints'),
    });
  });

  test('replaces a leftover with another address', async () => {
    const { endpoints, all, interfaces } = await ensured({ endpoints: [leftover] });
    expect(endpoints).toEqual([[id, namespace.ID]]);
    expect(interfaces).toEqual(['forward 20', 'forward 12', 'no default route 20']);
    expect(all('Endpoint')).toMatchObject([{ IpConfigurations: [{ IpAddress: '10.244.2.2' }] }]);
  });
});

test('an address of another adapter is refused for a new host endpoint, not for an existing one', async () => {
  const taken = [{ ...hostEndpointInterface, alias: 'Ethernet 3' }];
  expect((await ensured({}, taken)).error).toMatchObject({ code: 7 });
  expect((await ensured({ endpoints: [unattached] }, taken)).error).toBeUndefined();
  expect(planNetwork(config, network, [...hostAdapters, ...taken]).planned).toBe(network);
});

describe('an attach', () => {
  test('that HNS refuses for 5 s is thrown', async () => {
    const { error, milliseconds } = await ensured(faultsOf({ [attaching]: Array(99).fill(0x80070022) }));
    expect(error).toMatchObject({ hresult: 0x80070022 });
    expect(milliseconds).toBe(5000);
  });

  test('of a concurrent request was first if HNS reports that the endpoint is in a namespace', async () => {
    const answer = JSON.stringify(unattached);
    const { error, milliseconds } = await ensured({
      fault: (call, nth) => {
        if (call === attaching) return 0x803b002b;
        return call === `query Endpoint ${id}` && nth > 1 ? { answer } : undefined;
      },
    });
    expect({ error, milliseconds }).toEqual({ error: undefined, milliseconds: 0 });
  });
});
