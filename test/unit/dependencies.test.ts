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

test.each([
  ['At run time, all bundled into the exe:', dependencies],
  ['For building and testing:', { ...devDependencies, ...optionalDependencies }],
])('CONTRIBUTING.md describes every package: %s', (sentence, packages) => {
  expect(tableAfter(sentence).toSorted()).toEqual(Object.keys(packages).toSorted());
});

test('every package is pinned to one version, and to its bytes on all platforms', () => {
  for (const version of Object.values({ ...dependencies, ...devDependencies, ...optionalDependencies }))
    expect(version).toMatch(/^\d+\.\d+\.\d+$/);
  const { '': root, ...packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')).packages;
  expect(root.version).toBe(JSON.parse(readFileSync('package.json', 'utf8')).version);
  expect(Object.keys(packages).filter((path) => packages[path].integrity === undefined)).toEqual([]);
});

const programs = bundles('0.0.0');

/** Returns the inputs of a bundle, each with its bytes in the output. */
async function inside(program: keyof typeof programs): Promise<ReadonlyMap<string, number>> {
  const { metafile } = await build({ ...programs[program], metafile: true, write: false });
  const output = Object.values(metafile?.outputs ?? {}).find(({ entryPoint }) => entryPoint);
  return new Map(
    Object.entries(output?.inputs ?? {}).map(([path, { bytesInOutput }]) => [path, bytesInOutput]),
  );
}

function packagesIn(paths: Iterable<string>): readonly string[] {
  const names = [...paths].flatMap((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []);
  return [...new Set(names)].toSorted();
}

const ofPlugin = ['leven', 'uuid'];
const ofCommandLine = ['commander', 'fflate', 'jsonc-parser', 'smol-toml', 'string-width'];
/** The dependencies of string-width. */
const behindTables = ['ansi-regex', 'emoji-regex', 'is-fullwidth-code-point', 'strip-ansi'];
const loaded = globSync('src/**/*.ts').flatMap((file) =>
  [...readFileSync(file, 'utf8').matchAll(/createRequire\(.*?\)\('(.+?)'\)/g)].map(([, name]) => name),
);

test('koffi is loaded, and all other packages are bundled', () => {
  expect(loaded).toEqual(['koffi']);
  expect([...ofPlugin, ...ofCommandLine, ...loaded].toSorted()).toEqual(Object.keys(dependencies).toSorted());
});

test('the first bundle, which answers VERSION, contains no package, and nothing of HCN', async () => {
  const inputs = [...(await inside('start')).keys()];
  expect(packagesIn(inputs)).toEqual([]);
  expect(inputs.filter((path) => /src\/(hcn|config|commands|cli)\//.test(path))).toEqual([]);
});

test("the plugin's bundle contains exactly these packages, and no command-line code", async () => {
  const inputs = [...(await inside('plugin')).keys()];
  expect(packagesIn(inputs)).toEqual(ofPlugin);
  expect(inputs.filter((path) => path.includes('src/cli/'))).toEqual([]);
});

test("the command line's bundle contains exactly these packages", async () => {
  const held = packagesIn((await inside('commandLine')).keys());
  expect(held).toEqual([...ofPlugin, ...ofCommandLine, ...behindTables].toSorted());
});
