import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { bundleFiles as bundles } from '../../packaging/bundles.mjs';
import { assetsIn, writeScripts } from '../../packaging/scripts.mjs';
import { output } from './compile.ts';
import { buildLinuxExecutable } from './linux-executable.ts';

const commands = ['ADD', 'CHECK', 'DEL', 'GC', 'STATUS', 'VERSION'];

describe.each([
  ['without code caches', 'none', undefined],
  ['with code caches that V8 rejects', 'rejected', 'not a code cache'],
])('the executable %s', (_, name, cache) => {
  const executable = join(output, 'linux', name);
  const run = (environment: NodeJS.ProcessEnv, words: readonly string[] = []) => {
    const { status, stdout, stderr } = spawnSync(executable, words, {
      env: { PATH: process.env['PATH'], ...environment },
      input: '{"cniVersion":"1.1.0","name":"pods","type":"win-hcn"}',
      encoding: 'utf8',
    });
    return { status, stdout, stderr };
  };

  beforeAll(() => {
    const folder = `${executable}-scripts`;
    rmSync(folder, { recursive: true, force: true });
    writeScripts(
      bundles.map((bundle) => resolve('build', bundle)),
      folder,
    );
    mkdirSync(folder, { recursive: true });
    for (const bundle of cache === undefined ? [] : bundles)
      for (const command of commands) writeFileSync(join(folder, `${bundle}.${command}.cache`), cache ?? '');
    buildLinuxExecutable(executable, { main: resolve('packaging/start.cjs'), assets: assetsIn(folder) });
  });

  test('answers VERSION', () => {
    expect(run({ CNI_COMMAND: 'VERSION' })).toEqual({
      status: 0,
      stdout: expect.stringMatching(/^\{"cniVersion":"1\.1\.0","supportedVersions":\[.*\]\}\n$/),
      stderr: '',
    });
  });

  test('runs the plugin', () => {
    const { status, stdout, stderr } = run({ CNI_COMMAND: 'STATUS' });
    expect({ status, stderr, ...JSON.parse(stdout) }).toMatchObject({ status: 1, stderr: '', code: 7 });
  });

  test('runs the command line', () => {
    expect(run({}, ['--version'])).toEqual({
      status: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
      stderr: '',
    });
  });
});

test('the executable runs each bundle once', () => {
  const folder = join(output, 'linux', 'once-scripts');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const script = (text: string) => `(function (require, module) {${text}})`;
  writeFileSync(join(folder, 'win-hcn.cjs'), script("require('./other.cjs'); require('./other.cjs');"));
  writeFileSync(join(folder, 'other.cjs'), script("require('node:fs').writeSync(1, 'other runs\\n');"));
  const executable = join(output, 'linux', 'once');
  buildLinuxExecutable(executable, { main: resolve('packaging/start.cjs'), assets: assetsIn(folder) });
  expect(spawnSync(executable, { encoding: 'utf8' }).stdout).toBe('other runs\n');
});
