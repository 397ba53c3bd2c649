import { errorMessage } from '../../cni/error.ts';
import type { System } from '../../system.ts';
import { countText, firstFew } from '../terminal/short-text.ts';

/** A file of a bundle; its path has forward slashes. */
export interface BundleFile {
  readonly path: string;
  readonly text: string;
}

/** The files of a part, and why others are missing. */
export interface Collected {
  readonly files: readonly BundleFile[];
  readonly problems: readonly string[];
}

/** A part of a bundle. If `collect` rejects, its error is the only problem. */
export interface Part {
  readonly name: string;
  /** Time limit. */
  readonly seconds: number;
  collect(): Promise<Collected>;
}

/** A JSON file. */
export function jsonFile(path: string, value: unknown): BundleFile {
  return { path, text: JSON.stringify(value, undefined, 1) };
}

/** Returns a file for each item, and a problem for each item that `collect` throws for. */
export async function collectEach<T>(
  items: readonly T[],
  collect: (item: T) => BundleFile | Promise<BundleFile>,
): Promise<Collected> {
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

/** Runs parts one after the other with progress on stderr. One that fails or hangs does not stop the next one. */
export async function runParts(
  parts: readonly Part[],
  { timer, writeStderr }: Pick<System, 'timer' | 'writeStderr'>,
): Promise<Collected> {
  const files: BundleFile[] = [];
  const failed: string[] = [];
  for (const [index, part] of parts.entries()) {
    writeStderr(`[${index + 1}/${parts.length}] ${part.name} ... `);
    const collected = await collectInTime(part, timer);
    const problems = firstFew([...new Set(collected.problems)], '; ');
    writeStderr(`${countText(collected.files.length, 'file')}${problems === '' ? '' : `; ${problems}`}\n`);
    files.push(...collected.files);
    if (problems !== '') failed.push(`${part.name}: ${problems}`);
  }
  return { files, problems: failed };
}

function collectInTime({ collect, seconds }: Part, timer: System['timer']): Promise<Collected> {
  return new Promise((resolve) => {
    const fail = (problem: string) => resolve({ files: [], problems: [problem] });
    const timeout = timer(seconds * 1000, () => fail(`timed out after ${seconds} s`));
    Promise.resolve()
      .then(collect)
      .then(resolve, (error) => fail(errorMessage(error)))
      .finally(timeout.cancel);
  });
}
