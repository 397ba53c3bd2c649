import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Tests that start processes, wait in real time or combine thousands of cases: too slow to repeat for every mutant. */
const slow =
  /^test\/e2e\/(matrix|broken-hns|concurrency|network|status|process|log-processes|ipam-program|load-balancer-crash|demo|debugging-page)\b|^test\/e2e\/cli\/(watch|completion)\b/;

/** The projects of vitest.config.ts that run for mutants. */
const projects = ['unit', 'e2e', 'simulator-tests'];

/** Returns the test files that import a file of the folder, directly or not, the nearest ones first. */
export function relatedTests(folder: string): (file: string) => readonly string[] {
  const files = globSync(['src/**/*.ts', 'test/**/*.ts'], { cwd: folder });
  const importers = new Map<string, string[]>();
  for (const file of files) {
    for (const [, specifier = ''] of readFileSync(join(folder, file), 'utf8').matchAll(imported)) {
      const target = join(dirname(file), specifier);
      importers.set(target, [...(importers.get(target) ?? []), file]);
    }
  }
  const isQuickTest = (file: string): boolean =>
    file.endsWith('.test.ts') &&
    projects.some((project) => file.startsWith(`test/${project}/`)) &&
    !slow.test(file);
  return (file) => {
    const found = new Set([file]);
    for (const near of found) for (const importer of importers.get(near) ?? []) found.add(importer);
    return [...found].filter(isQuickTest).toSorted((one, other) => rank(one) - rank(other));
  };
}

/** Unit tests are quickest; the order within a project, by distance, stays. */
function rank(test: string): number {
  return projects.findIndex((project) => test.startsWith(`test/${project}/`));
}

const imported = /(?:from |import |import\()'(\.[^']+)'/g;
