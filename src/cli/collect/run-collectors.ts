import type { System } from '../../system.ts';
import { type Collected, type Collector, reasonOf } from './collector.ts';

/** What became of a collector. */
export interface Outcome {
  readonly collector: Collector;
  readonly collected: Collected;
}

/** Runs collectors one after the other, and says on stderr how far it is. One that fails or hangs does not keep the next one. */
export async function runCollectors(
  collectors: readonly Collector[],
  { now, timer, writeStderr }: Pick<System, 'now' | 'timer' | 'writeStderr'>,
): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  const reasons = new Map<string, string>();
  for (const [index, collector] of collectors.entries()) {
    const started = now();
    writeStderr(`[${index + 1}/${collectors.length}] ${collector.name} ... `);
    const collected = withReferences(await collectWithin(collector, timer), collector.name, reasons);
    writeStderr(`${summaryOf(collected)}, ${secondsSince(started, now)}\n`);
    for (const problem of collected.problems ?? []) writeStderr(`    ${problem}\n`);
    outcomes.push({ collector, collected });
  }
  return outcomes;
}

/** As in `0.4 s`. */
export function secondsSince(started: number, now: () => number): string {
  return `${((now() - started) / 1000).toFixed(1)} s`;
}

/** Of thousands of endpoints each may fail. */
const mostProblems = 10;

/**
 * Why a collector failed, where an earlier one failed for the same reason, such as a service that is down: that is told once. A reason
 * may begin with what was being done.
 */
function withReferences(collected: Collected, name: string, reasons: Map<string, string>): Collected {
  const { files, problems = [] } = collected;
  const told = problems.map((problem) => {
    if (files.length > 0) return problem;
    const reason = problem.replace(/^.*?: /, '');
    const first = reasons.get(reason) ?? name;
    reasons.set(reason, first);
    return first === name ? problem : `for the same reason as ${first}`;
  });
  const different = [...new Set(told)];
  const more = different.length - mostProblems;
  return {
    ...collected,
    problems: [...different.slice(0, mostProblems), ...(more > 0 ? [`${more} more like these`] : [])],
  };
}

function collectWithin({ collect, seconds }: Collector, timer: System['timer']): Promise<Collected> {
  return new Promise((resolve) => {
    const failed = (problem: string) => resolve({ files: [], problems: [problem] });
    const timeout = timer(seconds * 1000, () => failed(`gave up after ${seconds} s`));
    Promise.resolve()
      .then(collect)
      .then(resolve, (error) => failed(reasonOf(error)))
      .finally(timeout.cancel);
  });
}

function summaryOf({ files, problems = [], absent }: Collected): string {
  if (problems.length > 0 && files.length === 0) return 'failed';
  if (absent !== undefined) return absent;
  const count = files.length === 1 ? '1 file' : `${files.length} files`;
  return problems.length > 0 ? `${count}, incomplete` : count;
}
