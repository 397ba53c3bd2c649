import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { applyLoadBalancer, deleteLoadBalancer } from '../../src/commands/load-balancer.ts';
import { readLoadBalancer } from '../../src/config/load-balancer-config.ts';
import { loadBalancerId } from '../../src/model/identity.ts';
import type { HnsOptions } from '../simulator/hns.ts';
import type { SimulatedHost } from './host.ts';
import { dns, network, pod, remoteId, schemaVersion, startOverlayHost } from './overlay-host.ts';

let host: SimulatedHost;
beforeEach(async () => {
  host = await startOverlayHost();
});
afterEach(() => host.hns.stop());

async function restart(options: HnsOptions): Promise<void> {
  await host.hns.stop();
  host = await startOverlayHost(options);
}

const apply = (changes: object = {}) =>
  applyLoadBalancer(readLoadBalancer({ ...dns, ...changes }), host.context);
const state = () => {
  const { endpoints, loadBalancers } = host.hns.dump();
  return { endpoints, loadBalancers };
};
describe('a load balancer with source-IP affinity and a remote backend', () => {
  test('is created as configured', async () => {
    expect(await apply()).toBe('created');
    expect(state()).toEqual({
      endpoints: [
        expect.objectContaining({ ID: pod }),
        {
          ID: remoteId,
          Name: 'remote_100.1.2.3',
          HostComputeNetwork: network,
          HostComputeNamespace: '00000000-0000-0000-0000-000000000000',
          Policies: [{ Type: 'ProviderAddress', Settings: { ProviderAddress: '10.0.0.5' } }],
          IpConfigurations: [{ IpAddress: '100.1.2.3' }],
          Dns: {},
          MacAddress: '02-11-64-01-02-03',
          Flags: 1,
          Health: expect.anything(),
          State: 1,
          SchemaVersion: schemaVersion,
        },
      ],
      loadBalancers: [
        {
          ID: loadBalancerId('dns'),
          HostComputeEndpoints: [remoteId],
          SourceVIP: '192.168.0.2',
          FrontendVIPs: ['10.96.0.10'],
          PortMappings: [
            { Protocol: 17, InternalPort: 53, ExternalPort: 53, DistributionType: 2 },
            { Protocol: 6, InternalPort: 53, ExternalPort: 53, DistributionType: 2 },
          ],
          SchemaVersion: schemaVersion,
        },
      ],
    });
  });
});

describe('a load balancer', () => {
  test('shares a remote endpoint with another one; deleting the last one deletes the endpoint', async () => {
    await apply();
    await apply({ name: 'web', frontendVIPs: ['10.96.0.11'], backends: ['100.1.2.3'] });
    expect(host.hns.dump().endpoints).toHaveLength(2);
    expect(await deleteLoadBalancer(loadBalancerId('dns'), host.context)).toBe(true);
    expect(host.hns.dump()).toMatchObject({
      endpoints: [{ ID: pod }, { ID: remoteId }],
      loadBalancers: [{ ID: loadBalancerId('web') }],
    });
    expect(await deleteLoadBalancer(loadBalancerId('web'), host.context)).toBe(true);
    expect(host.hns.dump()).toMatchObject({ endpoints: [{ ID: pod }], loadBalancers: [] });
  });
});

describe('the node of a remote backend on an Overlay network', () => {
  const providerOf = async (address: string) => {
    await apply({ backends: [address] });
    const endpoint = host.hns.dump().endpoints.find(({ Name }) => Name === `remote_${address}`);
    return endpoint?.['Policies'];
  };
  const provider = (ProviderAddress: string) => [{ Type: 'ProviderAddress', Settings: { ProviderAddress } }];

  test('is the one whose subnet contains the address', async () => {
    const route = {
      DestinationPrefix: '192.168.7.0/24',
      IsolationId: 4096,
      ProviderAddress: '10.0.0.7',
      DistributedRouterMacAddress: '00-15-5D-AA-BB-CC',
    };
    const [document] = host.hns.dump().networks;
    const Policies = [{ Type: 'RemoteSubnetRoute', Settings: route }];
    const answer = JSON.stringify({ ...document, Policies });
    host.hns.inject({ function: 'HcnQueryNetworkProperties', effect: { answer } });
    expect(await providerOf('192.168.7.9')).toEqual(provider('10.0.0.7'));
  });
});

test('a load balancer that the host does not support is refused with the required version', async () => {
  await restart({ profile: 'ws2019' });
  await expect(apply()).rejects.toMatchObject({
    code: 7,
    message:
      '/sessionAffinity: SessionAffinity needs HNS 12.0 or later; this host has 9.5 (Windows Server 2019)',
  });
});

describe('a load balancer is refused, and nothing is created,', () => {
  test('when its network does not exist', async () => {
    const before = state();
    await expect(apply({ network: 'overlai' })).rejects.toMatchObject({
      code: 7,
      message: '/network is "overlai", and HCN has no network of this name',
      details: 'correct the name, or create the network with win-hcn network ensure FILE',
    });
    expect(state()).toEqual(before);
  });
});
