import { limitedCalls, type Timer } from '../hcn/deadline.ts';
import { IpHelperTimeout } from './errors.ts';
import type { IpHelper } from './ip-helper.ts';

/** An IP Helper, loaded with its first call, each call of which fails with IpHelperTimeout when it takes longer than `seconds`. */
export function ipHelperWithDeadline(load: () => Promise<IpHelper>, seconds: number, timer: Timer): IpHelper {
  const limited = limitedCalls(load, seconds, timer, (name) => new IpHelperTimeout(name, seconds));
  return {
    readAdapters: () => limited(doing.readAdapters, (helper) => helper.readAdapters()),
    enableForwarding: (index) =>
      limited(doing.enableForwarding(index), (helper) => helper.enableForwarding(index)),
    removeDefaultRoutes: (index) =>
      limited(doing.removeDefaultRoutes(index), (helper) => helper.removeDefaultRoutes(index)),
  };
}

const doing = {
  readAdapters: 'listing the network adapters of this host',
  enableForwarding: (index: number) => `enabling IPv4 forwarding on interface ${index}`,
  removeDefaultRoutes: (index: number) => `deleting the default routes of interface ${index}`,
};
