// The interface between the benchmark and a packaged plugin.

import type { Hns } from '../simulator/hns.ts';
import type { Request, Run } from './measure.ts';

/** How the plugin, and the programs that it is compared to, are packaged and started. A program is a command: its file and arguments. */
export interface Form {
  readonly platform: 'Linux' | 'Wine';
  readonly plugin: readonly string[];
  /** Does nothing: the cost of Node. As in stock Node, V8 computes the hashes in its snapshots at each start. */
  readonly bare: readonly string[];
  /** Makes one HCN call. */
  readonly oneCall: readonly string[];
  /** The folder of the IPAM plugin, for CNI_PATH. */
  readonly ipamFolder: string;
  /** Keys for the configuration of the plugin. */
  readonly config: object;
  /** The variables through which a program finds the simulated service. */
  environment(hns: Hns): Readonly<Record<string, string>>;
  measure(command: readonly string[], request: Request): Promise<Run>;
}
