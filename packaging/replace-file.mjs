import { renameSync, writeFileSync } from 'node:fs';

/**
 * Replaces a file at once: a program that starts meanwhile reads either the old or the new file. Node runs a file that is still empty, and
 * ends with exit code 0.
 * @param {string} path
 * @param {string | Uint8Array} contents
 */
export function replaceFile(path, contents) {
  const written = `${path}.${process.pid}.new`;
  writeFileSync(written, contents);
  renameSync(written, path);
}
