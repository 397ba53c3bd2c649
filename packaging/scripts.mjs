/** The bundles as scripts that start.cjs and train.cjs run. */

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** What precedes a bundle in its script, on the same line. */
export const wrapper = '(function (require, module, __filename, process) {';

/**
 * Writes each bundle into a folder as a script: a function of `require`, `module`, the name of the file, and `process`.
 * @param {readonly string[]} bundles
 * @param {string} folder
 */
export function writeScripts(bundles, folder) {
  mkdirSync(folder, { recursive: true });
  for (const bundle of bundles) {
    const source = readFileSync(bundle, 'latin1').replace(/^\/\/# sourceMappingURL=.*$/m, '');
    writeFileSync(join(folder, basename(bundle)), `${wrapper}${source}})`, 'latin1');
  }
}

/**
 * The files of a folder as assets of an executable: their paths by name, sorted.
 * @param {string} folder
 */
export function assetsIn(folder) {
  return Object.fromEntries(
    readdirSync(folder)
      .toSorted()
      .map((name) => [name, join(folder, name)]),
  );
}
