import { errorMessage } from '../../cni/error.ts';
import type { System } from '../../system.ts';
import { countText } from '../terminal/short-text.ts';

/** A file of a bundle; its path has forward slashes. */
export interface BundleFile {
  readonly path: string;
  readonly text: string;
}

/** The files of a collector. */
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

/** A collector that ended, and its files. */
export type CollectedPart = Collected & Pick<Collector, 'name' | 'about'>;

/** A JSON file. */
export function jsonFile(path: string, value: unknown): BundleFile {
  return { path, text: JSON.stringify(value, undefined, 1) };
}

/** Returns a file for each item, and a problem for each item that `collect` throws for. */
export async function collectEach<T>(
  items: readonly T[],
  collect: (item: T) => BundleFile | Promise<BundleFile>,
): Promise<Required<Pick<Collected, 'files' | 'problems'>>> {
  const files: BundleFile[] = [];
  const problems: string[] = [];
  for (const item of items) {
    try {
      files.push(await collect(item));
    } catch (error) {
      problems.push(errorMessage(error));
    }
  }
  return { files, problems };
}

/** Runs collectors one after the other with progress on stderr. One that fails or hangs does not stop the next one. */
export async function runCollectors(
  collectors: readonly Collector[],
  { now, timer, writeStderr }: Pick<System, 'now' | 'timer' | 'writeStderr'>,
): Promise<readonly CollectedPart[]> {
  const parts: CollectedPart[] = [];
  for (const [index, collector] of collectors.entries()) {
    const { name, about } = collector;
    const started = now();
    writeStderr(`[${index + 1}/${collectors.length}] ${name} ... `);
    const collected = withFewProblems(await collectInTime(collector, timer));
    writeStderr(`${summarize(collected)}, ${((now() - started) / 1000).toFixed(1)} s\n`);
    for (const problem of collected.problems ?? []) writeStderr(`    ${problem}\n`);
    parts.push({ name, about, ...collected });
  }
  return parts;
}

/** Each of thousands of endpoints may fail. */
const maxProblems = 10;

function withFewProblems(collected: Collected): Collected {
  const problems = [...new Set(collected.problems)];
  const more = problems.length - maxProblems;
  return {
    ...collected,
    problems: [...problems.slice(0, maxProblems), ...(more > 0 ? [`${more} more`] : [])],
  };
}

function collectInTime({ collect, seconds }: Collector, timer: System['timer']): Promise<Collected> {
  return new Promise((resolve) => {
    const fail = (problem: string) => resolve({ files: [], problems: [problem] });
    const timeout = timer(seconds * 1000, () => fail(`timed out after ${seconds} s`));
    Promise.resolve()
      .then(collect)
      .then(resolve, (error) => fail(errorMessage(error)))
      .finally(timeout.cancel);
  });
}

function summarize({ files, problems = [], absent }: Collected): string {
  if (problems.length > 0 && files.length === 0) return 'failed';
  if (absent !== undefined) return absent;
  const count = countText(files.length, 'file');
  return problems.length > 0 ? `${count}, incomplete` : count;
}
