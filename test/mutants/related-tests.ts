import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Which files of a folder import which. */
export interface ImportGraph {
  /** Returns the tests that import a file, directly or not, each with the number of imports between, the nearest first. */
  testsOf(file: string): ReadonlyMap<string, number>;
}

/** The projects of vitest.config.ts that run for mutants. */
const projects = ['unit', 'properties', 'e2e', 'simulator-tests', 'cluster'];

/** They run whole programs thousands of times, or only processes, which contain no mutant. */
const neverRun = /^test\/e2e\/(matrix|mutants|demo|debugging-page|process|concurrency)\b/;

export function importGraph(folder: string): ImportGraph {
  const files = globSync(['src/**/*.ts', 'test/**/*.ts'], { cwd: folder });
  const importers = new Map<string, string[]>();
  for (const file of files) {
    const text = readFileSync(join(folder, file), 'utf8');
    const targets = [...text.matchAll(imported)].map(([, name = '']) => join(dirname(file), name));
    for (const target of targets) importers.set(target, [...(importers.get(target) ?? []), file]);
  }
  const isTest = (file: string): boolean =>
    file.endsWith('.test.ts') &&
    projects.some((project) => file.startsWith(`test/${project}/`)) &&
    !neverRun.test(file);
  return {
    testsOf: (file) => new Map([...closure(file, importers)].filter(([name]) => isTest(name))),
  };
}

/** Returns a file and all files that edges lead to from it, with their distances. */
function closure(file: string, edges: ReadonlyMap<string, readonly string[]>): ReadonlyMap<string, number> {
  const found = new Map([[file, 0]]);
  for (const [near, distance] of found) {
    for (const next of edges.get(near) ?? []) if (!found.has(next)) found.set(next, distance + 1);
  }
  return found;
}

const imported = /(?:from |import |import\()'(\.[^']+)'/g;
