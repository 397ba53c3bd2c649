import { expect, it } from 'vitest';
import { network } from '../simulator/computenetwork.ts';
import {
  createEndpoint,
  createNetwork,
  hnsAroundEach,
  l2bridge,
  modify,
  nat,
  overlay,
} from './test-client.ts';

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
const set = (Values: string) => ({
  Type: 'SetPolicy',
  Settings: { Id: 'azure-npm-1', Name: 'a', PolicyType: 'IPSET', Values },
});
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
it('removes only policies that are equal in every setting [S flannel, calico]', async () => {
  await createNetwork(overlay, id);
  await modify(network, id, request('Add', route));
  const other = { ...route, Settings: { ...route.Settings, IsolationId: 5001 } };
  expect((await modify(network, id, request('Remove', other))).hresult).toBe('0x803B0008');
});
it('replaces a set by its Id [S hns.v2.psm1]', async () => {
  await createNetwork(overlay, id);
  await modify(network, id, request('Add', set('10.0.0.1')));
  const { document } = await modify(network, id, request('Update', set('10.0.0.2')));
  expect(document['Policies']).toContainEqual(set('10.0.0.2'));
  expect(document['Policies']).not.toContainEqual(set('10.0.0.1'));
});
it('adds a subnet; refuses an overlapping one, and to remove one that is in use [I]', async () => {
  await createNetwork(l2bridge, id);
  const change = (RequestType: string, IpAddressPrefix: string) =>
    modify(network, id, {
      ResourceType: 'Subnet',
      RequestType,
      Settings: { Subnets: [{ IpAddressPrefix }] },
    });
  expect((await change('Add', '192.168.101.0/24')).hresult).toBe('0x00000000');
  expect((await change('Add', '192.168.101.0/24')).hresult).toBe('0x803B0032');
  expect((await change('Add', '192.168.0.0/16')).hresult).toBe('0x803B0032');
  await createEndpoint(id, {});
  expect((await change('Remove', '192.168.100.0/24')).hresult).toBe('0x803B002C');
  expect((await change('Remove', '192.168.101.0/24')).hresult).toBe('0x00000000');
});
it('refuses an overlay subnet without a VSID or with a VSID below 4096 [I]', async () => {
  await createNetwork(overlay, id);
  const add = (...Policies: object[]) =>
    modify(network, id, {
      ResourceType: 'Subnet',
      RequestType: 'Add',
      Settings: { Subnets: [{ IpAddressPrefix: '10.244.4.0/24', Policies }] },
    });
  const vsid = (IsolationId: number) => ({ Type: 'VSID', Settings: { IsolationId } });
  expect((await add()).hresult).toBe('0x80070057');
  expect((await add(vsid(4095))).hresult).toBe('0x803B000D');
  expect((await add(vsid(16_777_215))).hresult).toBe('0x00000000');
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
