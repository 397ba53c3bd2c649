import type { HcnClient } from '../hcn/client.ts';
import type { Timer } from '../hcn/deadline.ts';
import type { Delegate } from '../ipam/delegate.ts';
import type { IpHelper } from '../iphlpapi/ip-helper.ts';

/** What a command works with: HCN, the IP Helper, the IPAM plugin where one is configured, a clock and the log. */
export interface CommandContext {
  readonly hcn: HcnClient;
  /** Undefined when HNS assigns addresses. Throws when the plugin cannot be found. */
  readonly locateIpam: () => Delegate | undefined;
  readonly ipHelper: IpHelper;
  readonly timer: Timer;
  /** Milliseconds. */
  readonly now: () => number;
  /** Tells whoever reads the log what was done and is no part of the answer. */
  readonly notice: (text: string) => void;
}
