import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { workers } from './test/windows/workers.ts';

/** For what runs a process, and for a busy machine. */
const slow = { testTimeout: 60_000, hookTimeout: 60_000, expect: { poll: { timeout: 30_000 } } };
/** One file more than processors, because many wait for processes. Those that use Wine follow, each in a prefix of its worker. */
const together = { maxWorkers: availableParallelism() + 1, sequence: { groupOrder: 0 } };
const withWine = { maxWorkers: workers, sequence: { groupOrder: 1 } };
/** What measures time runs when nothing else does. */
const alone = { maxWorkers: 1, sequence: { groupOrder: 2 } };

/** The covering array has each pair of positions of two variants of HNS: the whole matrix repeats it with every scenario. */
const isWholeMatrix = process.env['CRASH_MATRIX'] === 'whole';

export default defineConfig({
  test: {
    reporters: process.env['CI']
      ? ['default', ['json', { outputFile: 'build/test-results.json' }]]
      : ['default'],
    projects: [
      { test: { name: 'unit', include: ['test/unit/**/*.test.ts'], ...slow, ...together } },
      {
        test: {
          name: 'properties',
          include: ['test/properties/**/*.test.ts'],
          testTimeout: 120_000,
          ...together,
        },
      },
      {
        test: {
          name: 'simulator',
          include: ['test/simulator-tests/**/*.test.ts', 'test/cluster/**/*.test.ts'],
          ...slow,
          ...together,
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          exclude: isWholeMatrix ? [] : ['test/e2e/matrix/other-hns-ids-attached*.test.ts'],
          globalSetup: ['test/e2e/setup.ts', 'test/e2e/matrix/setup.ts'],
          ...slow,
          ...together,
        },
      },
      {
        test: {
          name: 'budget',
          include: ['test/bench/**/*.test.ts'],
          globalSetup: ['test/e2e/setup.ts'],
          ...slow,
          ...alone,
        },
      },
      {
        test: {
          name: 'conformance',
          include: ['test/conformance/**/*.test.ts'],
          globalSetup: ['test/e2e/setup.ts', 'test/windows/setup.ts'],
          ...slow,
          ...withWine,
        },
      },
      {
        test: {
          name: 'clients',
          include: ['test/clients/**/*.test.ts'],
          globalSetup: ['test/e2e/setup.ts', 'test/windows/setup.ts', 'test/clients/setup.ts'],
          ...slow,
          ...withWine,
        },
      },
      {
        test: {
          name: 'browser',
          include: ['test/browser/**/*.test.ts'],
          globalSetup: ['test/e2e/setup.ts', 'test/browser/setup.ts'],
          ...slow,
        },
      },
      {
        test: {
          name: 'windows',
          include: ['test/windows/**/*.test.ts'],
          globalSetup: 'test/windows/setup.ts',
          ...slow,
          ...withWine,
        },
      },
    ],
  },
});
