/**
 * The bundles in the exe: win-hcn.cjs answers VERSION and loads the others, win-hcn-plugin.cjs answers all other requests, win-hcn-cli.cjs
 * is the command line. Two have what few requests need: win-hcn-texts.cjs explains HRESULTs, win-hcn-policies.cjs is the schema of policies.
 */

import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
/** The bundles that the first one loads on demand: files beside it, and in the exe assets of these names. */
const loaded = { './plugin/main.ts': 'win-hcn-plugin.cjs', './cli/main.ts': 'win-hcn-cli.cjs' };

const loadedApart = {
  name: 'loaded apart',
  setup: (build) =>
    build.onResolve({ filter: /^\.\/(plugin|cli)\/main\.ts$/ }, ({ path }) => ({
      path: `./${loaded[path]}`,
      external: true,
    })),
};

/** Modules with one function, which are bundles of their own: those that import them load them when the function is called. */
const onDemand = {
  'hcn/hresults/texts.ts': { file: 'win-hcn-texts.cjs', name: 'hresultTexts' },
  'config/generated/policies-schema.ts': { file: 'win-hcn-policies.cjs', name: 'policiesSchema' },
};

/** The names of all bundles. */
export const bundleFiles = [
  'win-hcn.cjs',
  ...Object.values(loaded),
  ...Object.values(onDemand).map(({ file }) => file),
];

const loadedOnDemand = {
  name: 'loaded on demand',
  setup: (build) =>
    build.onLoad({ filter: /[\\/](texts|policies-schema)\.ts$/ }, ({ path }) => {
      const [source, { file, name } = {}] =
        Object.entries(onDemand).find(([end]) => path.replaceAll('\\', '/').endsWith(`/src/${end}`)) ?? [];
      return source === undefined || build.initialOptions.entryPoints.includes(path)
        ? undefined
        : { contents: `export const ${name} = () => require('./${file}').${name}();` };
    }),
};

/**
 * How esbuild builds each of them: one CommonJS file in ASCII, which start.cjs runs in the exe, and Node in tests on Linux.
 * @param {string} version
 * @returns {Record<'start' | 'plugin' | 'commandLine' | 'hresultTexts' | 'policiesSchema', import('esbuild').BuildOptions & { outfile: string }>}
 */
export function bundles(version) {
  const options = (entry, file) => ({
    entryPoints: [join(root, 'src', entry)],
    outfile: join(root, 'build', file),
    bundle: true,
    platform: 'node',
    target: 'node26',
    format: 'cjs',
    // jsonc-parser's other build, UMD, cannot be bundled.
    mainFields: ['module', 'main'],
    minify: true,
    sourcemap: 'linked',
    sourcesContent: false,
    // In the exe `require` loads the other bundles, and `import` cannot.
    supported: { 'dynamic-import': false },
    // The build of uuid for Node loads node:crypto, which takes longer than everything else a request does before its first HCN call.
    alias: { uuid: join(root, 'node_modules/uuid/dist/index.js') },
    define: { 'process.env.WIN_HCN_VERSION': JSON.stringify(version), 'import.meta.url': '__filename' },
    legalComments: 'inline',
    logLevel: 'warning',
    plugins: [loadedApart, loadedOnDemand],
    external: Object.values(onDemand).map(({ file }) => `./${file}`),
  });
  return {
    start: options('main.ts', 'win-hcn.cjs'),
    plugin: options('plugin/main.ts', loaded['./plugin/main.ts']),
    commandLine: options('cli/main.ts', loaded['./cli/main.ts']),
    ...Object.fromEntries(
      Object.entries(onDemand).map(([entry, { file, name }]) => [name, options(entry, file)]),
    ),
  };
}
