/** The two programs in the exe: the plugin, and the command line, which the plugin's process loads when a person runs it. */

import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const commandLineFile = 'win-hcn-cli.cjs';

/** Leaves the command line out of the plugin's bundle: it is a file beside it, and in the exe an asset of this name. */
const commandLineApart = {
  name: 'command line apart',
  setup: (build) =>
    build.onResolve({ filter: /^\.\/cli\/main\.ts$/ }, () => ({
      path: `./${commandLineFile}`,
      external: true,
    })),
};

/**
 * What esbuild makes each of them from: one CommonJS file, which is what Node's single executable applications run, and what the
 * tests run on Linux.
 * @param {string} version
 * @returns {Record<'plugin' | 'commandLine', import('esbuild').BuildOptions & { outfile: string }>}
 */
export function bundles(version) {
  const options = {
    bundle: true,
    platform: 'node',
    target: 'node24',
    minify: true,
    // The build of uuid for Node loads node:crypto, which takes longer than everything else a request does before its first HCN call.
    alias: { uuid: join(root, 'node_modules/uuid/dist/index.js') },
    format: 'cjs',
    define: { 'process.env.WIN_HCN_VERSION': JSON.stringify(version), 'import.meta.url': '__filename' },
    legalComments: 'inline',
    logLevel: 'warning',
  };
  return {
    plugin: {
      ...options,
      entryPoints: [join(root, 'src/main.ts')],
      outfile: join(root, 'build/win-hcn.cjs'),
      plugins: [commandLineApart],
    },
    commandLine: {
      ...options,
      entryPoints: [join(root, 'src/cli/main.ts')],
      outfile: join(root, 'build', commandLineFile),
    },
  };
}
