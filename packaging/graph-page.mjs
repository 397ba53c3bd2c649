/** The style and the script of the page that `win-hcn graph` prints, as a module of texts. */

import { createHash } from 'node:crypto';
import { join } from 'node:path';

const folder = join(import.meta.dirname, '../src/cli/graph/page');

/** TypeScript with both, and with what a Content-Security-Policy calls them. They are ASCII. */
export async function graphPageModule() {
  const { build } = await import('esbuild');
  const { outputFiles } = await build({
    entryPoints: [join(folder, 'main.ts'), join(folder, 'page.css')],
    outdir: folder,
    bundle: true,
    write: false,
    minify: true,
    format: 'iife',
    target: ['chrome105', 'firefox110', 'safari16'],
    logLevel: 'warning',
  });
  const textOf = (extension) => outputFiles.find(({ path }) => path.endsWith(extension)).text.trim();
  return Object.entries({ script: textOf('.js'), style: textOf('.css') })
    .flatMap(([name, text]) => [
      `export const ${name} = ${JSON.stringify(text)};`,
      `export const ${name}Hash = 'sha256-${createHash('sha256').update(text).digest('base64')}';`,
    ])
    .join('\n');
}
