import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Mutant } from './mutate.ts';
import type { Probes } from './probes.ts';
import { reachedFile } from './reached-file.ts';
import type { ImportGraph } from './related-tests.ts';
import { startWorker } from './worker.ts';

/** The parts of the sources that a test file runs, and its time. */
interface Reach {
  readonly milliseconds: number;
  /** The probes by file: those reached while modules were loaded, which happens once in a process, and those in tests. */
  readonly whileLoading: { readonly [file: string]: readonly number[] };
  readonly inTests: { readonly [file: string]: readonly number[] };
}

/** Which tests run which code. */
export interface Reaches {
  /** The time of a test; undefined if it was not measured. */
  millisecondsOf(test: string): number | undefined;
  /** Returns the tests that run a mutant's code, the nearest and cheapest first. */
  testsOf(mutant: Mutant): readonly string[];
}

export interface Project {
  readonly folder: string;
  readonly graph: ImportGraph;
  readonly probes: ReadonlyMap<string, Probes>;
}

/** Returns what each test reaches: from the cache, by the content of the test and its imports, or by running it once. */
export async function measureReaches(project: Project, tests: readonly string[]): Promise<Reaches> {
  const cache = join(project.folder, 'build/mutants-reach');
  mkdirSync(cache, { recursive: true });
  const fileOf = cacheFiles(project, cache);
  const missing = tests.filter((test) => !existsSync(fileOf(test)));
  if (missing.length > 0) {
    process.stderr.write(`measuring what ${missing.length} of ${tests.length} test files reach\n`);
    await runWithProbes(project, missing, (test, reach) =>
      writeFileSync(fileOf(test), JSON.stringify(reach)),
    );
  }
  const reaches = new Map(
    tests
      .filter((test) => existsSync(fileOf(test)))
      .map((test): [string, Reach] => [test, JSON.parse(readFileSync(fileOf(test), 'utf8'))]),
  );
  return {
    millisecondsOf: (test) => reaches.get(test)?.milliseconds,
    testsOf: (mutant) => testsThatReach(mutant, project, reaches),
  };
}

async function runWithProbes(
  { folder, probes }: Project,
  tests: readonly string[],
  store: (test: string, reach: Reach) => void,
): Promise<void> {
  const copy = join(folder, 'build/mutants/reach');
  const instrumented = join(folder, 'build/mutants-reach/instrumented');
  writeFileSync(
    instrumented,
    JSON.stringify(Object.fromEntries([...probes].map(([file, { text }]) => [file, text]))),
  );
  const worker = startWorker(folder, copy, instrumented);
  const ended = (test: string, milliseconds: number): void => {
    const file = join(copy, 'build/reached', reachedFile(test, '.'));
    const reached = existsSync(file)
      ? JSON.parse(readFileSync(file, 'utf8'))
      : { whileLoading: {}, inTests: {} };
    store(test, { milliseconds, ...reached });
  };
  try {
    let left = tests;
    while (left.length > 0) {
      const outcome = await worker.run(left, { secondsOf: () => 120, goesOn: true, onEnd: ended });
      if (outcome.kind === 'passed' || outcome.kind === 'failed') break;
      left = left.slice(left.indexOf(outcome.test) + 1);
    }
  } finally {
    worker.stop();
  }
}

function testsThatReach(
  { file, start }: Mutant,
  { graph, probes }: Project,
  reaches: ReadonlyMap<string, Reach>,
): readonly string[] {
  const distances = graph.testsOf(file);
  const probe = probes.get(file)?.at(start);
  const runsWhenLoaded =
    probe === undefined ||
    [...reaches.values()].some(({ whileLoading }) => whileLoading[file]?.includes(probe));
  const users = runsWhenLoaded ? usersOf(file, graph, probes) : [];
  const isReached = ({ whileLoading, inTests }: Reach): boolean =>
    (probe !== undefined && [whileLoading, inTests].some((reached) => reached[file]?.includes(probe))) ||
    users.some((user) => inTests[user] !== undefined);
  const cost = (test: string): number => (reaches.get(test)?.milliseconds ?? 0) * (distances.get(test) ?? 1);
  return [...distances.keys()]
    .filter((test) => {
      const reach = reaches.get(test);
      return reach !== undefined && (isReached(reach) || users.includes(test));
    })
    .toSorted((one, other) => cost(one) - cost(other));
}

/** Returns the files that can use values that a module computes on load: itself and its importers, also through files without functions. */
function usersOf(file: string, graph: ImportGraph, probes: ReadonlyMap<string, Probes>): readonly string[] {
  const found = new Set([file]);
  for (const near of found) {
    if (near !== file && probes.get(near)?.count !== 0) continue;
    for (const importer of graph.importersOf(near)) found.add(importer);
  }
  return [...found];
}

/** Returns the cache file of a test. Its name depends on the content of the test and its imports. */
function cacheFiles({ folder, graph }: Project, cache: string): (test: string) => string {
  const hashes = new Map<string, string>();
  const hashOf = (file: string): string => {
    const name = resolve(folder, file);
    const known = hashes.get(name);
    if (known !== undefined) return known;
    const hash = existsSync(name) ? sha256(readFileSync(name)) : 'missing';
    hashes.set(name, hash);
    return hash;
  };
  const tool = hashOf('test/mutants/probes.ts');
  const names = new Map<string, string>();
  return (test) => {
    const known = names.get(test);
    if (known !== undefined) return known;
    const contents = graph.importsOf(test).map((file) => `${file} ${hashOf(file)}`);
    const name = join(cache, sha256([tool, test, ...contents].join('\n')));
    names.set(test, name);
    return name;
  };
}

function sha256(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}
