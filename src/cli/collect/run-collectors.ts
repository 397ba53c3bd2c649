import type { Session } from '../session.ts';
import { type Collected, type Collector, reasonOf } from './collector.ts';

/** What became of a collector. */
export interface Outcome {
  readonly collector: Collector;
  readonly collected: Collected;
}

/** Runs collectors one after the other, and says on stderr how far it is. One that fails or hangs does not keep the next one. */
export async function runCollectors(
  collectors: readonly Collector[],
  { system }: Session,
): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  const reasons = new Map<string, string>();
  for (const [index, collector] of collectors.entries()) {
    const started = system.now();
    system.writeStderr(`[${index + 1}/${collectors.length}] ${collector.name} ... `);
    const collected = withReferences(await collectWithin(collector, system.timer), collector.name, reasons);
    system.writeStderr(`${summaryOf(collected)}, ${((system.now() - started) / 1000).toFixed(1)} s\n`);
    for (const problem of collected.problems ?? []) system.writeStderr(`    ${problem}\n`);
    outcomes.push({ collector, collected });
  }
  return outcomes;
}

/**
 * Why a collector failed, where an earlier one failed for the same reason, such as a service that is down: that is told once. A reason
 * may begin with what was being done.
 */
function withReferences(collected: Collected, name: string, reasons: Map<string, string>): Collected {
  const { files, problems = [] } = collected;
  if (files.length > 0) return collected;
  const told = problems.map((problem) => {
    const reason = problem.replace(/^.*?: /, '');
    const first = reasons.get(reason) ?? name;
    reasons.set(reason, first);
    return first === name ? problem : `for the same reason as ${first}`;
  });
  return { ...collected, problems: [...new Set(told)] };
}

function collectWithin(
  { collect, seconds }: Collector,
  timer: Session['system']['timer'],
): Promise<Collected> {
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
