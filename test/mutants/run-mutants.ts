import { join } from 'node:path';
import { openCompiler } from './compiler.ts';
import { newJudge, type Verdict } from './decide.ts';
import { type Mutant, mutantsOf } from './mutate.ts';
import { type ImportGraph, importGraph } from './related-tests.ts';
import { shuffled } from './shuffled.ts';
import { startWorker, type Worker } from './worker.ts';

export interface Options {
  /** The project's folder. */
  readonly project: string;
  readonly files: readonly string[];
  /** Runs only mutants at these places, `file:line`. Default: all. */
  readonly only?: readonly string[];
  readonly seed: number;
  /** How many mutants to run at most. */
  readonly sample: number;
  /** The run ends after that time; mutants that are running then do not count. */
  readonly seconds: number;
  readonly workers: number;
  /** Receives each mutant with the number of test files that import its file. */
  readonly report: (mutant: Mutant, verdict: Verdict, reaching: number) => void;
}

export interface Counts {
  /** The mutants of all files that were to be run, those that do not compile included. */
  readonly found: number;
  readonly run: number;
  readonly survived: number;
  /** The test files that fail without a mutant. */
  readonly broken: readonly string[];
}

/** A mutant runs this many of the tests that import its file, those that killed another one first, then unit tests and properties. */
const mostTests = 80;
/** The time limit of a test file. */
const testSeconds = 20;

/** Runs mutants in random order, each with the tests that import its file. */
export async function runMutants(options: Options): Promise<Counts> {
  const { project, files, only = [], seed, sample, seconds } = options;
  const end = Date.now() + seconds * 1000;
  const compiler = openCompiler(project);
  const graph = importGraph(project);
  const all = files.flatMap((file) => mutantsOf(file, compiler.parse(file)));
  const found = shuffled(all, seed).filter(
    ({ file, line }) => only.length === 0 || only.includes(`${file}:${line}`),
  );
  const waiting = found.values();
  const stable = new Set<string>();
  const broken = new Set<string>();
  const killers = new Map(files.map((file) => [file, new Set<string>()]));
  let started = 0;
  let run = 0;
  let survived = 0;

  const isOver = (): boolean => Date.now() >= end;
  const next = (): Mutant | undefined => {
    if (isOver() || started >= sample) return undefined;
    for (const mutant of waiting) {
      if (!compiler.accepts(mutant.file, mutant.text())) continue;
      started += 1;
      return mutant;
    }
    return undefined;
  };
  const work = async (worker: Worker): Promise<void> => {
    const judge = newJudge({ worker, testSeconds, stable, broken, isOver });
    for (let mutant = next(); mutant !== undefined; mutant = next()) {
      const reaching = testsFor(mutant, graph);
      const known = killers.get(mutant.file);
      const isKnown = (test: string): boolean => known?.has(test) === true;
      const tests = [...reaching.filter(isKnown), ...reaching.filter((test) => !isKnown(test))];
      const verdict = await judge.decide(mutant, tests.slice(0, mostTests));
      if (verdict.killer !== undefined) known?.add(verdict.killer);
      if (isOver()) return;
      run += 1;
      if (verdict.killedBy === undefined) survived += 1;
      options.report(mutant, verdict, reaching.length);
    }
  };

  const workers = Array.from({ length: options.workers }, (_, index) =>
    startWorker(project, join(project, `build/mutants/${index}`)),
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
  return { found: found.length, run, survived, broken: [...broken].toSorted() };
}

/** Unit tests first, then properties, each by distance. */
function testsFor(mutant: Mutant, graph: ImportGraph): readonly string[] {
  const order = ['test/unit/', 'test/properties/'];
  const rank = (test: string): number => {
    const place = order.findIndex((start) => test.startsWith(start));
    return place === -1 ? order.length : place;
  };
  return [...graph.testsOf(mutant.file).keys()].toSorted((one, other) => rank(one) - rank(other));
}
