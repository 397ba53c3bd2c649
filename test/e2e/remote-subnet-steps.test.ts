import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Policy } from '../../src/hcn/documents.ts';
import { loadIpHelper } from '../../src/iphlpapi/load-ip-helper.ts';
import { describeNodeRoute, newNodeRoute } from '../../src/net/node-route.ts';
import type { Changes } from '../../src/steps/changes.ts';
import { executeSteps } from '../../src/steps/execute.ts';
import { titleOf } from '../../src/steps/table.ts';
import { buildLinuxStub } from '../simulator/stub/build.ts';
import type { SimulatedHost } from './host.ts';
import { network, startOverlayHost } from './overlay-host.ts';
import { stepTargets } from './step-targets.ts';

let host: SimulatedHost;
let changes: Changes;
beforeEach(async () => {
  host = await startOverlayHost();
  const ipHelper = loadIpHelper(buildLinuxStub());
  changes = executeSteps(stepTargets({ hcn: host.hcn, ipHelper }));
});
afterEach(() => host.hns.stop());

const policy = (
  DestinationPrefix: string,
  mac = '00-15-5D-0A-0B-0C',
  ProviderAddress = '10.0.0.5',
): Policy => ({
  Type: 'RemoteSubnetRoute',
  Settings: {
    DestinationPrefix,
    IsolationId: 4096,
    ProviderAddress,
    DistributedRouterMacAddress: mac,
  },
});
const step = (action: 'add' | 'remove', changed: Policy) =>
  ({ do: `${action} remote subnet`, id: network, name: 'overlay', policy: changed }) as const;
const policies = () =>
  host.hns
    .dump()
    .networks.flatMap(({ Policies }) => Policies as unknown as readonly Policy[])
    .filter(({ Type }) => Type === 'RemoteSubnetRoute');
const requests = () =>
  host.hns.calls.filter(({ function: name }) => name === 'HcnModifyNetwork').map(({ document }) => document);
const routes = () =>
  host.hns
    .nodeRoutes()
    .filter(({ metric }) => metric === 4242)
    .map(describeNodeRoute);
const failAfter = (work: () => Promise<unknown>) =>
  changes.transaction(async () => {
    await work();
    throw new Error('a later step failed');
  });

