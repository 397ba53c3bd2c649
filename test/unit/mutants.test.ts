import { existsSync, globSync, readFileSync } from 'node:fs';
import { transformSync } from 'esbuild';
import { describe, expect, test } from 'vitest';
import { testFile } from '../mutants/run-tests.ts';
import { filesBesides, mutantsOf, rooms } from '../mutants/tables.ts';

const all = mutantsOf.flatMap(({ file, mutants }) => mutants.map((mutant) => ({ file, ...mutant })));

describe('each mutant', () => {
  test.each(all)('of $file can be planted: $before -> $after', ({ file, before, after }) => {
    const text = readFileSync(file, 'utf8');
    expect(text.split(before)).toHaveLength(2);
    expect(after).not.toBe(before);
    const planted = text.replace(before, () => after);
    expect(() => transformSync(planted, { loader: 'ts' })).not.toThrow();
  });

  test('is there once', () => {
    const keys = all.map(({ file, before, after }) => JSON.stringify([file, before, after]));
    expect(new Set(keys).size).toBe(keys.length);
  });
});

describe('the mutants', () => {
  test('are in every file that is more than types', () => {
    const files = [...rooms.flatMap((room) => globSync(`${room}/*.ts`)), ...filesBesides];
    const withCode = files.filter((file) => {
      const { code } = transformSync(readFileSync(file, 'utf8'), { loader: 'ts', minify: true });
      return code.trim() !== '';
    });
    expect(mutantsOf.map(({ file }) => file).toSorted()).toEqual(withCode.toSorted());
  });

  test('name tests that there are', () => {
    const missing = mutantsOf.flatMap(({ tests }) => tests.filter((name) => !existsSync(testFile(name))));
    expect(missing).toEqual([]);
  });
});
