import { describe, expect, test } from 'vitest';
import type { HostComputeNetwork, Policy } from '../../../src/hcn/documents.ts';
import { newNodeRoute } from '../../../src/net/node-route.ts';
import { isSameRemoteSubnet, remoteSubnetPolicy, routeChanges } from '../../../src/plan/remote-subnets.ts';

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

describe('the changes of node routes', () => {
  const wanted = { subnet: '10.244.2.0/24', nextHop: '10.0.0.5' };
  const ours = newNodeRoute(7, '10.244.2.0/24', '10.0.0.5');
  const others = { ...ours, metric: 256 };

  test('are none if the route exists, whoever made it', () => {
    expect(routeChanges([wanted], 7, [ours])).toEqual([]);
    expect(routeChanges([wanted], 7, [others])).toEqual([]);
    expect(routeChanges([], 7, [others])).toEqual([]);
  });

  test('replace a route of win-hcn to another node, and leave those of other programs alone', () => {
    const wrong = newNodeRoute(7, '10.244.2.0/24', '10.0.0.9');
    const foreign = { ...wrong, metric: 256 };
    const change = { subnet: '10.244.2.0/24', difference: 'different' };
    expect(routeChanges([wanted], 7, [wrong])).toEqual([
      { ...change, remove: [wrong], add: [ours], others: [] },
    ]);
    expect(routeChanges([wanted], 7, [wrong, foreign])).toEqual([
      { ...change, remove: [wrong], add: [], others: [foreign] },
    ]);
    expect(routeChanges([wanted], 7, [])).toEqual([
      { ...change, difference: 'missing', remove: [], add: [ours], others: [] },
    ]);
    expect(routeChanges([], 7, [ours, foreign])).toEqual([
      { ...change, difference: 'additional', remove: [ours], add: [], others: [] },
    ]);
  });
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
