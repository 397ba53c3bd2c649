import type { HnsOptions } from '../../simulator/hns.ts';
import type { Call, Node } from '../node.ts';

export type Command = 'ADD' | 'DEL' | 'CHECK' | 'GC' | 'STATUS';

/** A command on a node, as a value: what is there before it, and how much it does. */
export interface Scenario {
  readonly name: string;
  readonly command: Command;
  readonly config: Readonly<Record<string, unknown>>;
  readonly hns?: HnsOptions;
  /** What the IPAM plugin's addresses begin with: IPv4, then IPv6. */
  readonly prefixes?: readonly [string, string?];
  /** The configuration of the neighbour whose ADD created the network; undefined where there is no network yet. */
  readonly neighbour: Readonly<Record<string, unknown>> | undefined;
  /** How the attachment came to be before the command; undefined where there is none. */
  readonly attach?: (bench: {
    readonly node: Node;
    readonly call: Call;
  }) => Promise<{ readonly json?: unknown }>;
  /** Whether the runtime does not say in a DEL which namespace it is about. */
  readonly withoutNetns?: true;
  /** Whether HNS may go ways of its own, on which a fault can end in success too, or in another failure than where HNS is as usual. */
  readonly isUnusual?: true;
  /** How many calls to HCN it makes when nothing goes wrong, where that is asserted; how often it runs the IPAM plugin. */
  readonly calls?: number;
  readonly runs: number;
}

/** What a runtime does next. */
export type Next = 'DEL' | 'ADD' | 'GC';
