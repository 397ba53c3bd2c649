// Runs before each test file while the sources contain probes, and writes which probes its tests reach.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, vi } from 'vitest';
import { reachedFile } from './reached-file.ts';

type Reached = Map<string, Set<number>>;

const whileLoading: Reached = new Map();
const inTests: Reached = new Map();
let current = whileLoading;

Object.assign(globalThis, {
  __reached: (file: string, probe: number) => {
    const probes = current.get(file);
    if (probes === undefined) current.set(file, new Set([probe]));
    else probes.add(probe);
  },
});

// The test files share a process: a value that a module kept since an earlier test file would not be computed again.
vi.resetModules();

beforeAll(() => {
  current = inTests;
});
afterAll(() => {
  const { testPath = '' } = expect.getState();
  mkdirSync('build/reached', { recursive: true });
  const written = { whileLoading: asObject(whileLoading), inTests: asObject(inTests) };
  writeFileSync(join('build/reached', reachedFile(testPath, process.cwd())), JSON.stringify(written));
});

function asObject(reached: Reached): Record<string, number[]> {
  return Object.fromEntries([...reached].map(([file, probes]) => [file, [...probes]]));
}
