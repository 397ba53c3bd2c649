import { join } from 'node:path';
import { openCompiler } from './compiler.ts';
import { type Mutant, mutantsOf } from './mutate.ts';
import { relatedTests } from './related-tests.ts';
import { shuffled } from './shuffled.ts';
import { startWorker, type Worker } from './worker.ts';

export interface Options {
  /** The project's folder. */
  readonly project: string;
  readonly files: readonly string[];
  /** Runs only test files whose path contains this text. Default: all. */
  readonly tests?: string;
  readonly seed: number;
  /** How many mutants to run at most. */
  readonly sample: number;
  /** The run ends after that time; mutants that are running then do not count. */
  readonly seconds: number;
  /** How long the tests of one mutant may take. Default: 60 s. */
  readonly limitSeconds?: number;
  readonly workers: number;
  /** Receives each mutant with the test that failed, or undefined when the mutant survived. */
  readonly report: (mutant: Mutant, killedBy: string | undefined) => void;
}

export interface Counts {
  /** The mutants of all files that were to be run, those that do not compile included. */
  readonly found: number;
  readonly run: number;
  readonly survived: number;
}

/** Runs mutants in random order, each with the tests that import its file. Throws when a test fails without a mutant too. */
export async function runMutants(options: Options): Promise<Counts> {
  const { project, files, tests: only = '', seed, sample, seconds, limitSeconds = 60 } = options;
  const end = Date.now() + seconds * 1000;
  const compiler = openCompiler(project);
  const testsOf = relatedTests(project);
  const found = shuffled(
    files.flatMap((file) => mutantsOf(file, compiler.parse(file))),
    seed,
  );
  const waiting = found.values();
  const stable = new Set<string>();
  const killers = new Map(files.map((file) => [file, new Set<string>()]));
  let started = 0;
  let run = 0;
  let survived = 0;

  const next = (): Mutant | undefined => {
    if (Date.now() >= end || started >= sample) return undefined;
    for (const mutant of waiting) {
      if (!compiler.accepts(mutant.file, mutant.text)) continue;
      started += 1;
      return mutant;
    }
    return undefined;
  };
  const mustPass = async (worker: Worker, test: string): Promise<void> => {
    const failed = await worker.run([test]);
    if (Date.now() < end && failed !== undefined) {
      throw new Error(`a test fails without a mutant: ${failed}`);
    }
    stable.add(test);
  };
  const work = async (worker: Worker): Promise<void> => {
    for (let mutant = next(); mutant !== undefined; mutant = next()) {
      const { file } = mutant;
      const related = testsOf(file).filter((test) => test.includes(only));
      const tests = new Set([...(killers.get(file) ?? []), ...related]);
      const failed = await worker.run([...tests], mutant);
      const [test = ''] = failed?.split(': ') ?? [];
      if (test.endsWith('.test.ts')) {
        if (!stable.has(test)) await mustPass(worker, test);
        killers.get(file)?.add(test);
      }
      if (Date.now() >= end) return;
      run += 1;
      if (failed === undefined) survived += 1;
      options.report(mutant, failed);
    }
  };

  const workers = Array.from({ length: options.workers }, (_, index) =>
    startWorker(project, join(project, `build/mutants/${index}`), limitSeconds),
  );
  const stop = (): void => {
    for (const worker of workers) worker.stop();
  };
  const timer = Number.isFinite(seconds) ? setTimeout(stop, seconds * 1000) : undefined;
  process.once('exit', stop);
  try {
    await Promise.all(workers.map(work));
  } finally {
    clearTimeout(timer);
    process.off('exit', stop);
    stop();
    compiler.close();
  }
  return { found: found.length, run, survived };
}
