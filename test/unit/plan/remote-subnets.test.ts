import { describe, expect, test } from 'vitest';
import type { HostComputeNetwork, Policy } from '../../../src/hcn/documents.ts';
import { newNodeRoute } from '../../../src/net/node-route.ts';
import {
  isSameRemoteSubnet,
  remoteSubnetChanges,
  remoteSubnetPolicy,
  remoteSubnetsOf,
  routeChanges,
  vsidOf,
} from '../../../src/plan/remote-subnets.ts';

const isolation = (IsolationId: number) => [{ Type: 'VSID', Settings: { IsolationId } }];
const network = (...Policies: readonly Policy[]): HostComputeNetwork => ({
  Name: 'overlay',
  Type: 'Overlay',
  Policies: [{ Type: 'HostRoute', Settings: {} }, ...Policies],
  Ipams: [{ Subnets: [{ IpAddressPrefix: '10.244.1.0/24', Policies: isolation(4096) }] }],
  SchemaVersion: { Major: 2, Minor: 0 },
});
const policy = (DestinationPrefix: string, settings: object = {}): Policy => ({
  Type: 'RemoteSubnetRoute',
  Settings: {
    DestinationPrefix,
    IsolationId: 4096,
    ProviderAddress: '10.0.0.5',
    DistributedRouterMacAddress: '00-15-5D-0A-0B-0C',
    ...settings,
  },
});
const remote = { subnet: '10.244.2.0/24', providerAddress: '10.0.0.5', macAddress: '00-15-5D-0A-0B-0C' };

describe('the policy of a remote subnet', () => {
  test("has the VSID of the network's own subnet by default, and its members in flannel's order", () => {
    expect(JSON.stringify(remoteSubnetPolicy(remote, network()))).toBe(
      '{"Type":"RemoteSubnetRoute","Settings":{"DestinationPrefix":"10.244.2.0/24","IsolationId":4096,' +
        '"ProviderAddress":"10.0.0.5","DistributedRouterMacAddress":"00-15-5D-0A-0B-0C"}}',
    );
  });

  test('has its own VSID if it has one', () => {
    expect(remoteSubnetPolicy({ ...remote, vsid: 5000 }, network())).toEqual(
      policy('10.244.2.0/24', { IsolationId: 5000 }),
    );
  });

  test('needs a VSID', () => {
    expect(() => remoteSubnetPolicy(remote, { ...network(), Ipams: [] })).toThrow(
      expect.objectContaining({
        code: 7,
        message: 'remote subnet 10.244.2.0/24 has no vsid, and neither has network "overlay"',
        details: 'set "vsid" of the remote subnet',
      }),
    );
  });
});

test('the remote subnets of a network are read in any form that HNS returns', () => {
  const written = policy('10.244.2.7/24', { DistributedRouterMacAddress: 'ba:c1:6f:91:17:c7' });
  const { Settings = {} } = written;
  const unreadable = { Type: 'RemoteSubnetRoute', Settings: { DestinationPrefix: '10.244.3.0/24' } };
  expect(remoteSubnetsOf(network({ Type: 'remotesubnetroute', Settings }, unreadable, policy('x')))).toEqual([
    {
      subnet: '10.244.2.0/24',
      providerAddress: '10.0.0.5',
      macAddress: 'BA-C1-6F-91-17-C7',
      vsid: 4096,
      policy: { Type: 'remotesubnetroute', Settings },
    },
    {
      subnet: '10.244.3.0/24',
      providerAddress: undefined,
      macAddress: undefined,
      vsid: undefined,
      policy: unreadable,
    },
  ]);
});

describe('the changes of remote subnets', () => {
  test('are none if every one is as wanted, in any form', () => {
    const other = policy('10.244.2.0/24', { DistributedRouterMacAddress: '00:15:5d:0a:0b:0c' });
    expect(remoteSubnetChanges([remote], network(policy('10.244.2.0/24')))).toEqual([]);
    expect(remoteSubnetChanges([remote], network(other))).toEqual([]);
    expect(remoteSubnetChanges([remote], network(other, policy('10.244.2.0/24')))).toEqual([]);
    expect(remoteSubnetChanges([], network())).toEqual([]);
  });

  test('add a missing one', () => {
    expect(remoteSubnetChanges([remote], network())).toEqual([
      { subnet: '10.244.2.0/24', difference: 'missing', remove: [], add: [policy('10.244.2.0/24')] },
    ]);
  });

  test.each([
    { ProviderAddress: '10.0.0.6' },
    { DistributedRouterMacAddress: 'BA-C1-6F-91-17-C7' },
    { IsolationId: 5000 },
    { IsolationId: undefined },
  ])('replace one with %j, as HNS returned it, and touch no other', (settings) => {
    const found = policy('10.244.2.0/24', settings);
    const neighbor = { ...remote, subnet: '10.244.3.0/24' };
    const observed = network(policy('10.244.3.0/24'), found);
    expect(remoteSubnetChanges([remote, neighbor], observed)).toEqual([
      {
        subnet: '10.244.2.0/24',
        difference: 'different',
        remove: [found],
        add: [policy('10.244.2.0/24')],
      },
    ]);
  });

  test('replace all policies of a subnet if one is wrong: kube-proxy uses the last one', () => {
    const wrong = policy('10.244.2.0/24', { ProviderAddress: '10.0.0.6' });
    expect(remoteSubnetChanges([remote], network(policy('10.244.2.0/24'), wrong))).toEqual([
      {
        subnet: '10.244.2.0/24',
        difference: 'different',
        remove: [policy('10.244.2.0/24'), wrong],
        add: [policy('10.244.2.0/24')],
      },
    ]);
  });

  test('remove additional ones first', () => {
    expect(remoteSubnetChanges([remote], network(policy('10.244.9.0/24')))).toEqual([
      { subnet: '10.244.9.0/24', difference: 'additional', remove: [policy('10.244.9.0/24')], add: [] },
      { subnet: '10.244.2.0/24', difference: 'missing', remove: [], add: [policy('10.244.2.0/24')] },
    ]);
  });
});

