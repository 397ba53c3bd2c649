import type { Limit } from '../hcn/deadline.ts';
import type { HostAdapter } from '../net/host-adapter.ts';
import { IpHelperTimeout } from './windows-errors.ts';

/**
 * Reads the host's network adapters. A call that Windows refuses rejects with IpHelperError; none has a deadline of its own
 * (limitIpHelperCalls). https://learn.microsoft.com/windows/win32/iphlp/ip-helper-start-page
 */
export interface IpHelperReader {
  /** Every adapter, those without IP included: an adapter under a virtual switch has none. */
  readAdapters(): Promise<readonly HostAdapter[]>;
}

/** Reads and changes the host's network adapters; only steps do that (src/steps). */
export interface IpHelper extends IpHelperReader {
  /** Lets the host route IPv4 packets that arrive at this interface. */
  enableForwarding(index: number): Promise<void>;
  /** Deletes the interface's IPv4 default routes, if any. */
  removeDefaultRoutes(index: number): Promise<void>;
}

/** Makes a call, which `doing` describes, and does something before and after. */
export type IpHelperInterceptor = <T>(doing: string, make: () => Promise<T>) => Promise<T>;

/** An IP Helper that is loaded with its first call, and each call of which goes through `around`. */
export function interceptIpHelperCalls(load: () => Promise<IpHelper>, around: IpHelperInterceptor): IpHelper {
  let loading: Promise<IpHelper> | undefined;
  const through = async <T>(doing: string, make: (helper: IpHelper) => Promise<T>): Promise<T> => {
    loading ??= load();
    const helper = await loading;
    return around(doing, () => make(helper));
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
  };
}

/** Calls to the IP Helper that fail with IpHelperTimeout when they are late. */
export function limitIpHelperCalls(limit: Limit): IpHelperInterceptor {
  return (doing, make) => limit(make, (seconds) => new IpHelperTimeout(doing, seconds));
}
