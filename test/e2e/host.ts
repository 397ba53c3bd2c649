import type { CommandContext } from '../../src/commands/command-context.ts';
import { hcnClient } from '../../src/hcn/client.ts';
import { loadComputeNetwork } from '../../src/hcn/computenetwork.ts';
import { limitHcnCalls, limitsPerCall, newLimit } from '../../src/hcn/deadline.ts';
import { interceptHcnCalls } from '../../src/hcn/library.ts';
import { type Hns, type HnsOptions, startHns } from '../simulator/hns.ts';
import { eventClock, timed } from './clock.ts';

/** A node as an operator's command sees it: its Host Network Service and nothing else. */
export interface SimulatedHost extends Pick<CommandContext, 'hcn'> {
  readonly hns: Hns;
  /** The names of the HCN functions some work called, in order. */
  calls(work: () => Promise<unknown>): Promise<readonly string[]>;
}

/** Each command is a process of its own: whoever asks for `hcn` gets a client that has nothing open yet. */
export async function startHost(options: HnsOptions = {}): Promise<SimulatedHost> {
  const hns = await startHns(options);
  process.env['WIN_HCN_SIMULATED_HNS'] = hns.environment.WIN_HCN_SIMULATED_HNS;
  const clock = eventClock(hns);
  const library = timed(loadComputeNetwork(hns.environment.WIN_HCN_LIBRARY), clock);
  return {
    hns,
    get hcn() {
      const limit = newLimit(limitsPerCall(30), clock.timer, clock.now);
      return hcnClient(interceptHcnCalls(async () => library, limitHcnCalls(limit)));
    },
    calls: async (work) => {
      const before = hns.calls.length;
      await work();
      return hns.calls.slice(before).map((call) => call.function);
    },
  };
}
