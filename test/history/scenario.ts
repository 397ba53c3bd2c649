import type { HnsOptions } from '../simulator/hns.ts';
import type { Stage } from './stage.ts';

/** A public report of what broke a Windows node, replayed on a simulated one. */
export interface Scenario {
  /** Repository and number, as GitHub writes them. */
  readonly report: `${string}/${string}#${number}`;
  /** What the report says, in a sentence. */
  readonly says: string;
  /** How HNS behaves. Default: as the newest release. */
  readonly hns?: HnsOptions;
  /** The plugin's configuration. Default: an L2Bridge network with an IPAM plugin. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** How many orders of simultaneous requests are tried. Default: 1. */
  readonly seeds?: number;
  /** What the runtime, kube-proxy and the operator do, and what win-hcn must answer. */
  play(stage: Stage): Promise<unknown>;
  /** What is on the node at the end, in full (left.ts). */
  readonly left: string;
}

/** The name by which `npm run history` finds a report: `hcsshim#95`. */
export function shortName({ report }: Scenario): string {
  return report.replace(/^.*\//, '');
}

/** The web address of a report; GitHub redirects those of pull requests. */
export function addressOf({ report }: Scenario): string {
  return `https://github.com/${report.replace('#', '/issues/')}`;
}