describe('remote subnets', () => {
  const [two, three] = [policy('10.244.2.0/24'), policy('10.244.3.0/24')];

  test('are added and removed with one request each, which has one policy', async () => {
    await changes.apply(step('add', two));
    await changes.apply(step('add', three));
    expect(policies()).toEqual([two, three]);
    await changes.apply(step('remove', two));
    expect(policies()).toEqual([three]);
    expect(requests()).toEqual([
      { ResourceType: 'Policy', RequestType: 'Add', Settings: { Policies: [two] } },
      { ResourceType: 'Policy', RequestType: 'Add', Settings: { Policies: [three] } },
      { ResourceType: 'Policy', RequestType: 'Remove', Settings: { Policies: [two] } },
    ]);
    expect([step('add', two), step('remove', two)].map(titleOf)).toEqual([
      'add remote subnet 10.244.2.0/24 (10.0.0.5, 00-15-5D-0A-0B-0C) to network "overlay"',
      'remove remote subnet 10.244.2.0/24 (10.0.0.5, 00-15-5D-0A-0B-0C) from network "overlay"',
    ]);
  });

  test('that a failed transaction added or removed are as before', async () => {
    await changes.apply(step('add', two));
    changes.keepAll();
    const failing = failAfter(async () => {
      await changes.apply(step('remove', two));
      await changes.apply(step('add', policy('10.244.2.0/24', '00-15-5D-00-00-01')));
      await changes.apply(step('add', three));
    });
    await expect(failing).rejects.toThrow('a later step failed');
    expect(policies()).toEqual([two]);
  });

  test.each(['before', 'after'] as const)(
    'of a request whose connection breaks %s the change are removed by the rollback',
    async (drop) => {
      host.hns.inject({ function: 'HcnModifyNetwork', effect: { drop } });
      await expect(failAfter(() => changes.apply(step('add', two)))).rejects.toThrow();
      expect(policies()).toEqual([]);
    },
  );

  test('that HNS removed with another policy of the prefix count as removed, and are not restored', async () => {
    const failing = failAfter(async () => {
      expect(await changes.apply(step('remove', two))).toBe(false);
    });
    await expect(failing).rejects.toThrow('a later step failed');
    expect(policies()).toEqual([]);
  });

  test('that another request has replaced are not restored beside its own', async () => {
    const replacement = policy('10.244.2.0/24', '00-15-5D-00-00-01');
    await changes.apply(step('add', two));
    changes.keepAll();
    const failing = failAfter(async () => {
      expect(await changes.apply(step('remove', two))).toBe(true);
      await host.hcn.addNetworkPolicies(network, [replacement]);
    });
    await expect(failing).rejects.toThrow('a later step failed');
    expect(policies()).toEqual([replacement]);
  });

  test('of one subnet with different policies that a failed transaction removed are all restored', async () => {
    const other = policy('10.244.2.0/24', '00-15-5D-0A-0B-0D', '10.0.0.6');
    await host.hcn.addNetworkPolicies(network, [two, other]);
    const failing = failAfter(async () => {
      await changes.apply(step('remove', two));
      await changes.apply(step('remove', other));
    });
    await expect(failing).rejects.toThrow('a later step failed');
    expect(policies()).toEqual([other, two]);
  });

  test('that another request has added again are not restored a second time', async () => {
    const other = policy('10.244.2.0/24', '00-15-5D-0A-0B-0D', '10.0.0.6');
    await host.hcn.addNetworkPolicies(network, [two, other]);
    const failing = failAfter(async () => {
      await changes.apply(step('remove', two));
      await changes.apply(step('remove', other));
      await host.hcn.addNetworkPolicies(network, [two]);
    });
    await expect(failing).rejects.toThrow('a later step failed');
    expect(policies()).toEqual([two, other]);
  });

  test('that another request has added too are not removed by the rollback', async () => {
    const failing = failAfter(async () => {
      await changes.apply(step('add', two));
      await host.hcn.addNetworkPolicies(network, [two]);
    });
    await expect(failing).rejects.toThrow('a later step failed');
    expect(policies()).toContainEqual(two);
  });
});

describe('routes', () => {
  const route = newNodeRoute(6, '10.244.2.0/24', '10.0.0.5');
  const other = newNodeRoute(6, '10.244.3.0/24', '10.0.0.6');

  test('are created and deleted', async () => {
    await changes.apply({ do: 'create route', route });
    expect(routes()).toEqual(['route to 10.244.2.0/24 through 10.0.0.5 on interface 6']);
    expect(await changes.apply({ do: 'delete route', route })).toBe(true);
    expect(routes()).toEqual([]);
    expect([titleOf({ do: 'create route', route }), titleOf({ do: 'delete route', route })]).toEqual([
      'create the route to 10.244.2.0/24 through 10.0.0.5 on interface 6',
      'delete the route to 10.244.2.0/24 through 10.0.0.5 on interface 6',
    ]);
  });

  test('that a failed transaction created or deleted are as before', async () => {
    await changes.apply({ do: 'create route', route });
    changes.keepAll();
    const failing = failAfter(async () => {
      await changes.apply({ do: 'delete route', route });
      await changes.apply({ do: 'create route', route: other });
    });
    await expect(failing).rejects.toThrow('a later step failed');
    expect(routes()).toEqual(['route to 10.244.2.0/24 through 10.0.0.5 on interface 6']);
  });

  test.each([
    ['exist again', route],
    ['another request has replaced', { ...route, nextHop: '10.0.0.22' }],
  ])('that %s are not created a second time by the rollback', async (_, present) => {
    await changes.apply({ do: 'create route', route });
    changes.keepAll();
    const failing = failAfter(async () => {
      await changes.apply({ do: 'delete route', route });
      host.hns.addNodeRoute(present);
    });
    await expect(failing).rejects.toThrow('a later step failed');
    expect(routes()).toEqual([describeNodeRoute(present)]);
  });

  test('that another request had created before are not deleted by the rollback', async () => {
    host.hns.addNodeRoute(route);
    const failing = failAfter(async () => {
      expect(await changes.apply({ do: 'create route', route })).toBe(false);
    });
    await expect(failing).rejects.toThrow('a later step failed');
    expect(routes()).toEqual([describeNodeRoute(route)]);
  });
});
