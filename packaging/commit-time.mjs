/** The time of everything in a release, which makes two builds of one commit equal. */

import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

/** SOURCE_DATE_EPOCH, or the time of the commit. https://reproducible-builds.org/specs/source-date-epoch/ */
export function releaseTime() {
  const seconds = process.env.SOURCE_DATE_EPOCH ?? commitTime();
  if (!/^\d+$/.test(seconds)) throw new Error(`SOURCE_DATE_EPOCH is "${seconds}", not a number of seconds`);
  return new Date(Number(seconds) * 1000);
}

function commitTime() {
  try {
    const args = ['log', '-1', '--format=%ct'];
    return execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: 'pipe' }).trim();
  } catch (cause) {
    const fix = 'set SOURCE_DATE_EPOCH to the seconds since 1970';
    throw new Error(`cannot read the time of the commit with git: ${fix}`, { cause });
  }
}
