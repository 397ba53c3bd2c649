/**
 * The three bundles in the exe: win-hcn.cjs answers VERSION and loads the others, win-hcn-plugin.cjs answers all other requests, and
 * win-hcn-cli.cjs is the command line.
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

/**
 * How esbuild builds each of them: one CommonJS file in ASCII, which start.cjs runs in the exe, and Node in tests on Linux.
 * @param {string} version
 * @returns {Record<'start' | 'plugin' | 'commandLine', import('esbuild').BuildOptions & { outfile: string }>}
 */
export function bundles(version) {
  const options = (entry, file) => ({
    entryPoints: [join(root, 'src', entry)],
    outfile: join(root, 'build', file),
    bundle: true,
    platform: 'node',
    target: 'node26',
    format: 'cjs',
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
    plugins: [loadedApart],
  });
  return {
    start: options('main.ts', 'win-hcn.cjs'),
    plugin: options('plugin/main.ts', loaded['./plugin/main.ts']),
    commandLine: options('cli/main.ts', loaded['./cli/main.ts']),
  };
}
