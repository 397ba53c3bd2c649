// The names of tests: as vitest collects them, or with results from its JSON reporter.

import { readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { createVitest, type TestCase } from 'vitest/node';

/** A test's file, and its title after those of its groups. */
export interface TestName {
  readonly file: string;
  readonly path: readonly string[];
}

export interface TestResult extends TestName {
  readonly status: string;
}

const root = resolve(import.meta.dirname, '../..');
const include = ['test/conformance/*.test.ts', 'test/clients/**/*.test.ts'];
const isIncluded = (file: string): boolean => /^test\/(conformance|clients)\//.test(file);

/** Collects test files without running tests or global setup. */
export async function collectNames(): Promise<readonly TestName[]> {
  const vitest = await createVitest('test', { config: false, root, include, watch: false, reporters: [] });
  try {
    const { testModules, unhandledErrors } = await vitest.collect(undefined, { staticParse: false });
    const errors = [...unhandledErrors, ...testModules.flatMap((module) => module.errors())];
    if (errors.length > 0) throw errors[0];
    const modules = testModules.toSorted((one, other) => one.moduleId.localeCompare(other.moduleId));
    return modules.flatMap((module) =>
      [...module.children.allTests()].map((test) => ({
        file: relative(root, module.moduleId),
        path: pathOf(test),
      })),
    );
  } finally {
    await vitest.close();
  }
}

function pathOf(test: TestCase): readonly string[] {
  const path = [test.name];
  for (let parent = test.parent; parent.type === 'suite'; parent = parent.parent) path.unshift(parent.name);
  return path;
}

interface JsonReport {
  readonly testResults: readonly {
    readonly name: string;
    readonly assertionResults: readonly {
      readonly ancestorTitles: readonly string[];
      readonly title: string;
      readonly status: string;
    }[];
  }[];
}

/** Reads build/test-results.json, which vitest writes in CI. */
export function readResults(file: string): readonly TestResult[] {
  const report = JSON.parse(readFileSync(file, 'utf8')) as JsonReport;
  return report.testResults
    .map(({ name, assertionResults }) => ({ file: relative(root, name), assertionResults }))
    .filter(({ file }) => isIncluded(file))
    .toSorted((one, other) => one.file.localeCompare(other.file))
    .flatMap(({ file, assertionResults }) =>
      assertionResults.map(({ ancestorTitles, title, status }) => ({
        file,
        path: [...ancestorTitles, title],
        status,
      })),
    );
}
