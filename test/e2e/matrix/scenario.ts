import type { HnsOptions } from '../../simulator/hns.ts';
import type { Call, Node } from '../node.ts';

export type Command = 'ADD' | 'DEL' | 'CHECK' | 'GC' | 'STATUS';

/** A command on a node: the state before it, and its numbers of calls. */
export interface Scenario {
  readonly name: string;
  readonly command: Command;
  readonly config: Readonly<Record<string, unknown>>;
  readonly hns?: HnsOptions;
  /** The prefixes of the IPAM plugin's addresses: IPv4, then IPv6. */
  readonly prefixes?: readonly [string, string?];
  /** The configuration of the neighbor whose ADD created the network. Absent if there is no network yet. */
  readonly neighbor: Readonly<Record<string, unknown>> | undefined;
  /** Creates the attachment before the command. Absent if there is none. */
  readonly attach?: (bench: {
    readonly node: Node;
    readonly call: Call;
  }) => Promise<{ readonly json?: unknown }>;
  /** Whether the runtime omits the namespace in DEL. */
  readonly withoutNetns?: true;
  /** Whether the variants of HNS allow a fault to end in success, or in another failure than by default. */
  readonly hasVariants?: true;
  /** The number of calls to HCN without faults, if asserted, and of IPAM runs. */
  readonly calls?: number;
  readonly runs: number;
  /** The commands that can follow. Default: those that a runtime sends after the command. */
  readonly nexts?: readonly Next[];
}

/** The next command of a runtime. */
export type Next = 'DEL' | 'ADD' | 'GC';

const nextCommands: Readonly<Record<Command, readonly Next[]>> = {
  ADD: ['DEL', 'ADD', 'GC'],
  DEL: ['DEL', 'GC'],
  CHECK: ['DEL'],
  GC: ['GC', 'DEL'],
  STATUS: ['ADD', 'DEL'],
};

/** Returns the next commands to try, at least one. */
export function nextsOf({ command, nexts }: Scenario): readonly Next[] {
  return nexts ?? nextCommands[command];
}
