/** Zip files whose bytes depend on their contents and one time only. */

import { zipSync } from 'fflate';

/** A third of level 9's time for 0.1 % more bytes. fflate computes the same bytes on every machine; zlib in Node may not. */
const LEVEL = 6;

/**
 * @param {Readonly<Record<string, Uint8Array>>} files by their paths in the zip
 * @param {Date} time of all files, in UTC
 */
export function zip(files, time) {
  // fflate writes local time.
  const timeZone = process.env.TZ;
  process.env.TZ = 'UTC';
  try {
    const sorted = Object.keys(files)
      .sort()
      .map((path) => [path, files[path]]);
    return zipSync(Object.fromEntries(sorted), { level: LEVEL, mtime: time });
  } finally {
    if (timeZone === undefined) delete process.env.TZ;
    else process.env.TZ = timeZone;
  }
}
