import type { HcnReader } from '../hcn/client.ts';
import type { IpamReader } from '../ipam/delegate.ts';
import type { IpHelperReader } from '../iphlpapi/ip-helper.ts';
import type { Changes, StepTargets } from '../steps/changes.ts';

/** What a command reads, and the port for its changes. No reader can change anything. */
export interface CommandContext extends Pick<StepTargets, 'readNetworks' | 'timer' | 'now'> {
  readonly hcn: HcnReader;
  readonly ipHelper: IpHelperReader;
  /** Undefined when HNS assigns addresses. Throws if the plugin cannot be found. */
  readonly locateIpam: () => IpamReader | undefined;
  readonly changes: Changes;
  /** Writes to the log what is not part of the result. */
  readonly notice: (text: string) => void;
}
