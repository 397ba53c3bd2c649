import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { applyLoadBalancer, deleteLoadBalancer } from '../../src/commands/load-balancer.ts';
import { readLoadBalancer } from '../../src/config/load-balancer-config.ts';
import { loadBalancerId } from '../../src/model/identity.ts';
import type { HnsOptions } from '../simulator/hns.ts';
import type { SimulatedHost } from './host.ts';
import {
  dns,
  lasting,
  network,
  pod,
  remote,
  remoteId,
  schemaVersion,
  startOverlayHost,
} from './overlay-host.ts';

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

  test('matches if HNS returns endpoint ids in upper case', async () => {
    await apply();
    const [document] = host.hns.dump().loadBalancers;
    const answer = JSON.stringify({ ...document, HostComputeEndpoints: [remoteId.toUpperCase()] });
    host.hns.inject({ function: 'HcnQueryLoadBalancerProperties', effect: { answer } });
    expect(await apply()).toBe('unchanged');
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

  test('keeps remote endpoints of other programs when it is deleted', async () => {
    await host.hcn.createEndpoint(network, '11111111-2222-4333-8444-555555555555', {
      Name: '',
      HostComputeNetwork: network,
      IpConfigurations: [{ IpAddress: '100.1.2.3' }],
      MacAddress: '02-11-64-01-02-03',
      Policies: [{ Type: 'ProviderAddress', Settings: { ProviderAddress: '10.0.0.5' } }],
      Flags: 1,
      SchemaVersion: schemaVersion,
    });
    const before = state();
    await apply();
    expect(host.hns.dump().endpoints).toEqual(before.endpoints);
    await deleteLoadBalancer(loadBalancerId('dns'), host.context);
    expect(state()).toEqual(before);
  });
});

describe('the node of a remote backend on an Overlay network', () => {
  const providerOf = async (address: string) => {
    await apply({ backends: [address] });
    const endpoint = host.hns.dump().endpoints.find(({ Name }) => Name === `remote_${address}`);
    return endpoint?.['Policies'];
  };
  const provider = (ProviderAddress: string) => [{ Type: 'ProviderAddress', Settings: { ProviderAddress } }];

  test('is this one for addresses in no subnet of a node', async () => {
    expect(await providerOf('100.1.2.3')).toEqual(provider('10.0.0.4'));
  });

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

const behaviors = ['unsupported', 'ignored', 'applied'] as const;

describe.each(behaviors)('where HcnModifyLoadBalancer is %s', (modifyLoadBalancer) => {
  beforeEach(() => restart({ switches: { modifyLoadBalancer } }));

  test('an update takes effect and deletes the unused remote endpoint', async () => {
    await apply();
    const update = { frontendVIPs: ['10.96.0.20'], sessionAffinity: 'None', backends: ['192.168.1.2'] };
    const calls = await host.calls(async () => expect(await apply(update)).toBe('updated'));
    expect(calls.includes('HcnDeleteLoadBalancer')).toBe(modifyLoadBalancer !== 'applied');
    expect(state()).toEqual({
      endpoints: [expect.objectContaining({ ID: pod })],
      loadBalancers: [
        {
          ID: loadBalancerId('dns'),
          HostComputeEndpoints: [pod],
          SourceVIP: '192.168.0.2',
          FrontendVIPs: ['10.96.0.20'],
          PortMappings: [
            { Protocol: 17, InternalPort: 53, ExternalPort: 53 },
            { Protocol: 6, InternalPort: 53, ExternalPort: 53 },
          ],
          SchemaVersion: schemaVersion,
        },
      ],
    });
    expect(await apply(update)).toBe('unchanged');
  });

  test('an update that HCN refuses keeps the old load balancer', async () => {
    await apply();
    await apply({ name: 'web', frontendVIPs: ['10.96.0.11'] });
    const before = state();
    const update = { frontendVIPs: ['10.96.0.11'], backends: [remote, { ...remote, address: '100.1.2.4' }] };
    await expect(apply(update)).rejects.toMatchObject({
      code: 100,
      details: expect.not.stringMatching(/undoing/),
    });
    expect(lasting(state())).toEqual(lasting(before));
  });
});

describe.each(['free', 'excluded'] as const)(
  'on Windows Server 2019, where the ports of a deleted load balancer are %s,',
  (portsOfDeletedLoadBalancer) => {
    const plain = { sessionAffinity: 'None', localRoutedVip: true, frontendVIPs: [] };
    const local = { ...plain, backends: ['192.168.1.2'] };
    const refusal = {
      code: 100,
      message: `load balancer ${loadBalancerId('dns')} was not changed: this HNS cannot modify load balancers, and may refuse port 53 after a deletion (kubernetes/kubernetes#137530)`,
      details: `use other ports, or run win-hcn loadbalancer delete ${loadBalancerId('dns')} --yes and apply the file again; if HNS then refuses port 53, drain and restart the node`,
    };
    beforeEach(() => restart({ profile: 'ws2019', switches: { portsOfDeletedLoadBalancer } }));

    test('an update with the same port keeps the load balancer, and says what to do', async () => {
      await apply(plain);
      const before = lasting(state());
      await expect(apply(local)).rejects.toMatchObject(refusal);
      expect(lasting(state())).toEqual(before);
    });
  },
);

test('a load balancer with a deleted endpoint is created again', async () => {
  await restart({ switches: { modifyLoadBalancer: 'ignored' } });
  await apply();
  const before = lasting(state());
  await host.hcn.deleteEndpoint(remoteId);
  const calls = await host.calls(async () => expect(await apply()).toBe('updated'));
  expect(calls).toContain('HcnDeleteLoadBalancer');
  expect(lasting(state())).toEqual(before);
});

describe('two load balancers with the same remote backend', () => {
  const web = { name: 'web', frontendVIPs: ['10.96.0.11'] };
  const shared = {
    endpoints: [{ ID: pod }, { ID: remoteId }],
    loadBalancers: [{ HostComputeEndpoints: [remoteId] }],
  };

  test('that are created at once share its remote endpoint', async () => {
    expect(await Promise.all([apply(), apply(web)])).toEqual(['created', 'created']);
    const { endpoints, loadBalancers } = host.hns.dump();
    expect(loadBalancers).toHaveLength(2);
    expect({ endpoints, loadBalancers: loadBalancers.slice(1) }).toMatchObject(shared);
  });
});

describe('a backend that moved to another node', () => {
  const moved = { backends: [{ ...remote, providerAddress: '10.0.0.6' }] };

  test('gets a new remote endpoint', async () => {
    await apply({ backends: [{ ...remote, macAddress: '02-11-00-00-00-01' }] });
    expect(await apply(moved)).toBe('updated');
    expect(host.hns.dump()).toMatchObject({
      endpoints: [
        { ID: pod },
        {
          ID: remoteId,
          MacAddress: '02-11-00-00-00-01',
          Policies: [{ Type: 'ProviderAddress', Settings: { ProviderAddress: '10.0.0.6' } }],
        },
      ],
      loadBalancers: [{ HostComputeEndpoints: [remoteId] }],
    });
  });

  test('is refused while another load balancer has it on the old node', async () => {
    await apply();
    await apply({ name: 'web', frontendVIPs: ['10.96.0.11'] });
    const before = state();
    await expect(apply(moved)).rejects.toMatchObject({
      code: 7,
      message: `remote endpoint "remote_100.1.2.3" differs from the configuration, and other load balancers use it: ${loadBalancerId('web')}`,
    });
    expect(state()).toEqual(before);
  });
});
