import type { CommandContext } from '../../src/commands/command-context.ts';
import type { HcnClient } from '../../src/hcn/client.ts';
import type { StepTargets } from '../../src/steps/changes.ts';
import { executeSteps } from '../../src/steps/execute.ts';

/** Step targets for commands that use only HCN, unless more is given. */
export function stepTargets(given: Pick<StepTargets, 'hcn'> & Partial<StepTargets>): StepTargets {
  const unused = async () => {
    throw new Error('this command does not use the IP Helper');
  };
  return {
    ipHelper: {
      readAdapters: async () => [],
      readRoutes: async () => [],
      enableForwarding: unused,
      removeDefaultRoutes: unused,
      createRoute: unused,
      deleteRoute: unused,
    },
    readNetworks: given.hcn.findNetworks,
    locateIpam: () => undefined,
    timer: (milliseconds, call) => {
      const timeout = setTimeout(call, milliseconds);
      return { cancel: () => clearTimeout(timeout) };
    },
    now: () => performance.now(),
    ...given,
  };
}

/** The context of a command that uses only HCN. */
export function contextWith(hcn: HcnClient): Pick<CommandContext, 'hcn' | 'changes' | 'notice'> {
  return { hcn, changes: executeSteps(stepTargets({ hcn })), notice: () => undefined };
}
