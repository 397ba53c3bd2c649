// Runs test files of its folder as often as its parent sends some. A process of its own, because a mutant may loop forever.

import { relative } from 'node:path';
import { BaseSequencer, createVitest, type TestModule, type TestSpecification } from 'vitest/node';

import { outsideOfTests } from './decide.ts';

/** Test files in the order to run them, and the file that is mutated meanwhile. */
export interface Run {
  readonly tests: readonly string[];
  readonly mutated?: string;
}

/** The first failure: a test, or something outside of the tests; vitest may name the file. */
export interface Failure {
  readonly test?: string;
  readonly what: string;
}

/** The runner is ready; a test file ended; all have. */
export type Message = 'ready' | { readonly ended: string } | { readonly failure: Failure | undefined };

/** vitest would run the slowest tests first. */
class InGivenOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files;
  }
}

const send = (message: Message): void => void process.send?.(message);
const named = (id: string): string => relative(process.cwd(), id);

const vitest = await createVitest(
  {
    root: process.cwd(),
    config: false,
    include: ['test/**/*.test.ts'],
    watch: false,
    env: { WIN_HCN_TIER: 'quick' },
    bail: 1,
    maxWorkers: 1,
    isolate: false,
    // The parent has a limit for each file.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    reporters: [{ onTestModuleEnd: ({ moduleId }: TestModule) => send({ ended: named(moduleId) }) }],
    sequence: { sequencer: InGivenOrder },
  },
  { logLevel: 'silent' },
);
await vitest.standalone();

process.on('disconnect', () => process.exit());
process.on('message', async ({ tests, mutated }: Run) => {
  if (mutated !== undefined) vitest.invalidateFile(mutated);
  const failure = await firstFailure(tests);
  if (mutated !== undefined) vitest.invalidateFile(mutated);
  send({ failure });
});
send('ready');

async function firstFailure(tests: readonly string[]): Promise<Failure | undefined> {
  const found = await vitest.globTestSpecifications([...tests]);
  const place = (file: string): number => tests.indexOf(named(file));
  const ordered = found
    .filter(({ moduleId }) => place(moduleId) !== -1)
    .toSorted((one, other) => place(one.moduleId) - place(other.moduleId));
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(ordered);
  // vitest also returns modules of earlier runs.
  const inThisRun = new Set(ordered.map(({ moduleId }) => moduleId));
  for (const module of testModules.filter(({ moduleId }) => inThisRun.has(moduleId))) {
    const test = named(module.moduleId);
    for (const { fullName } of module.children.allTests('failed')) return { test, what: fullName };
    if (module.state() === 'failed') return { test, what: 'cannot be loaded' };
  }
  const [error] = unhandledErrors;
  if (error === undefined) return undefined;
  const { VITEST_TEST_PATH: path } = error as { VITEST_TEST_PATH?: string };
  return { ...(path !== undefined && { test: named(path) }), what: outsideOfTests };
}
