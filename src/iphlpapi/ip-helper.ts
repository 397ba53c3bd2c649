import type { HostAdapter } from '../net/host-adapter.ts';

/**
 * The host's network adapters and what attaching one changes about them: Windows' IP Helper.
 * A call that Windows refuses rejects with IpHelperError; none has a deadline of its own (around-calls.ts).
 * https://learn.microsoft.com/windows/win32/iphlp/ip-helper-start-page
 */
export interface IpHelper {
  /** Every adapter, those without IP among them: an adapter under a virtual switch has none. */
  readAdapters(): Promise<readonly HostAdapter[]>;
  /** Lets the host route IPv4 packets that come in at this interface. Does nothing when it does already. */
  enableForwarding(index: number): Promise<void>;
  /** Deletes the interface's IPv4 default routes; none are left and none there before are the same. */
  removeDefaultRoutes(index: number): Promise<void>;
}
