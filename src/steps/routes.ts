import type { IpHelper } from '../iphlpapi/ip-helper.ts';
import { IpHelperError, windowsCode } from '../iphlpapi/windows-errors.ts';
import { describeNodeRoute, isOurRoute, type NodeRoute } from '../net/node-route.ts';
import type { RollbackStep } from './step.ts';

/** Creates a route. Returns false if another process has created the same one in the meantime. Otherwise throws Windows' refusal. */
export async function createRoute(route: NodeRoute, ipHelper: IpHelper): Promise<boolean> {
  try {
    await ipHelper.createRoute(route);
    return true;
  } catch (error) {
    const exists = error instanceof IpHelperError && error.number === windowsCode.ERROR_OBJECT_ALREADY_EXISTS;
    const text = describeNodeRoute(route);
    if (!exists || !(await ipHelper.readRoutes()).some((one) => describeNodeRoute(one) === text)) throw error;
    return false;
  }
}

/**
 * Creates a deleted route again, unless another request has created a route of win-hcn to its prefix. Routes among the `others` that the
 * rollback restores do not count.
 */
export async function restoreRoute(
  route: NodeRoute,
  others: readonly RollbackStep[],
  ipHelper: IpHelper,
): Promise<void> {
  const isInPlace = (one: NodeRoute) =>
    isOurRoute(one) &&
    one.prefix === route.prefix &&
    one.interfaceIndex === route.interfaceIndex &&
    !others.some(
      (step) => step.do === 'restore route' && describeNodeRoute(step.route) === describeNodeRoute(one),
    );
  if (!(await ipHelper.readRoutes()).some(isInPlace)) await ipHelper.createRoute(route);
}
