// Builds the C programs of this folder.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** The folder of everything that the benchmark builds. */
export const output = resolve(import.meta.dirname, '../../build/bench');

const compilers = { linux: 'cc', windows: 'x86_64-w64-mingw32-gcc' };
const warnings = ['-std=gnu17', '-O2', '-Wall', '-Wextra', '-Werror', '-Wconversion', '-Wno-sign-conversion'];

/** Builds a static program in build/bench unless it is newer than its source, and returns its path. */
export function compile(source: string, program: string, system: keyof typeof compilers = 'linux'): string {
  const input = join(import.meta.dirname, source);
  const target = join(output, program);
  if (existsSync(target) && statSync(target).mtimeMs >= statSync(input).mtimeMs) return target;
  mkdirSync(dirname(target), { recursive: true });
  execFileSync(compilers[system], [...warnings, '-static', '-s', '-o', target, input]);
  return target;
}
