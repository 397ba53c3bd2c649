import { examOfConfiguration } from './exam-configuration.ts';
import { examOfHcn } from './exam-hcn.ts';
import { examOfNode } from './exam-node.ts';
import { examOfPods } from './exam-pods.ts';
import type { FaultyNode } from './faulty-node.ts';

/** A fault, written without knowledge of doctor's checks. */
export interface ExamFault {
  /** What happened on the node, in a sentence. */
  readonly story: string;
  plant(node: FaultyNode): void | Promise<void>;
  /** What one finding of doctor must contain: the object, and the wrong or expected value. */
  readonly words: readonly (string | RegExp)[];
  /** Whether pods lack what they need, so that doctor must exit with 1. */
  readonly stops: boolean;
}

/** Thirty faults that doctor must find. */
export const exam: Readonly<Record<string, ExamFault>> = {
  ...examOfConfiguration,
  ...examOfHcn,
  ...examOfPods,
  ...examOfNode,
};
