import { execFileSync } from 'node:child_process';

/** Builds the bundle for tests that run it as a process, once for all projects. */
export function setup(): void {
  const run = globalThis as { winHcnBundle?: true };
  if (run.winHcnBundle) return;
  execFileSync(process.execPath, ['build.mjs', 'bundle'], { stdio: 'inherit' });
  run.winHcnBundle = true;
}
