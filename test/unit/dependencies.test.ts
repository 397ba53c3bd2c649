import { globSync, readFileSync } from 'node:fs';
import { build } from 'esbuild';
import { expect, test } from 'vitest';

const page = readFileSync('CONTRIBUTING.md', 'utf8');
const { dependencies, devDependencies, optionalDependencies } = JSON.parse(
  readFileSync('package.json', 'utf8'),
);

/** The packages of the table that follows a sentence. */
function tableAfter(sentence: string): readonly string[] {
  const [, table = ''] =
    new RegExp(`${sentence}\n\n\\| package \\| for \\|\n.*\n((?:\\|.*\n)+)`).exec(page) ?? [];
  return table.split('\n').flatMap((row) => /^\| (.*?) \| .+ \|$/.exec(row)?.[1]?.split(', ') ?? []);
}

test('CONTRIBUTING.md says what each package at run time is for', () => {
  expect(tableAfter('At run time, all bundled into the exe:').toSorted()).toEqual(
    Object.keys(dependencies).toSorted(),
  );
});

test('CONTRIBUTING.md says what each package for building and testing is for', () => {
  expect(tableAfter('For building and testing:').toSorted()).toEqual(
    Object.keys({ ...devDependencies, ...optionalDependencies }).toSorted(),
  );
});

test('every package is pinned to one version', () => {
  for (const version of Object.values({ ...dependencies, ...devDependencies, ...optionalDependencies }))
    expect(version).toMatch(/^\d+\.\d+\.\d+$/);
});

test('the bundle holds these packages and no other: koffi is loaded, the rest is in it', async () => {
  const { metafile } = await build({
    entryPoints: ['src/main.ts'],
    bundle: true,
    platform: 'node',
    format: 'cjs',
    define: { 'import.meta.url': '__filename' },
    metafile: true,
    write: false,
  });
  const bundled = Object.keys(metafile.inputs).flatMap(
    (path) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? [],
  );
  const loaded = globSync('src/**/*.ts').flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/createRequire\(.*?\)\('(.+?)'\)/g)].map(([, name]) => name),
  );
  expect([...new Set(bundled)].toSorted()).toEqual(['ipaddr.js', 'leven', 'uuid']);
  expect(loaded).toEqual(['koffi']);
  expect([...new Set([...bundled, ...loaded])].toSorted()).toEqual(Object.keys(dependencies).toSorted());
});
