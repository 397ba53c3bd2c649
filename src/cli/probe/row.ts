import type { Context, Part } from './context.ts';
import type { Counts, NetworkType, Observation } from './observation.ts';

/**
 * Where an experiment runs. `node`: needs no network. `first`: on the Private network, before all others. `base`: the L2Bridge network
 * with --adapter, otherwise the Private network. `service`: restarts HNS.
 */
export type Ground = 'node' | 'first' | 'base' | Exclude<NetworkType, 'Internal'> | 'service';

/**
 * Uncertain behavior of HNS whose observation changes what win-hcn does or reports, with its experiment. The evidence, and what win-hcn
 * does in either case, are in docs/notes/uncertain-hns.md.
 */
export interface Row {
  readonly id: string;
  /** What win-hcn assumes, in one sentence. */
  readonly claim: string;
  readonly on: Ground;
  /** The network that the adapter must have had before. */
  readonly after?: 'L2Bridge';
  /** The observations for which the claim holds. */
  readonly expected: readonly string[];
  /** Further observations for which win-hcn works. */
  readonly handled: readonly string[];
  /** The objects of this experiment alone. Default: none. */
  readonly creates?: Counts;
  /** The shared parts that it uses. Default: none. */
  readonly uses?: readonly Part<unknown>[];
  /** Throws NotTried if the experiment is not possible on this node. */
  readonly run: (context: Context) => Promise<Observation>;
}
