import { execFileSync } from 'node:child_process';

/** Builds the bundle for tests that run it as a process. */
export function setup(): void {
  execFileSync(process.execPath, ['build.mjs', 'bundle'], { stdio: 'inherit' });
}