describe('the changes of node routes', () => {
  const wanted = { subnet: '10.244.2.0/24', nextHop: '10.0.0.5' };
  const ours = newNodeRoute(7, '10.244.2.0/24', '10.0.0.5');
  const others = { ...ours, metric: 256 };

  test('are none if the route exists, whoever made it', () => {
    expect(routeChanges([wanted], 7, [ours])).toEqual([]);
    expect(routeChanges([wanted], 7, [others])).toEqual([]);
    expect(routeChanges([], 7, [others])).toEqual([]);
  });

  test('create a missing one, and know it afterwards', () => {
    expect(routeChanges([wanted], 7, [])).toEqual([
      {
        subnet: '10.244.2.0/24',
        difference: 'missing',
        remove: [],
        add: [{ interfaceIndex: 7, prefix: '10.244.2.0/24', nextHop: '10.0.0.5', metric: 4242, protocol: 3 }],
        others: [],
      },
    ]);
  });

  test('replace one to another next hop', () => {
    const stale = { ...ours, nextHop: '10.0.0.6' };
    expect(routeChanges([wanted], 7, [stale])).toEqual([
      { subnet: '10.244.2.0/24', difference: 'different', remove: [stale], add: [ours], others: [] },
    ]);
    expect(routeChanges([wanted], 7, [stale, ours])).toEqual([
      { subnet: '10.244.2.0/24', difference: 'different', remove: [stale], add: [], others: [] },
    ]);
  });

  test.each([
    { ...others, nextHop: '10.0.0.6' },
    { ...ours, interfaceIndex: 8 },
  ])("name another program's route, and leave it alone: %j", (route) => {
    expect(routeChanges([wanted], 7, [route])).toEqual([
      { subnet: '10.244.2.0/24', difference: 'different', remove: [], add: [], others: [route] },
    ]);
  });

  test('delete additional ones first, only those on the interface and with the mark', () => {
    const stale = newNodeRoute(7, 'fd00:9::/64', 'fd00::9');
    const elsewhere = { ...stale, interfaceIndex: 8 };
    const learned = { ...stale, protocol: 14 };
    expect(routeChanges([wanted], 7, [elsewhere, learned, stale])).toEqual([
      { subnet: 'fd00:9::/64', difference: 'additional', remove: [stale], add: [], others: [] },
      { subnet: '10.244.2.0/24', difference: 'missing', remove: [], add: [ours], others: [] },
    ]);
  });
});

test('the VSID of a network is that of its first subnet that has one', () => {
  const of = (...vsids: readonly (number | undefined)[]) => ({
    ...network(),
    Ipams: vsids.map((vsid, index) => ({
      Subnets: [
        {
          IpAddressPrefix: `10.244.${index}.0/24`,
          ...(vsid !== undefined && { Policies: isolation(vsid) }),
        },
      ],
    })),
  });
  expect(vsidOf(of(undefined, 0, 4097, 4098))).toBe(4097);
  expect(vsidOf(of(undefined, 0))).toBeUndefined();
  expect(vsidOf(of())).toBeUndefined();
});

test('two policies are the same remote subnet if all of their values are', () => {
  const one = policy('10.244.2.0/24');
  expect(
    isSameRemoteSubnet(one, policy('10.244.2.7/24', { DistributedRouterMacAddress: '00:15:5d:0a:0b:0c' })),
  ).toBe(true);
  const others = [
    policy('10.244.3.0/24'),
    policy('10.244.2.0/24', { IsolationId: 4097 }),
    policy('10.244.2.0/24', { ProviderAddress: '10.0.0.6' }),
    policy('10.244.2.0/24', { DistributedRouterMacAddress: '00-15-5D-0A-0B-0D' }),
    policy('x'),
    { Type: 'HostRoute', Settings: one.Settings ?? {} },
  ];
  for (const other of others)
    expect([isSameRemoteSubnet(one, other), isSameRemoteSubnet(other, one)]).toEqual([false, false]);
  expect(isSameRemoteSubnet(policy('x'), policy('x'))).toBe(false);
});
