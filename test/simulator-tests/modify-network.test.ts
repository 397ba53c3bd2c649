import { expect, it } from 'vitest';
import { network } from '../simulator/computenetwork.ts';
import { createNetwork, hnsAroundEach, l2bridge, modify, nat, overlay } from './test-client.ts';

hnsAroundEach();
const id = '3c6fab4d-6191-4171-a627-dd46f8c2e392';
const route = {
  Type: 'RemoteSubnetRoute',
  Settings: {
    DestinationPrefix: '192.168.2.0/24',
    IsolationId: 5000,
    ProviderAddress: '1.1.1.1',
    DistributedRouterMacAddress: '00-12-34-56-78-9a',
  },
};
const request = (RequestType: string, ...Policies: object[]) => ({
  ResourceType: 'Policy',
  RequestType,
  Settings: { Policies },
});
it.each([
  ['RemoteSubnetRoute', route],
  ['HostRoute', { Type: 'HostRoute', Settings: {} }],
])('adds and removes a %s [T hcnnetwork_test.go]', async (_, policy) => {
  await createNetwork(overlay, id);
  const added = await modify(network, id, request('Add', policy));
  expect(added.document['Policies']).toContainEqual(policy);
  const removed = await modify(network, id, request('Remove', policy));
  expect(removed.document['Policies']).not.toContainEqual(policy);
});
it('adds an address range to a subnet; refuses a range outside of it [D HCNHResult.md]', async () => {
  const { document } = await createNetwork(l2bridge, id);
  const [{ Subnets }] = document['Ipams'] as [{ Subnets: [{ ID: string }] }];
  const add = (IpAddressPrefix: string) =>
    modify(network, id, {
      ResourceType: 'IPSubnet',
      RequestType: 'Add',
      Settings: { SubnetId: Subnets[0].ID, IpSubnets: [{ IpAddressPrefix }] },
    });
  expect((await add('192.168.100.128/25')).hresult).toBe('0x00000000');
  expect((await add('192.168.101.0/25')).hresult).toBe('0x803B0033');
});
it('sets DNS [D HNS_Schema.md ModifyNetworkSettingRequest]', async () => {
  await createNetwork(nat, id);
  const Settings = { Domain: 'cluster.local', ServerList: ['10.96.0.10'] };
  const { document } = await modify(network, id, { ResourceType: 'DNS', RequestType: 'Update', Settings });
  expect(document).toMatchObject({ Dns: Settings });
});
