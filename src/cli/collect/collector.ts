import { zipSync } from 'fflate';
import { errorMessage } from '../../cni/error.ts';
import type { System } from '../../system.ts';
import { codeCache, version } from '../../version.ts';
import { countText } from '../terminal/short-text.ts';
import { omittedMark } from './allow-list.ts';

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

/** The files as a zip, with `time` as the time of each. */
export function zip(files: readonly BundleFile[], time: Date): Uint8Array {
  // Times in a zip start in 1980; a node's clock may be before that.
  const mtime = Math.max(time.getTime(), Date.UTC(1980, 0, 2));
  const encoder = new TextEncoder();
  const contents = files.map(({ path, text }) => [
    path,
    encoder.encode(text.endsWith('\n') ? text : `${text}\n`),
  ]);
  return zipSync(Object.fromEntries(contents), { mtime });
}

interface Bundle {
  readonly computer: string;
  /** When collecting started. */
  readonly time: Date;
  readonly parts: readonly CollectedPart[];
  /** How many values were omitted. */
  readonly omitted: number;
}

/** README.txt: describes the files of a bundle, what was omitted, and what is missing. */
export function readmeFile({ computer, time, parts, omitted }: Bundle): BundleFile {
  const failed = parts.flatMap(({ name, problems = [] }) =>
    problems.map((problem) => `  ${name}: ${problem}`),
  );
  const absent = parts.flatMap((part) =>
    part.absent === undefined ? [] : [`  ${part.name}: ${part.absent}`],
  );
  const described = parts.flatMap(({ about, files }) =>
    files.length === 0 ? [] : [`  ${about}`, ...files.map(({ path }) => `    ${path}`)],
  );
  const text = [
    `Support bundle of win-hcn ${version}, created by win-hcn collect. Code cache: ${codeCache}.`,
    `Computer ${computer}, ${time.toISOString()}.`,
    'Start with doctor.txt and ls.txt.',
    '',
    'OMITTED',
    `  ${countText(omitted, 'value')} of configurations, documents and logs: they contain only values whose names win-hcn knows to be`,
    `  harmless, and ${omittedMark} for the others. Of command lines they contain known options, of events no texts.`,
    '  The files contain addresses and the names of networks, pods, containers and this computer.',
    ...section('FAILED', failed),
    ...section('NOT FOUND', absent),
    ...section('FILES', described),
  ];
  return { path: 'README.txt', text: text.join('\n') };
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ['', title, ...lines];
}
