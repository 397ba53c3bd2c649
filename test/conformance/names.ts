// The names of tests, as vitest collects them.

import { relative, resolve } from 'node:path';
import { createVitest, type TestCase } from 'vitest/node';

/** A test's file, and its title after those of its groups. */
export interface TestName {
  readonly file: string;
  readonly path: readonly string[];
}

const root = resolve(import.meta.dirname, '../..');
const include = [
  'test/conformance/*.test.ts',
  'test/unit/cni/conversion.test.ts',
  'test/windows/black-box.test.ts',
  'test/clients/**/*.test.ts',
];

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
