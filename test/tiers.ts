// When each test file runs.

import { globSync } from 'node:fs';
import { resolve } from 'node:path';

/** `quick`: before each commit (npm test). `landing`: before a change lands (npm run test:all). `nightly`: each night (npm run nightly). */
export const tiers = ['quick', 'landing', 'nightly'] as const;
export type Tier = (typeof tiers)[number];

/** The files that are not quick, by the start of their path below test/. The longest start decides. */
const later: Readonly<Record<string, Tier>> = {
  // Programs that not every machine has: Wine, Go, containerd.
  'clients/': 'landing',
  'windows/': 'landing',
  'windows/exe.test.ts': 'quick',
  'windows/black-box.test.ts': 'nightly',
  'windows/release.test.ts': 'nightly',
  'conformance/page.test.ts': 'landing',
  // What measures time runs alone.
  'bench/': 'landing',
  'bench/start.test.ts': 'nightly',
  // The command line.
  'e2e/cli/': 'landing',
  'e2e/clusters/': 'landing',
  'e2e/probe/': 'landing',
  'e2e/sync/': 'landing',
  'e2e/faults/': 'landing',
  'history/': 'landing',
  'history/restarts.test.ts': 'quick',
  'cluster/': 'landing',
  'simulator-tests/': 'landing',
  // The crash matrix: a sample, one effect of each kind on each call, all of it.
  'e2e/matrix/': 'landing',
  'e2e/matrix/nightly/': 'nightly',
  'e2e/matrix/sample.test.ts': 'quick',
  // Long searches in the sources, and processes that are killed.
  'e2e/burst.test.ts': 'landing',
  'e2e/concurrency.test.ts': 'landing',
  'e2e/interleaving.test.ts': 'landing',
  'e2e/storm.test.ts': 'landing',
  'e2e/debugging-page.test.ts': 'landing',
  'e2e/demo.test.ts': 'landing',
  'e2e/screenshots.test.ts': 'landing',
  'unit/cli/capture/adversarial.test.ts': 'landing',
  'unit/linear-time.test.ts': 'landing',
  'unit/regular-expressions/': 'landing',
  'unit/cli/install/install-kill.test.ts': 'landing',
};

/** The tier of a test file, given by its path below test/. */
export function tierOf(file: string): Tier {
  const starts = Object.keys(later).filter((start) => file.startsWith(start));
  const longest = starts.reduce((one, other) => (other.length > one.length ? other : one), '');
  return later[longest] ?? 'quick';
}

/** The starts of paths that are not quick. */
export const laterStarts: readonly string[] = Object.keys(later);

/** All test files, by their path below test/. */
export function testFiles(): readonly string[] {
  const files = globSync('**/*.test.ts', { cwd: resolve(import.meta.dirname) });
  return files.map((file) => file.replaceAll('\\', '/')).toSorted();
}
