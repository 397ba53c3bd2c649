import { execFileSync } from 'node:child_process';

/** Bundles what the tests run as a process. */
export function setup(): void {
  execFileSync(process.execPath, ['build.mjs', 'bundle'], { stdio: 'inherit' });
}
