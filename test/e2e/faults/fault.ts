import type { FaultyNode } from './faulty-node.ts';

/** A fault of a node, how to plant it, and which output names it. */
export interface Fault {
  /** What happened on the node, in a sentence. */
  readonly story: string;
  plant(node: FaultyNode): void | Promise<void>;
  /** The command whose output names the fault. */
  readonly namedBy: 'doctor' | 'config' | 'show';
  /** Words of one line of that output. */
  readonly words: readonly string[];
}
