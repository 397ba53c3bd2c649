import { describe, expect, test } from 'vitest';
import { loadBalancer } from '../simulator/computenetwork.ts';
import { create, createEndpoint, createNetwork, hnsAroundEach, l2bridge } from './test-client.ts';

hnsAroundEach({ portsInUse: [{ protocol: 6, port: 8080 }] });
const id = '3c6fab4d-6191-4171-a627-dd46f8c2e392';
const done = '0x00000000';
const inUse = '0x80070020';

describe('while a process of the node listens on TCP port 8080', () => {
  test.for([
    ['that port', { Protocol: 6, ExternalPort: 8080 }, inUse],
    ['that port of the node', { Protocol: 6, ExternalPort: 8080, VIP: '10.0.0.4' }, inUse],
    ['that port of another address', { Protocol: 6, ExternalPort: 8080, VIP: '10.0.0.9' }, done],
    ['UDP port 8080', { Protocol: 17, ExternalPort: 8080 }, done],
    ['another port', { Protocol: 6, ExternalPort: 8081 }, done],
  ] as const)(
    'a port mapping of $0 returns $2 [O docker/for-win#2213, #3893]',
    async ([, settings, hresult]) => {
      await createNetwork(l2bridge, id);
      const Policies = [{ Type: 'PortMapping', Settings: { InternalPort: 80, ...settings } }];
      expect((await createEndpoint(id, { Policies })).hresult).toBe(hresult);
    },
  );
  test.for([
    ['on the node itself', [], 6, inUse],
    ['on an address of its own', ['10.0.0.9'], 6, done],
    ['of UDP port 8080', [], 17, done],
  ] as const)('a load balancer $0 returns $3 [I]', async ([, FrontendVIPs, Protocol, hresult]) => {
    await createNetwork(l2bridge, id);
    const HostComputeEndpoints = [(await createEndpoint(id, {})).id];
    const PortMappings = [{ Protocol, InternalPort: 80, ExternalPort: 8080 }];
    expect((await create(loadBalancer, { HostComputeEndpoints, FrontendVIPs, PortMappings })).hresult).toBe(
      hresult,
    );
  });
});
