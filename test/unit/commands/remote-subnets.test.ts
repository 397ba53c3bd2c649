import { describe, expect, test } from 'vitest';
import { findRemoteSubnetProblems, setRemoteSubnets } from '../../../src/commands/remote-subnets.ts';
import type { NetworkConfig, RemoteSubnet } from '../../../src/config/network-config.ts';
import { readNetworkConfig } from '../../../src/config/read-config.ts';
import { newNodeRoute } from '../../../src/net/node-route.ts';
import { previewSteps } from '../../../src/steps/preview.ts';
import { example } from '../../e2e/example.ts';
import { type SmallNodeOptions, smallNode } from './small-node.ts';

const id = '22222222-2222-3333-4444-555555555555';
const SchemaVersion = { Major: 2, Minor: 0 };
const overlay = { ID: id, Name: 'vxlan0', Type: 'Overlay', SchemaVersion };
const bridge = {
  ID: id,
  Name: 'cbr0',
  Type: 'L2Bridge',
  Policies: [{ Type: 'NetAdapterName', Settings: { NetworkAdapterName: 'Ethernet' } }],
  Ipams: [{ Subnets: [{ IpAddressPrefix: '10.244.0.0/24' }] }],
  SchemaVersion,
};
const [one, two, three] = [1, 2, 3, 4].map((number) => `10.244.${number}.0/24`) as [
  string,
  string,
  string,
  string,
];
const mac = '00-15-5D-00-00-01';
const tunnel = (subnet: string, providerAddress = '10.0.0.5'): RemoteSubnet => ({
  subnet,
  providerAddress,
  macAddress: mac,
  vsid: 4096,
});
const policy = (subnet: string, providerAddress = '10.0.0.5') => ({
  Type: 'RemoteSubnetRoute',
  Settings: {
    DestinationPrefix: subnet,
    IsolationId: 4096,
    ProviderAddress: providerAddress,
    DistributedRouterMacAddress: mac,
  },
});
const hop = (subnet: string, nextHop = '10.0.0.5'): RemoteSubnet => ({ subnet, nextHop });
const route = (subnet: string, nextHop = '10.0.0.5') => newNodeRoute(12, subnet, nextHop);

const config = (...remoteSubnets: readonly RemoteSubnet[]): NetworkConfig => ({
  ...readNetworkConfig(example('l2bridge')),
  remoteSubnets,
});

describe('the remote subnets of a new L2Bridge network', () => {
  test('wait 10 s for the interface of the node, then fail with code 11', async () => {
    const node = smallNode({ readAdapters: async () => [] });
    await expect(setRemoteSubnets(config(hop(one)), bridge, node.context)).rejects.toMatchObject({
      code: 11,
      message:
        'no interface of the node has an address on network "cbr0": its routes to remote subnets cannot be created',
      details: 'check Get-NetIPAddress and Get-NetAdapter -IncludeHidden',
    });
    expect(node.context.now()).toBe(10_000);
  });

  test('in a preview are on an interface that does not exist yet', async () => {
    const node = smallNode({ readAdapters: async () => [] });
    const { changes, steps } = previewSteps(node.hcn);
    await setRemoteSubnets(config(hop(one)), bridge, { ...node.context, changes });
    expect(steps).toEqual([{ do: 'create route', route: newNodeRoute(0, one, '10.0.0.5') }]);
  });
});

describe('the differences of remote subnets', () => {
  const problems = async (
    wanted: readonly RemoteSubnet[],
    network: typeof overlay | typeof bridge,
    options: SmallNodeOptions = {},
  ) => {
    const node = smallNode(options);
    for (const before of [route(one), route(two, '10.0.0.9'), route('10.9.0.0/24')])
      await node.targets.ipHelper.createRoute(before);
    return findRemoteSubnetProblems(config(...wanted), network, node.context);
  };

  test('of an Overlay network are those of its policies, without additional ones', async () => {
    const Policies = [policy(one), policy(two, '10.0.0.9'), policy('10.9.0.0/24')];
    const readAdapters = () => Promise.reject(new Error('adapters were read'));
    const wanted = [tunnel(one), tunnel(two), tunnel(three)];
    const found = await problems(wanted, { ...overlay, Policies } as typeof overlay, { readAdapters });
    expect(found).toEqual([
      `remote subnet ${two} is via 10.0.0.9, MAC address 00-15-5D-00-00-01, VSID 4096, expected via 10.0.0.5, MAC address 00-15-5D-00-00-01, VSID 4096`,
      `remote subnet ${three} is missing`,
    ]);
  });

  test('of an L2Bridge network are those of its routes, without additional ones', async () => {
    expect(await problems([hop(one), hop(two), hop(three)], bridge)).toEqual([
      `remote subnet ${two} is via 10.0.0.9, expected via 10.0.0.5`,
      `remote subnet ${three} is missing`,
    ]);
  });

  test('of an L2Bridge network on which the node has no address cannot be read', async () => {
    expect(await problems([hop(one)], bridge, { readAdapters: async () => [] })).toEqual([
      'no interface of the node has an address on it',
    ]);
  });
});
