import { describe, expect, test } from 'vitest';
import { applyLoadBalancer, deleteLoadBalancer } from '../../../src/commands/load-balancer.ts';
import { readLoadBalancer } from '../../../src/config/load-balancer-config.ts';
import { loadBalancerId, remoteEndpointId } from '../../../src/model/identity.ts';
import { changesIn } from '../hcn/small-hcn.ts';
import { type SmallNodeOptions, smallNode } from './small-node.ts';

const network = { ID: '22222222-2222-3333-4444-555555555555', Name: 'overlay', Type: 'Overlay' };
const pod = {
  ID: 'fd6bec0f-7b88-4b61-b5af-70897ab0960b',
  Name: 'pod',
  HostComputeNetwork: network.ID,
  IpConfigurations: [{ IpAddress: '192.168.1.2', PrefixLength: 16 }],
};
const elsewhere = { address: '100.1.2.3', macAddress: '02-11-64-01-02-03', providerAddress: '10.0.0.5' };
const asked = remoteEndpointId(network.ID, elsewhere.address);
const chosen = '0b5e1c9a-5e1f-4d8e-9a55-3d3c1a2b4c5d';
const remote = {
  ID: chosen,
  Name: 'remote_100.1.2.3',
  HostComputeNetwork: network.ID,
  IpConfigurations: [{ IpAddress: '100.1.2.3' }],
  Flags: 1,
};

const config = (...backends: readonly object[]) =>
  readLoadBalancer({
    name: 'dns',
    network: 'overlay',
    frontendVIPs: ['10.96.0.10'],
    ports: [{ protocol: 'udp', port: 53 }],
    backends,
  });

/** A node whose HNS generates the ids of remote endpoints. */
function choosing(fault?: (call: string, nth: number) => number | undefined) {
  const chooseId = (id: string) => (id === asked ? chosen : id);
  return smallNode({ networks: [network], endpoints: [pod], chooseId, ...(fault && { fault }) });
}

describe('if HNS generates the id of a remote endpoint', () => {
  test('a new load balancer refers to that id', async () => {
    const { context, all } = choosing();
    expect(await applyLoadBalancer(config({ address: '192.168.1.2' }, elsewhere), context)).toBe('created');
    expect(all('LoadBalancer')).toMatchObject([
      { ID: loadBalancerId('dns'), HostComputeEndpoints: [pod.ID, chosen] },
    ]);
  });

  test('a refused load balancer is rolled back with its remote endpoint', async () => {
    const creation = `create LoadBalancer ${loadBalancerId('dns')}`;
    const { context, all } = choosing((call) => (call === creation ? 0x80070005 : undefined));
    await expect(applyLoadBalancer(config(elsewhere), context)).rejects.toMatchObject({ code: 100 });
    expect(all('Endpoint').map(({ ID }) => ID)).toEqual([pod.ID]);
  });
});

test('a load balancer uses the remote endpoint of a concurrent request', async () => {
  const { context, all } = smallNode({
    networks: [network],
    endpoints: [remote],
    fault: (call, nth) => {
      if (call === `create Endpoint ${asked}`) return 0x803b001e;
      return call.includes('VirtualNetwork') && nth === 1 ? { answer: '[]' } : undefined;
    },
  });
  expect(await applyLoadBalancer(config(elsewhere), context)).toBe('created');
  expect(all('LoadBalancer')).toMatchObject([{ HostComputeEndpoints: [chosen] }]);
});

describe('a load balancer', () => {
  const id = loadBalancerId('dns');
  const local = { address: '192.168.1.2' };
  const listing = 'enumerate LoadBalancer {}';
  const ofNetwork = { networks: [network], endpoints: [pod] };

  /** Applies configurations one after the other. Returns the results, and the calls of the last one. */
  async function applied(options: SmallNodeOptions, ...configs: readonly ReturnType<typeof config>[]) {
    const node = smallNode({ ...ofNetwork, ...options });
    const results: unknown[] = [];
    let from = 0;
    for (const each of configs) {
      from = node.calls.length;
      results.push(await applyLoadBalancer(each, node.context).catch((error: unknown) => error));
    }
    const calls = node.calls.slice(from);
    return {
      ...node,
      results,
      last: calls,
      changes: changesIn(calls),
    };
  }

  test('is created with one call, without reading the others', async () => {
    const { results, changes, last } = await applied({}, config(local));
    expect(results).toEqual(['created']);
    expect(changes).toEqual([`create LoadBalancer ${id}`]);
    expect(last).not.toContain(listing);
  });

  test('that is as configured is not changed', async () => {
    const { results, changes, last } = await applied({}, config(local), config(local));
    expect(results).toEqual(['created', 'unchanged']);
    expect(changes).toEqual([]);
    expect(last).not.toContain(listing);
  });

  test('that differs is not changed', async () => {
    const { results, changes } = await applied({}, config(local), config(local, elsewhere));
    expect(results).toMatchObject(['created', { code: 7 }]);
    expect(changes).toEqual([]);
  });

  test('on a network that HCN does not have is code 7', async () => {
    const { results, changes } = await applied({ networks: [] }, config(local));
    expect(results).toMatchObject([
      {
        code: 7,
        message: '/network is "overlay", and HCN has no network of this name',
        details: 'correct the name, or create the network with win-hcn network ensure FILE',
      },
    ]);
    expect(changes).toEqual([]);
  });

  test('with a feature that HNS lacks is code 7', async () => {
    const answer = '{"Success":true,"Output":{"Major":9,"Minor":1}}';
    const fault = (call: string) => (call === 'HNSCall' ? { answer } : undefined);
    const given = { ...config(local), directServerReturn: true };
    const { results, changes } = await applied({ fault }, given);
    expect(results).toMatchObject([{ code: 7, message: expect.stringContaining('DSR needs HNS') }]);
    expect(changes).toEqual([]);
  });

  describe('that is deleted', () => {
    const of = (ID: string, ...HostComputeEndpoints: readonly string[]) => ({ ID, HostComputeEndpoints });
    const own = { ...remote, ID: asked, MacAddress: '02-11-64-01-02-03' };
    const other = loadBalancerId('other');

    /** Deletes a load balancer with a local and a remote endpoint. Returns the result and the calls. */
    async function deleted(loadBalancers: readonly { readonly ID: string }[], endpoints = [pod, own]) {
      const { context, calls } = smallNode({ networks: [network], endpoints, loadBalancers });
      const existed = await deleteLoadBalancer(id, context);
      return { existed, calls, changes: changesIn(calls) };
    }

    test('and absent returns false', async () => {
      expect(await deleted([])).toEqual({ existed: false, calls: [`open LoadBalancer ${id}`], changes: [] });
    });

    test('loses the remote endpoints that only it uses', async () => {
      const { existed, changes } = await deleted([of(id, pod.ID, asked), of(other, pod.ID)]);
      expect(existed).toBe(true);
      expect(changes).toEqual([`delete LoadBalancer ${id}`, `delete Endpoint ${asked}`]);
    });

    test('keeps the remote endpoints that another load balancer uses', async () => {
      const { changes } = await deleted([of(id, pod.ID, asked), of(other, asked)]);
      expect(changes).toEqual([`delete LoadBalancer ${id}`]);
    });

    test('without remote endpoints, or with endpoints that are gone, is deleted without reading the others', async () => {
      const { calls, changes } = await deleted([of(id, pod.ID, asked)], [pod] as never);
      expect(changes).toEqual([`delete LoadBalancer ${id}`]);
      expect(calls).not.toContain(listing);
    });
  });
});
