import { describe, expect, test } from 'vitest';
import { applyLoadBalancer } from '../../../src/commands/load-balancer.ts';
import { readLoadBalancer } from '../../../src/config/load-balancer-config.ts';
import { loadBalancerId, remoteEndpointId } from '../../../src/model/identity.ts';
import { smallNode } from './small-node.ts';

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

  test('a load balancer with a new backend refers to that id', async () => {
    const { context, all } = choosing();
    await applyLoadBalancer(config({ address: '192.168.1.2' }), context);
    expect(await applyLoadBalancer(config({ address: '192.168.1.2' }, elsewhere), context)).toBe('updated');
    expect(all('LoadBalancer')).toMatchObject([{ HostComputeEndpoints: [pod.ID, chosen] }]);
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
