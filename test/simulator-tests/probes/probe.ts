import type { Hns, HnsOptions } from '../../simulator/hns.ts';
import type { VariantName } from '../../simulator/variants/variants.ts';

/** Shows how the simulated service behaves in each position of a variant. */
export interface Probe {
  readonly name: VariantName;
  readonly options?: HnsOptions;
  /** Returns what a client observes. */
  readonly see: (hns: Hns) => Promise<unknown>;
  /** What a client observes in each position. Default, for a variant of error codes: the code. */
  readonly expected?: Readonly<Record<string, unknown>> | ((code: string) => unknown);
}
