import type { HcnClient } from '../hcn/client.ts';
import type { Delegate } from '../ipam/delegate.ts';

/** What a command works with: HCN, the IPAM plugin where one is configured, and a clock. */
export interface Host {
  readonly hcn: HcnClient;
  /** Throws when the plugin cannot be found; undefined when HNS assigns addresses. */
  readonly findIpam: () => Delegate | undefined;
  readonly sleep: (milliseconds: number) => Promise<void>;
  readonly now: () => number;
}
