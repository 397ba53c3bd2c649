import { CniError, code } from '../cni/error.ts';
import type { HostComputeNetwork } from '../hcn/documents.ts';
import type { IpHelper } from '../iphlpapi/ip-helper.ts';
import { IpHelperError, windowsCode } from '../iphlpapi/windows-errors.ts';
import { describeNodeRoute, isOurRoute, type NodeRoute } from '../net/node-route.ts';
import { forwardingInterfaces, type HostAddresses } from '../plan/host-endpoint.ts';
import { poll, type StepTargets } from './changes.ts';
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

/** How long the interface of a new host endpoint may take to appear. */
const interfaceMilliseconds = 10_000;

/**
 * Enables IPv4 forwarding between the host endpoint with these addresses and the network's adapter, and deletes the host endpoint's
 * default routes. Waits up to 10 s for the interface; throws code 11 if it does not appear.
 */
export async function enableForwarding(
  network: HostComputeNetwork,
  own: HostAddresses,
  targets: Pick<StepTargets, 'ipHelper' | 'timer' | 'now'>,
): Promise<void> {
  const { ipHelper } = targets;
  const found = await poll(targets, interfaceMilliseconds, async () =>
    forwardingInterfaces(network, own, await ipHelper.readAdapters()),
  );
  if (found === undefined) {
    throw new CniError(
      code.tryAgainLater,
      `no interface has the address of host endpoint ${own.address}, or the adapter of the network has no IPv4 address`,
      { details: 'check Get-NetIPAddress and Get-NetAdapter -IncludeHidden' },
    );
  }
  for (const { index } of [found.host, ...found.management]) await ipHelper.enableForwarding(index);
  await ipHelper.removeDefaultRoutes(found.host.index);
}
