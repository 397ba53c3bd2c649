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
const [one, two, three, four] = [1, 2, 3, 4].map((number) => `10.244.${number}.0/24`) as [
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
const foreign = { ...route(four, '10.0.0.99'), metric: 256 };

const config = (...remoteSubnets: readonly RemoteSubnet[]): NetworkConfig => ({
  ...readNetworkConfig(example('l2bridge')),
  remoteSubnets,
});

describe('the remote subnets of a new Overlay network', () => {
  test('are added one at a time, and a later failure leaves them', async () => {
    const node = smallNode({ networks: [overlay] });
    await setRemoteSubnets(config(tunnel(one), tunnel(two)), overlay, node.context);
    expect(node.calls).toEqual([
      `open Network ${id}`,
      `modify Network ${id} Add Policy`,
      `modify Network ${id} Add Policy`,
    ]);
    expect(await node.rollBack()).toEqual([]);
  });

  test('that cannot be added fail', async () => {
    const fault = (call: string) => (call.startsWith('modify') ? 0x803b001d : undefined);
    const { context } = smallNode({ networks: [overlay], fault });
    await expect(setRemoteSubnets(config(tunnel(one)), overlay, context)).rejects.toMatchObject({
      code: 100,
    });
  });
});

describe('the remote subnets of a new L2Bridge network', () => {
  const text = (verb: string, subnet: string, nextHop = '10.0.0.5') =>
    `${verb} route to ${subnet} through ${nextHop} on interface 12`;

  test('become routes of the node, except where another program has one, and a later failure leaves them', async () => {
    const node = smallNode();
    const { ipHelper } = node.targets;
    for (const before of [route(two, '10.0.0.9'), route(three), route('10.9.0.0/24'), foreign])
      await ipHelper.createRoute(before);
    const { length } = node.interfaces;
    await setRemoteSubnets(config(hop(one), hop(two), hop(three), hop(four)), bridge, node.context);
    expect(node.interfaces.slice(length)).toEqual([
      text('create', one),
      text('delete', two, '10.0.0.9'),
      text('create', two),
    ]);
    expect(node.notices).toEqual([
      `the route to ${four} through 10.0.0.99 on interface 12, which another program created, is not changed`,
    ]);
    await node.rollBack();
    expect(node.interfaces).toHaveLength(length + 3);
  });

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

test('a network without remote subnets needs nothing', async () => {
  const readAdapters = () => Promise.reject(new Error('adapters were read'));
  const node = smallNode({ readAdapters });
  await setRemoteSubnets(config(), bridge, node.context);
  expect(await findRemoteSubnetProblems(config(), bridge, node.context)).toEqual([]);
  expect([...node.calls, ...node.interfaces]).toEqual([]);
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
    const rest = `MAC address ${mac} and VSID 4096`;
    const found = await problems(wanted, { ...overlay, Policies } as typeof overlay, { readAdapters });
    expect(found).toEqual([
      `remote subnet ${two} is on node 10.0.0.9 with ${rest}, expected on node 10.0.0.5 with ${rest}`,
      `remote subnet ${three} is missing, expected on node 10.0.0.5 with ${rest}`,
    ]);
  });

  test('of an L2Bridge network are those of the routes of the node, without additional ones', async () => {
    const found = await problems([hop(one), hop(two), hop(three)], bridge);
    expect(found).toEqual([
      `remote subnet ${two} is through 10.0.0.9 on interface 12, expected through 10.0.0.5 on interface 12`,
      `remote subnet ${three} is missing, expected through 10.0.0.5 on interface 12`,
    ]);
  });

  test('of an L2Bridge network on which the node has no address cannot be read', async () => {
    expect(await problems([hop(one)], bridge, { readAdapters: async () => [] })).toEqual([
      'no interface of the node has an address on it',
    ]);
  });
});
