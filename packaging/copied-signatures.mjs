/** Signatures of a release, to reproduce it without its certificate. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { authenticodeHash, signatureOf } from './authenticode.mjs';

/**
 * Returns a function that signs a file with the signature that the same file has in a folder or below. Throws if the folder has no signed
 * files.
 * @param {string} folder
 * @returns {import('./sign.mjs').Sign}
 */
export function copySignatures(folder) {
  const signed = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(exe|node)$/.test(name))
    .map((name) => readFileSync(join(folder, name)))
    .filter((bytes) => signatureOf(bytes) !== 'none');
  if (signed.length === 0)
    throw new Error(
      `WIN_HCN_SIGN_FROM: ${folder} contains no signed executables; extract the zip files of the release there`,
    );
  const byHash = new Map(signed.map((bytes) => [authenticodeHash(bytes), bytes]));
  return async (bytes, name) => {
    const same = byHash.get(authenticodeHash(bytes));
    if (same !== undefined) return same;
    throw new Error(
      `${folder} contains no signature of this ${name}: the release was not built from this commit and its packages`,
    );
  };
}
