import { existsSync, globSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { everyProperty } from './every-property.ts';
import type { Property } from './property.ts';

const files = globSync('test/properties/*.properties.ts');

test('`npm run fuzz` tests the properties of every file, each once', async () => {
  const modules = await Promise.all(
    files.map(async (file): Promise<readonly Property[][]> => {
      return Object.values(await import(pathToFileURL(resolve(file)).href)).filter(Array.isArray);
    }),
  );
  const written = modules.flat(2);
  const names = (properties: readonly Property[]) => properties.map(({ name }) => name).toSorted();
  expect(names(everyProperty)).toEqual(names(written));
  expect(new Set(names(everyProperty)).size).toBe(everyProperty.length);
});

test('`npm test` tests the properties of every file', () => {
  expect(files.filter((file) => !existsSync(file.replace('.properties.ts', '.test.ts')))).toEqual([]);
});

test('`npm run fuzz` has at least 200,000 cases', () => {
  expect(everyProperty.reduce((sum, { runs }) => sum + runs.fuzz, 0)).toBeGreaterThanOrEqual(200_000);
});
