import type { IpHelper } from '../iphlpapi/ip-helper.ts';
import { IpHelperError, windowsCode } from '../iphlpapi/windows-errors.ts';
import { describeNodeRoute, type NodeRoute } from '../net/node-route.ts';

/** Creates a route, unless another process has created the same one in the meantime. Otherwise throws Windows' refusal. */
export async function createRoute(route: NodeRoute, ipHelper: IpHelper): Promise<void> {
  try {
    await ipHelper.createRoute(route);
  } catch (error) {
    const exists = error instanceof IpHelperError && error.number === windowsCode.ERROR_OBJECT_ALREADY_EXISTS;
    const text = describeNodeRoute(route);
    if (!exists || !(await ipHelper.readRoutes()).some((one) => describeNodeRoute(one) === text)) throw error;
  }
}
