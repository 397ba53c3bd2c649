import { errorMessage } from '../../cni/error.ts';
import { HcnTimeout } from '../../hcn/errors.ts';
import type { System } from '../../system.ts';
import { countText } from '../terminal/short-text.ts';
import type { Redact } from './secret-shapes.ts';

/** A file of a bundle; its path has forward slashes. */
export interface BundleFile {
  readonly path: string;
  readonly bytes: Uint8Array;
  /** Its size on the node, if not all of it was read. */
  readonly size?: number;
  /** Removes the secrets of its text. Default: `redact`. */
  readonly redact?: Redact;
  /** Whether the end is kept if the file is too long, not the beginning. */
  readonly newestLast?: boolean;
}

export interface Collected {
  readonly files: readonly BundleFile[];
  /** What could not be collected, one reason each. */
  readonly problems?: readonly string[];
  /** Why there are no files, if that is not a problem. */
  readonly absent?: string;
}

/** A part of a bundle. If `collect` rejects, its error is the only problem. */
export interface Collector {
  readonly name: string;
  /** What its files contain, for README.txt. */
  readonly about: string;
  /** Time limit. */
  readonly seconds: number;
  collect(): Promise<Collected>;
}

export interface Outcome {
  readonly collector: Collector;
  readonly collected: Collected;
}

/** A text file in UTF-8. */
export function textFile(path: string, text: string): BundleFile {
  return { path, bytes: new TextEncoder().encode(text.endsWith('\n') ? text : `${text}\n`) };
}

export function isSkipped(error: unknown): boolean {
  return error instanceof HcnTimeout && !error.tried;
}

/** Why something could not be collected, in one line. */
export function reasonOf(error: unknown): string {
  if (isSkipped(error)) return 'skipped: time limit reached';
  return errorMessage(error);
}

/** What `collect` returns for each item, and a problem for each item that it throws for. */
export async function collectEach<T>(
  items: readonly T[],
  collect: (item: T) => BundleFile | Promise<BundleFile>,
): Promise<{ readonly files: readonly BundleFile[]; readonly problems: readonly string[] }> {
  const files: BundleFile[] = [];
  const problems: string[] = [];
  for (const item of items) {
    try {
      files.push(await collect(item));
    } catch (error) {
      problems.push(reasonOf(error));
    }
  }
  return { files, problems };
}

/** After this time, the progress line shows the time limit. */
const slowMilliseconds = 2000;

/** Runs collectors one after the other with progress on stderr. One that fails or hangs does not stop the next one. */
export async function runCollectors(
  collectors: readonly Collector[],
  { now, timer, writeStderr }: Pick<System, 'now' | 'timer' | 'writeStderr'>,
): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  const reasons = new Map<string, string>();
  for (const [index, collector] of collectors.entries()) {
    const started = now();
    writeStderr(`[${index + 1}/${collectors.length}] ${collector.name} ... `);
    const slow = timer(slowMilliseconds, () => writeStderr(`up to ${collector.seconds} s ... `));
    const done = await collectInTime(collector, timer).finally(slow.cancel);
    const collected = shortenProblems(done, collector.name, reasons);
    writeStderr(`${summarize(collected)}, ${secondsSince(started, now)}\n`);
    for (const problem of collected.problems ?? []) writeStderr(`    ${problem}\n`);
    outcomes.push({ collector, collected });
  }
  return outcomes;
}

/** As in `0.4 s`. */
export function secondsSince(started: number, now: () => number): string {
  return `${((now() - started) / 1000).toFixed(1)} s`;
}

/** Each of thousands of endpoints may fail. */
const maxProblems = 10;

/**
 * Refers to the first collector that failed for the same reason, such as a stopped service. `reasons` maps reasons, without the failed
 * operation in front, to collectors.
 */
function shortenProblems(collected: Collected, name: string, reasons: Map<string, string>): Collected {
  const { files, problems = [] } = collected;
  const short = problems.map((problem) => {
    if (files.length > 0) return problem;
    const reason = problem.replace(/^.*?: /, '');
    const first = reasons.get(reason) ?? name;
    reasons.set(reason, first);
    return first === name ? problem : `same reason as ${first}`;
  });
  const different = [...new Set(short)];
  const more = different.length - maxProblems;
  return {
    ...collected,
    problems: [...different.slice(0, maxProblems), ...(more > 0 ? [`${more} more`] : [])],
  };
}

function collectInTime({ collect, seconds }: Collector, timer: System['timer']): Promise<Collected> {
  return new Promise((resolve) => {
    const fail = (problem: string) => resolve({ files: [], problems: [problem] });
    const timeout = timer(seconds * 1000, () => fail(`timed out after ${seconds} s`));
    Promise.resolve()
      .then(collect)
      .then(resolve, (error) => fail(reasonOf(error)))
      .finally(timeout.cancel);
  });
}

function summarize({ files, problems = [], absent }: Collected): string {
  if (problems.length > 0 && files.length === 0) return 'failed';
  if (absent !== undefined) return absent;
  const count = countText(files.length, 'file');
  return problems.length > 0 ? `${count}, incomplete` : count;
}
