// Builds the stub libraries that clients load instead of Microsoft's.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const sources = fileURLToPath(new URL('.', import.meta.url));
const output = fileURLToPath(new URL('../../../build/hns/', import.meta.url));
const warnings = ['-std=gnu17', '-O2', '-Wall', '-Wextra', '-Werror', '-Wconversion', '-Wno-sign-conversion'];
const service = ['call.c', 'connection.c', 'socket.c'];
const libraries = {
  computenetwork: ['computenetwork.c'],
  vmcompute: ['vmcompute.c'],
};

/** Builds one Linux library with all exports, including CoTaskMem and the IP Helper, which Wine provides itself. */
export function buildLinuxStub(): string {
  return compile('libcomputenetwork.so', 'cc', [
    ...['-shared', '-fPIC', '-fvisibility=hidden', '-pthread'],
    ...[
      ...service,
      'task-memory.c',
      'iphlpapi.c',
      'adapter-list.c',
      'routes.c',
      ...libraries.computenetwork,
      ...libraries.vmcompute,
    ],
  ]);
}

/** Builds the two libraries for system32 of a Wine prefix. */
export function buildWindowsStubs(): { computenetwork: string; vmcompute: string } {
  return { computenetwork: windowsStub('computenetwork'), vmcompute: windowsStub('vmcompute') };
}

function windowsStub(name: keyof typeof libraries): string {
  const files = [...service, ...libraries[name]];
  return compile(`${name}.dll`, 'x86_64-w64-mingw32-gcc', [
    ...['-shared', '-static-libgcc', '-s', ...files, '-lws2_32', '-lole32'],
  ]);
}

function compile(file: string, compiler: string, flags: readonly string[]): string {
  const target = join(output, file);
  if (isCurrent(target)) return target;
  mkdirSync(output, { recursive: true });
  const unfinished = `${target}.${process.pid}`;
  const run = spawnSync(compiler, [...warnings, '-o', unfinished, ...flags], {
    cwd: sources,
    encoding: 'utf8',
  });
  if (run.error)
    throw new Error(`The compiler ${compiler} is needed to build ${file} and could not be started.`);
  if (run.status !== 0) throw new Error(`${compiler} could not build ${file}: ${run.stderr.trim()}`);
  renameSync(unfinished, target);
  return target;
}

function isCurrent(target: string): boolean {
  if (!existsSync(target)) return false;
  const built = statSync(target).mtimeMs;
  const inputs = readdirSync(sources).filter((name) => !name.endsWith('.test.ts'));
  return inputs.every((name) => statSync(join(sources, name)).mtimeMs <= built);
}
