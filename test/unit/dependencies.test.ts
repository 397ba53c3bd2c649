import { globSync, readFileSync } from 'node:fs';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { bundles } from '../../packaging/bundles.mjs';

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

const programs = bundles('0.0.0');

/** What esbuild says of a bundle: its inputs, and how many bytes of the output each is. */
async function inside(program: keyof typeof programs): Promise<ReadonlyMap<string, number>> {
  const { metafile } = await build({ ...programs[program], metafile: true, write: false });
  const [output] = Object.values(metafile?.outputs ?? {});
  return new Map(
    Object.entries(output?.inputs ?? {}).map(([path, { bytesInOutput }]) => [path, bytesInOutput]),
  );
}

function packagesIn(paths: Iterable<string>): readonly string[] {
  const names = [...paths].flatMap((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []);
  return [...new Set(names)].toSorted();
}

const ofPlugin = ['ipaddr.js', 'leven', 'uuid'];
const ofCommandLine = ['@humanwhocodes/momoa', 'cli-table3', 'commander', 'fflate', 'smol-toml', 'yaml'];
/** What cli-table3 measures its cells with. */
const behindTables = [
  '@colors/colors',
  'ansi-regex',
  'emoji-regex',
  'is-fullwidth-code-point',
  'string-width',
  'strip-ansi',
];
const loaded = globSync('src/**/*.ts').flatMap((file) =>
  [...readFileSync(file, 'utf8').matchAll(/createRequire\(.*?\)\('(.+?)'\)/g)].map(([, name]) => name),
);

test('koffi is loaded, the rest is in the bundles', () => {
  expect(loaded).toEqual(['koffi']);
  expect([...ofPlugin, ...ofCommandLine, ...loaded].toSorted()).toEqual(Object.keys(dependencies).toSorted());
});

test("the plugin's bundle has nothing of the command line in it, but for the few lines that load it", async () => {
  const inputs = await inside('plugin');
  expect(packagesIn(inputs.keys())).toEqual(ofPlugin);
  expect([...inputs.keys()].filter((path) => path.includes('src/cli/'))).toEqual([]);
  const total = [...inputs.values()].reduce((sum, bytes) => sum + bytes, 0);
  expect(inputs.get('src/load-cli.ts')).toBeLessThan(total / 200);
});

test("the command line's bundle holds these packages and no other", async () => {
  const held = packagesIn((await inside('commandLine')).keys());
  expect(held).toEqual([...ofPlugin, ...ofCommandLine, ...behindTables].toSorted());
});
