import { toCniError } from '../../cni/error.ts';
import { isHnsUnavailable } from '../failure.ts';

/** How the work on one leftover ended. `hnsAnswers` says whether there is any use in going on. */
export type Done =
  | { readonly outcome: 'deleted' | 'given back' | 'gone already' | 'in use' | 'not tried' }
  | { readonly outcome: 'failed'; readonly problem: string; readonly hnsAnswers: boolean };

/** What becomes of a leftover: what was done, or would be. */
export type Outcome = Done['outcome'] | 'would be deleted' | 'would be given back' | 'left';

/** What there is to do, one after the other. */
export interface Task {
  readonly takes: 'endpoint' | 'address';
  /** As a step of a plan. */
  readonly title: string;
  /** May throw what HCN's client throws. */
  work(): Promise<Done>;
}

/** Does the tasks in their order, in spite of failures, until HNS does not answer: then the others are not tried. */
export async function doAll(
  tasks: readonly Task[],
  before: (task: Task, index: number) => void,
  after: (done: Done) => void,
): Promise<readonly Done[]> {
  const ended: Done[] = [];
  let hnsAnswers = true;
  for (const [index, task] of tasks.entries()) {
    before(task, index);
    const done: Done = hnsAnswers ? await task.work().catch(failure) : { outcome: 'not tried' };
    if (done.outcome === 'failed') hnsAnswers &&= done.hnsAnswers;
    after(done);
    ended.push(done);
  }
  return ended;
}

function failure(error: unknown): Done {
  return { outcome: 'failed', problem: toCniError(error).message, hnsAnswers: !isHnsUnavailable(error) };
}
