// Runs test files of its folder as often as its parent sends some. A process of its own, because a mutant may loop forever.

import { BaseSequencer, createVitest, type TestSpecification } from 'vitest/node';

/** Test files in the order to run them, and the file that is mutated meanwhile. */
export interface Run {
  readonly tests: readonly string[];
  readonly mutated?: string;
}

/** The first test that failed; undefined when all passed. */
export interface Result {
  readonly failed?: string;
}

/** vitest would run the slowest tests first. */
class InGivenOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files;
  }
}

const vitest = await createVitest(
  {
    root: process.cwd(),
    config: false,
    include: ['test/**/*.test.ts'],
    watch: false,
    bail: 1,
    maxWorkers: 1,
    isolate: false,
    testTimeout: 20_000,
    reporters: [{}],
    sequence: { sequencer: InGivenOrder },
  },
  { logLevel: 'silent' },
);
await vitest.standalone();

process.on('disconnect', () => process.exit());
process.on('message', async ({ tests, mutated }: Run) => {
  if (mutated !== undefined) vitest.invalidateFile(mutated);
  const failed = await firstFailure(tests);
  if (mutated !== undefined) vitest.invalidateFile(mutated);
  process.send?.((failed === undefined ? {} : { failed }) satisfies Result);
});
process.send?.('ready');

async function firstFailure(tests: readonly string[]): Promise<string | undefined> {
  const found = await vitest.globTestSpecifications([...tests]);
  const place = (file: string): number => tests.findIndex((test) => file.endsWith(test));
  const ordered = found.toSorted((one, other) => place(one.moduleId) - place(other.moduleId));
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(ordered);
  // vitest also returns modules of earlier runs.
  const inThisRun = new Set(ordered.map(({ moduleId }) => moduleId));
  for (const module of testModules.filter(({ moduleId }) => inThisRun.has(moduleId))) {
    for (const test of module.children.allTests('failed'))
      return `${module.relativeModuleId}: ${test.fullName}`;
    if (module.state() === 'failed') return `${module.relativeModuleId}: cannot be loaded`;
  }
  return unhandledErrors.length === 0 ? undefined : 'an error outside of a test';
}
