import { availableParallelism } from 'node:os';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { type Tier, testFiles, tierOf, tiers } from './test/tiers.ts';
import { workers } from './test/windows/workers.ts';

/** For what runs a process, and for a busy machine. */
const slow = { testTimeout: 60_000, hookTimeout: 60_000, expect: { poll: { timeout: 30_000 } } };
/** One file more than processors, because many wait for processes. Those that use Wine follow, each in a prefix of its worker. */
const together = { maxWorkers: availableParallelism() + 1, sequence: { groupOrder: 0 } };
const withWine = { maxWorkers: workers, sequence: { groupOrder: 1 } };
/** What measures time runs when nothing else does. */
const alone = { maxWorkers: 1, sequence: { groupOrder: 2 } };

type Test = NonNullable<TestProjectInlineConfiguration['test']>;

/** Each project: the folders of its files below test/, and its settings. */
const projects: Readonly<Record<string, { readonly folders: readonly string[]; readonly test: Test }>> = {
  unit: { folders: ['unit'], test: { ...slow, ...together } },
  properties: { folders: ['properties'], test: { testTimeout: 120_000, ...together } },
  simulator: { folders: ['simulator-tests', 'cluster'], test: { ...slow, ...together } },
  e2e: {
    folders: ['e2e', 'history'],
    test: { globalSetup: ['test/e2e/setup.ts'], ...slow, ...together },
  },
  budget: { folders: ['bench'], test: { globalSetup: ['test/e2e/setup.ts'], ...slow, ...alone } },
  conformance: {
    folders: ['conformance'],
    test: { globalSetup: ['test/e2e/setup.ts'], ...slow, ...together },
  },
  clients: {
    folders: ['clients'],
    test: {
      globalSetup: ['test/e2e/setup.ts', 'test/windows/setup.ts', 'test/clients/setup.ts'],
      ...slow,
      ...withWine,
    },
  },
  windows: { folders: ['windows'], test: { globalSetup: 'test/windows/setup.ts', ...slow, ...withWine } },
};

/** What a tier repeats: the properties with all runs. */
const repeats: Readonly<Record<Tier, string>> = {
  quick: ' ',
  landing: 'properties/',
  nightly: ' ',
};

/** With `--mode quick`, `landing` or `nightly` (test/tiers.ts), the files of that tier. Without it, all but the whole crash matrix. */
function runsIn(file: string, tier: Tier | undefined): boolean {
  if (tier === undefined) return !file.startsWith('e2e/matrix/nightly/');
  return tierOf(file) === tier || file.startsWith(repeats[tier]);
}

export default defineConfig(({ mode }) => {
  const tier = tiers.find((one) => one === mode);
  const files = testFiles().filter((file) => runsIn(file, tier));
  const chosen = Object.entries(projects).flatMap(([name, { folders, test }]) => {
    const own = files.filter((file) => folders.some((folder) => file.startsWith(`${folder}/`)));
    const include = own.map((file) => `test/${file}`);
    return own.length === 0 ? [] : { test: { name, include, ...test, env: { WIN_HCN_TIER: mode } } };
  });
  return {
    test: {
      reporters: process.env['CI']
        ? ['default', ['json', { outputFile: `build/test-results-${mode}.json` }]]
        : ['default'],
      projects: chosen,
    },
  };
});
