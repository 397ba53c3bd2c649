import { type HcnReader, hcnClient } from '../../hcn/client.ts';
import { type Limits, limitHcnCalls, limitsPerCall, newLimit } from '../../hcn/deadline.ts';
import { HcnError, HcnInvalidResponse } from '../../hcn/errors.ts';
import { interceptHcnCalls } from '../../hcn/library.ts';
import type { OnUnreadable } from '../../hcn/open-objects.ts';
import { type IpHelperReader, interceptIpHelperCalls, limitIpHelperCalls } from '../../iphlpapi/ip-helper.ts';
import type { Inventory, Unreadable } from '../../model/inventory.ts';
import type { HostAdapter } from '../../net/host-adapter.ts';
import type { NodeRoute } from '../../net/node-route.ts';
import type { System } from '../../system.ts';
import { printable } from '../terminal/output.ts';
import { exitCode, type Session } from '../terminal/session.ts';
import { withPods } from './read-pods.ts';

/** The time limits of a command that runs once, for a busy node: 30 s a call. */
const onceLimits = limitsPerCall(30);

/**
 * Reads all objects of HCN, and the names of pods. Reports on stderr the objects that cannot be read, with the exit
 * code of a problem found. Throws what `queryInventory` throws.
 */
export async function readInventory(session: Session): Promise<Inventory> {
  const inventory = await queryInventory(session.system);
  const warnings = unreadableWarnings(inventory);
  for (const warning of warnings) session.printStderr(warning);
  if (warnings.length > 0) session.setExitCode(exitCode.problemFound);
  return withPods(inventory, session);
}

/** Reads all objects of HCN. Throws what its client throws, except for a single object that cannot be read. */
export async function queryInventory(system: System, limits: Limits = onceLimits): Promise<Inventory> {
  const { hcn, unreadable } = openTolerantHcn(system, limits);
  const networks = await hcn.findNetworks();
  const endpoints = await hcn.findEndpoints();
  // After the endpoints: this finds the namespace and load balancer of every endpoint, even if they are created between the reads.
  const namespaces = await hcn.findNamespaces();
  const loadBalancers = await hcn.findLoadBalancers();
  return { networks, endpoints, namespaces, loadBalancers, ...(unreadable.length > 0 && { unreadable }) };
}

/** Reads all endpoints, for a second look at an inventory. Throws what `queryInventory` throws. */
export async function queryEndpoints(system: System, limits: Limits = onceLimits) {
  const { hcn, unreadable } = openTolerantHcn(system, limits);
  const endpoints = await hcn.findEndpoints();
  return { endpoints, ...(unreadable.length > 0 && { unreadable }) };
}

/** Returns a client that leaves out single objects that cannot be read, and the list of these. */
function openTolerantHcn(system: System, limits: Limits) {
  const unreadable: Unreadable[] = [];
  const hcn = openHcn(system, limits, (error, kind, id) => {
    const isInvalid = error instanceof HcnInvalidResponse;
    if (!isInvalid && !(error instanceof HcnError && !error.unavailable)) throw error;
    unreadable.push({ kind, id, error });
    return undefined;
  });
  return { hcn, unreadable };
}

/** Returns a client with no open objects, and with time limits for each call and for all of them. */
export function openHcn(
  { loadLibrary, timer, now, onCall }: System,
  limits: Limits = onceLimits,
  onUnreadable?: OnUnreadable,
): HcnReader {
  const limit = newLimit(limits, timer, now);
  return hcnClient(interceptHcnCalls(loadLibrary, limitHcnCalls(limit, onCall)), onUnreadable);
}

/** Reads the node's network adapters, for at most 10 s. Throws what the IP Helper throws. */
export function readAdapters(system: IpHelperSystem, seconds?: number): Promise<readonly HostAdapter[]> {
  return openIpHelper(system, seconds).readAdapters();
}

/** Reads the node's route table, for at most 10 s. Throws what the IP Helper throws. */
export function readRoutes(system: IpHelperSystem, seconds?: number): Promise<readonly NodeRoute[]> {
  return openIpHelper(system, seconds).readRoutes();
}

type IpHelperSystem = Pick<System, 'loadIpHelper' | 'timer' | 'now' | 'onCall'>;

function openIpHelper({ loadIpHelper, timer, now, onCall }: IpHelperSystem, seconds = 10): IpHelperReader {
  const limit = newLimit(limitsPerCall(seconds), timer, now);
  return interceptIpHelperCalls(loadIpHelper, limitIpHelperCalls(limit, onCall));
}

/** Returns a warning for each object that could not be read. */
export function unreadableWarnings({ unreadable = [] }: Inventory): readonly string[] {
  return unreadable.map(({ error }) => `win-hcn: left out: ${printable(error.message)}`);
}
