import { globSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { checks } from '../../../../src/cli/doctor/checks.ts';

const files = globSync('src/cli/doctor/checks/*.ts');
const modules: readonly object[] = await Promise.all(
  files.map((file) => import(pathToFileURL(resolve(file)).href)),
);
const exported = modules.flatMap((module): readonly unknown[] => Object.values(module));

test('doctor runs every check in checks/', () => {
  const all = exported.filter((value) => typeof value === 'object' && value !== null && 'diagnose' in value);
  expect(all.length).toBeGreaterThan(20);
  expect(new Set(checks)).toEqual(new Set(all));
});

test('every check has a unique name', () => {
  expect(new Set(checks.map(({ name }) => name)).size).toBe(checks.length);
});
