import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';

/** The vitest projects whose tests are to notice a mutant, the quicker one first. */
export const projects = ['unit', 'e2e'] as const;
export type Project = (typeof projects)[number];

/** The path of a test file that a table names. */
export function testFile(name: string): string {
  return `test/${name}.test.ts`;
}

/** `by` says which test failed, or what else was wrong. */
export type Verdict = { readonly passed: true } | { readonly passed: false; readonly by: string };

/** Runs the test files of one project in a tree, up to the first that fails; none given means all of them. */
export async function runTests(tree: string, project: Project, files: readonly string[]): Promise<Verdict> {
  const report = join(tree, 'build/mutant.json');
  rmSync(report, { force: true });
  const vitest = spawn(
    process.execPath,
    [
      'node_modules/vitest/vitest.mjs',
      'run',
      ...['--project', project, '--bail', '1', '--reporter', 'json', '--outputFile', report],
      ...files,
    ],
    { cwd: tree, stdio: 'ignore', detached: true },
  );
  // Its workers may be in an endless loop, and go only with their process group.
  const stop = (): void => {
    if (vitest.pid !== undefined) process.kill(-vitest.pid, 'SIGKILL');
  };
  process.once('exit', stop);
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    stop();
  }, limitMilliseconds);
  const [exitCode] = await once(vitest, 'exit');
  clearTimeout(timer);
  process.off('exit', stop);
  if (isLate) return { passed: false, by: `the time limit of ${limitMilliseconds / 60_000} minutes` };
  return exitCode === 0 ? { passed: true } : { passed: false, by: culprit(tree, report) };
}

/** All of the e2e tests take a fifth of it on a machine with other work to do. */
const limitMilliseconds = 10 * 60_000;

interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

function culprit(tree: string, report: string): string {
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as Report;
  const failed = testResults.filter(({ status }) => status === 'failed');
  const named = failed.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === 'failed')
      .map(({ fullName }) => `${relative(tree, name)}: ${fullName}`),
  );
  const [first] = [...named, ...failed.map(({ name }) => relative(tree, name))];
  return first ?? 'an error outside of a test';
}
