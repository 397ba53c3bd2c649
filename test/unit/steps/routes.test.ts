import { describe, expect, test } from 'vitest';
import type { IpHelper } from '../../../src/iphlpapi/ip-helper.ts';
import { IpHelperError } from '../../../src/iphlpapi/windows-errors.ts';
import { type NodeRoute, newNodeRoute } from '../../../src/net/node-route.ts';
import { createRoute, restoreRoute } from '../../../src/steps/routes.ts';
import type { RollbackStep } from '../../../src/steps/step.ts';
import { aTurn } from '../hcn/small-hcn.ts';

const route = newNodeRoute(7, '10.244.2.0/24', '10.0.0.5');
const farther = newNodeRoute(7, '10.244.9.0/24', '10.0.0.9');
const exists = 5010;

/** A route table. `failure` is the code of Windows for each creation. */
function withRoutes(routes: readonly NodeRoute[], failure?: number) {
  const created: NodeRoute[] = [];
  const ipHelper = {
    readRoutes: async () => routes,
    createRoute: async (route: NodeRoute) => {
      await aTurn();
      if (failure !== undefined) throw new IpHelperError('creating', failure);
      created.push(route);
    },
  } as unknown as IpHelper;
  return { ipHelper, created };
}

describe('creating a route', () => {
  test('changes the table', async () => {
    const { ipHelper, created } = withRoutes([]);
    expect(await createRoute(route, ipHelper)).toBe(true);
    expect(created).toEqual([route]);
  });

  test.each<readonly [string, readonly NodeRoute[], number, false | string]>([
    ['another process created with another metric', [farther, { ...route, metric: 256 }], exists, false],
    ['has another next hop than the existing one', [{ ...route, nextHop: '10.0.0.9' }], exists, '(5010)'],
    ['has another prefix', [{ ...route, prefix: '10.244.3.0/24' }], exists, '(5010)'],
    ['has another interface', [{ ...route, interfaceIndex: 8 }], exists, '(5010)'],
    ['exists, but Windows refuses for another reason', [route], 5, '(5)'],
  ])('that %s is refused, or changes nothing', async (_, routes, failure, expected) => {
    const creating = createRoute(route, withRoutes(routes, failure).ipHelper);
    if (expected === false) expect(await creating).toBe(false);
    else await expect(creating).rejects.toThrow(expected);
  });

  test('that fails internally is an error', async () => {
    const broken = new TypeError('broken');
    const ipHelper = { createRoute: () => Promise.reject(broken) } as unknown as IpHelper;
    await expect(createRoute(route, ipHelper)).rejects.toBe(broken);
  });
});

describe('restoring a deleted route', () => {
  const restored = (route: NodeRoute): RollbackStep => ({ do: 'restore route', route });
  const otherHop = newNodeRoute(7, route.prefix, '10.0.0.9');

  test.each<readonly [string, readonly NodeRoute[], readonly RollbackStep[], boolean]>([
    ['creates it', [], [], true],
    ['does nothing if it is there again', [route], [], false],
    ['does nothing if another request created one to its prefix', [otherHop], [], false],
    ['creates it beside one that the same rollback restored', [otherHop], [restored(otherHop)], true],
    [
      'does nothing if the rollback restores only others',
      [otherHop],
      [restored(farther), { do: 'delete route', route: otherHop }],
      false,
    ],
    ['creates it beside a route of another program', [{ ...otherHop, metric: 256 }], [], true],
    ['creates it beside a route on another interface', [{ ...otherHop, interfaceIndex: 8 }], [], true],
    ['creates it beside a route to another prefix', [newNodeRoute(7, '10.244.3.0/24', '10.0.0.5')], [], true],
  ])('%s', async (_, routes, others, isCreated) => {
    const { ipHelper, created } = withRoutes(routes);
    await restoreRoute(route, others, ipHelper);
    expect(created).toEqual(isCreated ? [route] : []);
  });
});
