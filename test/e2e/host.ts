import type { CommandContext } from '../../src/commands/command-context.ts';
import { type HcnClient, hcnClient } from '../../src/hcn/client.ts';
import { loadComputeNetwork } from '../../src/hcn/computenetwork.ts';
import { limitHcnCalls, limitsPerCall, newLimit } from '../../src/hcn/deadline.ts';
import { interceptHcnCalls } from '../../src/hcn/library.ts';
import { executeSteps } from '../../src/steps/execute.ts';
import { type Hns, type HnsOptions, startHns } from '../simulator/hns.ts';
import { eventClock, timed } from './clock.ts';
import { stepTargets } from './step-targets.ts';

/** A simulated node for commands of an operator: a Host Network Service only. */
export interface SimulatedHost {
  readonly hns: Hns;
  readonly hcn: HcnClient;
  /** The context of a command by hand. */
  readonly context: Pick<CommandContext, 'hcn' | 'changes' | 'notice'>;
  /** Returns the HCN functions that some work calls, in order. */
  calls(work: () => Promise<unknown>): Promise<readonly string[]>;
}

/** Each command is a process of its own: every read of `hcn` or `context` returns a client with nothing open. */
export async function startHost(options: HnsOptions = {}): Promise<SimulatedHost> {
  const hns = await startHns(options);
  process.env['WIN_HCN_SIMULATED_HNS'] = hns.environment.WIN_HCN_SIMULATED_HNS;
  const clock = eventClock(hns);
  const library = timed(loadComputeNetwork(hns.environment.WIN_HCN_LIBRARY), clock);
  const newClient = () => {
    const limit = newLimit(limitsPerCall(30), clock.timer, clock.now);
    return hcnClient(interceptHcnCalls(async () => library, limitHcnCalls(limit)));
  };
  return {
    hns,
    get hcn() {
      return newClient();
    },
    get context() {
      const hcn = newClient();
      const changes = executeSteps(stepTargets({ hcn, timer: clock.timer, now: clock.now }));
      return { hcn, changes, notice: () => undefined };
    },
    calls: async (work) => {
      const before = hns.calls.length;
      await work();
      return hns.calls.slice(before).map((call) => call.function);
    },
  };
}
