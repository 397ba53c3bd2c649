import type { MutantsOf } from './mutant.ts';
import { cni } from './tables/cni.ts';
import { commands } from './tables/commands.ts';
import { commandsAdd } from './tables/commands-add.ts';
import { commandsByHand } from './tables/commands-by-hand.ts';
import { planEndpoint } from './tables/plan-endpoint.ts';
import { planLoadBalancer } from './tables/plan-load-balancer.ts';
import { planNetwork } from './tables/plan-network.ts';
import { planObserved } from './tables/plan-observed.ts';

/** The mutants there are, of every file that decides something in these rooms. */
export const mutantsOf: readonly MutantsOf[] = [
  ...cni,
  ...planNetwork,
  ...planEndpoint,
  ...planObserved,
  ...planLoadBalancer,
  ...commandsAdd,
  ...commands,
  ...commandsByHand,
];

export const rooms = ['src/cni', 'src/plan', 'src/commands'] as const;
