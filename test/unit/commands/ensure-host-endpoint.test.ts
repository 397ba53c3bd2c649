import { describe, expect, test } from 'vitest';
import { ensureHostEndpoint } from '../../../src/commands/host-endpoint.ts';
import { readNetworkConfig } from '../../../src/config/read-config.ts';
import { hostEndpointId } from '../../../src/model/identity.ts';
import { resolveNetwork } from '../../../src/plan/network.ts';
import { example } from '../../e2e/example.ts';
import { faultsOf } from '../hcn/small-hcn.ts';
import { hostAdapters, hostEndpointInterface } from '../plan/host-adapters.ts';
import { type SmallNodeOptions, smallNode } from './small-node.ts';

const config = readNetworkConfig(example('l2bridge-host-endpoint'));
const network = { ...resolveNetwork(config, undefined, hostAdapters), Type: 'L2Bridge' };
const namespace = { ID: '9d1c7b35-2c39-4a55-8a3e-6f1e2d0c4b5a', Type: 'HostDefault', NamespaceId: 1 };
const id = hostEndpointId('cbr0');
const chosen = '0b5e1c9a-5e1f-4d8e-9a55-3d3c1a2b4c5d';
const attaching = `modify Namespace ${namespace.ID} Add ${id}`;

const unattached = {
  ID: id,
  Name: 'cbr0_ep',
  HostComputeNetwork: network.ID,
  IpConfigurations: [{ IpAddress: '10.244.2.2', PrefixLength: 24 }],
};
const leftover = { ...unattached, IpConfigurations: [{ IpAddress: '10.244.2.9', PrefixLength: 24 }] };

/** Ensures the host endpoint. */
async function ensured(options: SmallNodeOptions = {}) {
  const adapters = [...hostAdapters, hostEndpointInterface];
  const small = smallNode({
    networks: [network],
    namespaces: [namespace],
    readAdapters: async () => adapters,
    ...options,
  });
  const plan = { hostEndpoint: config.hostEndpoint, adapters: hostAdapters };
  const ensuring = ensureHostEndpoint(plan, { network, isNew: false }, small.context);
  const error: unknown = await ensuring.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  const endpoints = small.all('Endpoint').map(({ ID, HostComputeNamespace }) => [ID, HostComputeNamespace]);
  return { ...small, error, endpoints, milliseconds: small.context.now() };
}

describe('the host endpoint', () => {
  test('is created and attached if it is absent', async () => {
    expect(await ensured()).toMatchObject({ error: undefined, endpoints: [[id, namespace.ID]] });
  });

  test('is attached under the id that HNS generated', async () => {
    const outcome = await ensured({ chooseId: () => chosen });
    expect(outcome).toMatchObject({ error: undefined, endpoints: [[chosen, namespace.ID]] });
  });

  test('is created without a route if HNS refuses the next hop 0.0.0.0', async () => {
    const { error, endpoints, all } = await ensured(faultsOf({ [`create Endpoint ${id}`]: [0x80070057] }));
    expect({ error, endpoints }).toEqual({ error: undefined, endpoints: [[id, namespace.ID]] });
    expect(all('Endpoint')).toEqual([expect.not.objectContaining({ Routes: expect.anything() })]);
  });

  test('is not created if HNS refuses it without a route too', async () => {
    const { error, calls } = await ensured(faultsOf({ [`create Endpoint ${id}`]: [0x80070057, 0x803b000d] }));
    expect(error).toMatchObject({ hresult: 0x803b000d });
    expect(calls.filter((call) => call.startsWith('create'))).toHaveLength(2);
  });

  test('of an interrupted request is attached', async () => {
    const { error, endpoints, calls } = await ensured({ endpoints: [unattached] });
    expect({ error, endpoints }).toEqual({ error: undefined, endpoints: [[id, namespace.ID]] });
    expect(calls.filter((call) => call.startsWith('create'))).toEqual([]);
  });

  test('replaces a leftover with another address', async () => {
    const { endpoints, all } = await ensured({ endpoints: [leftover] });
    expect(endpoints).toEqual([[id, namespace.ID]]);
    expect(all('Endpoint')).toMatchObject([{ IpConfigurations: [{ IpAddress: '10.244.2.2' }] }]);
  });

  test('that is attached is not changed', async () => {
    const { calls } = await ensured({ endpoints: [{ ...unattached, HostComputeNamespace: namespace.ID }] });
    expect(calls).toEqual([`open Endpoint ${id}`, `query Endpoint ${id}`]);
  });
});

describe('an attach', () => {
  test('that HNS refuses right after the creation is retried', async () => {
    const { error, milliseconds } = await ensured(faultsOf({ [attaching]: [0x80070022, 0x80070022] }));
    expect({ error, milliseconds }).toEqual({ error: undefined, milliseconds: 500 });
  });

  test('that HNS refuses for 5 s is thrown', async () => {
    const { error, milliseconds } = await ensured(faultsOf({ [attaching]: Array(99).fill(0x80070022) }));
    expect(error).toMatchObject({ hresult: 0x80070022 });
    expect(milliseconds).toBe(5000);
  });

  test('that fails because the service is down is thrown at once', async () => {
    const { error, milliseconds } = await ensured(faultsOf({ [attaching]: [0x800706ba, 0x800706ba] }));
    expect(error).toMatchObject({ hresult: 0x800706ba });
    expect(milliseconds).toBe(0);
  });

  test.each([
    ['HNS reports that the endpoint is in a namespace', 0x803b002b, unattached],
    [
      'HNS refuses it and returns the endpoint in the namespace',
      0x80070022,
      { ...unattached, HostComputeNamespace: namespace.ID },
    ],
  ])('of a concurrent request was first if %s', async (_, hresult, shown) => {
    const answer = JSON.stringify(shown);
    const { error, milliseconds } = await ensured({
      fault: (call, nth) => {
        if (call === attaching) return hresult;
        return call === `query Endpoint ${id}` && nth > 1 ? { answer } : undefined;
      },
    });
    expect({ error, milliseconds }).toEqual({ error: undefined, milliseconds: 0 });
  });
});

describe('forwarding', () => {
  test('is enabled on the interfaces of the endpoint and of the adapter, and the endpoint loses its default route', async () => {
    const { interfaces } = await ensured();
    expect(interfaces).toEqual(['forward 20', 'forward 12', 'no default route 20']);
  });

  test('waits 10 s for the interface of the endpoint, then fails with error 11', async () => {
    const { error, milliseconds } = await ensured({ readAdapters: async () => hostAdapters });
    expect(error).toMatchObject({
      code: 11,
      message:
        'no interface has the address of host endpoint 10.244.2.2, or the adapter of the network has no IPv4 address',
    });
    expect(milliseconds).toBe(10_000);
  });
});
