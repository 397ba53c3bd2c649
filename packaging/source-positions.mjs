/** Finds the source of a position in a minified bundle, with the source map beside it. */

import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { join } from 'node:path';
import { wrapper } from './scripts.mjs';

const build = join(import.meta.dirname, '../build');

/**
 * @param {string} bundle the name of a file in build/
 * @returns {(line: number, column: number) => string | undefined} `src/hcn/client.ts:12` for a position in the exe, which counts from 0
 */
export function sourceFinder(bundle) {
  const map = new SourceMap(JSON.parse(readFileSync(join(build, `${bundle}.map`), 'utf8')));
  return (line, column) => {
    const entry = map.findEntry(line, line === 0 ? Math.max(column - wrapper.length, 0) : column);
    return 'originalSource' in entry
      ? `${entry.originalSource.replace(/^(\.\.\/)+/, '')}:${entry.originalLine + 1}`
      : undefined;
  };
}
