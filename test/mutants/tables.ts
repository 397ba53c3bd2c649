import type { MutantsOf } from './mutant.ts';
import { cni } from './tables/cni.ts';
import { commands } from './tables/commands.ts';
import { commandsAdd } from './tables/commands-add.ts';
import { commandsByHand } from './tables/commands-by-hand.ts';
import { commandsEndpoints } from './tables/commands-endpoints.ts';
import { hcn } from './tables/hcn.ts';
import { planEndpoint } from './tables/plan-endpoint.ts';
import { planLoadBalancer } from './tables/plan-load-balancer.ts';
import { planNetwork } from './tables/plan-network.ts';
import { planObserved } from './tables/plan-observed.ts';

/** The mutants there are, of every file that decides something in these rooms, and of these files besides. */
export const mutantsOf: readonly MutantsOf[] = [
  ...cni,
  ...planNetwork,
  ...planEndpoint,
  ...planObserved,
  ...planLoadBalancer,
  ...commandsAdd,
  ...commands,
  ...commandsByHand,
  ...commandsEndpoints,
  ...hcn,
];

export const rooms = ['src/cni', 'src/plan', 'src/commands'] as const;

export const filesBesides: readonly string[] = [
  'src/hcn/open-objects.ts',
  'src/hcn/deadline.ts',
  'src/hcn/hresults/creation.ts',
];
