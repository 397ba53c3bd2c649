import { type Limit, type OnCall, observed } from '../hcn/deadline.ts';
import type { HostAdapter } from '../net/host-adapter.ts';
import { describeNodeRoute, type NodeRoute } from '../net/node-route.ts';
import { IpHelperTimeout } from './windows-errors.ts';

/**
 * Reads the host's network adapters and routes. A refused call rejects with IpHelperError. Calls have no time limit of their own
 * (limitIpHelperCalls). https://learn.microsoft.com/windows/win32/iphlp/ip-helper-start-page
 */
export interface IpHelperReader {
  /** All adapters, including those without IP: an adapter under a virtual switch has no IP. */
  readAdapters(): Promise<readonly HostAdapter[]>;
  /** All routes of both families. */
  readRoutes(): Promise<readonly NodeRoute[]>;
}

/** Reads and changes the host's network adapters and routes; only steps do that (src/steps). */
export interface IpHelper extends IpHelperReader {
  /** Lets the host route IPv4 packets that arrive at this interface. */
  enableForwarding(index: number): Promise<void>;
  /** Deletes the interface's IPv4 default routes, if any. */
  removeDefaultRoutes(index: number): Promise<void>;
  /** Creates a route that lasts until the node restarts or its interface is deleted. */
  createRoute(route: NodeRoute): Promise<void>;
  /** Returns whether the route existed. */
  deleteRoute(route: NodeRoute): Promise<boolean>;
}

/** Runs before and after a call, which `make` makes and `action` describes. */
export type IpHelperInterceptor = <T>(action: string, make: () => Promise<T>) => Promise<T>;

/** An IP Helper that is loaded with its first call and passes each call to `intercept`. */
export function interceptIpHelperCalls(
  load: () => Promise<IpHelper>,
  intercept: IpHelperInterceptor,
): IpHelper {
  let loading: Promise<IpHelper> | undefined;
  const through = async <T>(action: string, make: (helper: IpHelper) => Promise<T>): Promise<T> => {
    loading ??= load();
    const helper = await loading;
    return intercept(action, () => make(helper));
  };
  return {
    readAdapters: () =>
      through('listing the network adapters of this host', (helper) => helper.readAdapters()),
    enableForwarding: (index) =>
      through(`enabling IPv4 forwarding on interface ${index}`, (helper) => helper.enableForwarding(index)),
    removeDefaultRoutes: (index) =>
      through(`deleting the default routes of interface ${index}`, (helper) =>
        helper.removeDefaultRoutes(index),
      ),
    readRoutes: () => through('listing the routes of this host', (helper) => helper.readRoutes()),
    createRoute: (route) =>
      through(`creating the ${describeNodeRoute(route)}`, (helper) => helper.createRoute(route)),
    deleteRoute: (route) =>
      through(`deleting the ${describeNodeRoute(route)}`, (helper) => helper.deleteRoute(route)),
  };
}

/** Makes calls to the IP Helper fail with IpHelperTimeout after their limit. */
export function limitIpHelperCalls(limit: Limit, onCall?: OnCall): IpHelperInterceptor {
  return (action, make) => {
    const { work, ended } = observed(onCall, { name: action }, make);
    return ended(limit(work, (seconds) => new IpHelperTimeout(action, seconds)));
  };
}
