import { renameSync, writeFileSync } from 'node:fs';

/**
 * Replaces a file at once: a program that starts meanwhile reads either the old or the new file. Node runs a file that is still empty, and
 * ends with exit code 0.
 * @param {string} path
 * @param {string | Uint8Array} contents
 * @param {number} [mode] permissions of the new file
 */
export function replaceFile(path, contents, mode = 0o666) {
  const written = `${path}.${process.pid}.new`;
  writeFileSync(written, contents, { mode });
  renameSync(written, path);
}
