import { execFile, spawn } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bundleFiles } from '../../packaging/bundles.mjs';
import { assetsIn, writeScripts } from '../../packaging/scripts.mjs';
import { output } from '../bench/compile.ts';
import { findAddon } from '../bench/linux.ts';
import { buildLinuxExecutable } from '../bench/linux-executable.ts';
import { type Hns, startHns } from '../simulator/hns.ts';
import { example } from './example.ts';
import { withVersion } from './other-version.ts';
import { type RunPlugin, startTraffic } from './traffic.ts';

/** An even number: the last one installs the older version. */
const upgrades = 16;
const current = String(JSON.parse(readFileSync('package.json', 'utf8')).version);
const [older, newer] = [current, current.replace(/\d$/, '9')];

/** Builds the executable of this version. */
function buildExecutable(): string {
  const scripts = join(output, 'linux', 'upgrade-scripts');
  rmSync(scripts, { recursive: true, force: true });
  writeScripts(
    bundleFiles.map((bundle) => resolve('build', bundle)),
    scripts,
  );
  const executable = join(output, 'linux', 'upgrade.exe');
  buildLinuxExecutable(executable, {
    main: resolve('packaging/start.cjs'),
    assets: { ...assetsIn(scripts), 'win-hcn-koffi-0123456789abcdef.node': findAddon() },
  });
  return executable;
}

/** A file system in memory: the executables are 2 GB. */
const memory = '/dev/shm';

let hns: Hns;
let folder = '';
const sources = { older: '', newer: '' };
beforeAll(async () => {
  hns = await startHns();
  folder = mkdtempSync(join(existsSync(memory) ? memory : tmpdir(), 'win-hcn-upgrade-'));
  sources.older = buildExecutable();
  sources.newer = join(output, 'linux', 'upgrade-newer.exe');
  writeFileSync(sources.newer, withVersion(readFileSync(sources.older), older, newer), { mode: 0o755 });
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await hns.stop();
});

const installed = () => join(folder, 'win-hcn.exe');

const runPlugin: RunPlugin = (environment, stdin) => {
  const { promise, resolve: end, reject } = Promise.withResolvers<Awaited<ReturnType<RunPlugin>>>();
  const child = spawn(installed(), { env: { ...hns.environment, ...environment } });
  const text = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const)
    child[stream].on('data', (data) => {
      text[stream] += data;
    });
  child.on('error', (error: NodeJS.ErrnoException) =>
    error.code === 'ENOENT' ? end('missing') : reject(error),
  );
  child.on('close', (exitCode) => end({ exitCode: exitCode ?? undefined, ...text }));
  child.stdin.on('error', () => undefined);
  child.stdin.end(stdin);
  return promise;
};

function runCommand(program: string, words: readonly string[]): Promise<string> {
  return new Promise((end, reject) => {
    execFile(program, words, (error, stdout, stderr) =>
      error === null ? end(stdout) : reject(new Error(`${stdout}${stderr}`, { cause: error })),
    );
  });
}

test(`no request fails during ${upgrades} upgrades on Linux, and nothing is left over`, async () => {
  copyFileSync(sources.older, installed());
  const traffic = startTraffic(
    hns,
    example('l2bridge', { cniVersion: '1.1.0', logFile: '' }),
    { sandboxes: 2, pauseMs: 200 },
    runPlugin,
  );
  for (let count = 0; count < upgrades; count += 1) {
    const [source, version] = count % 2 === 0 ? [sources.newer, newer] : [sources.older, older];
    const printed = await runCommand(source, ['upgrade', '--bin-dir', folder, '--yes']);
    expect(printed).toContain(`\nwin-hcn ${version} is now installed.\n`);
  }
  expect(await runCommand(installed(), ['version'])).toBe(`${older}\n`);
  const rollback = ['upgrade', '--rollback', '--bin-dir', folder, '--yes'];
  expect(await runCommand(installed(), rollback)).toContain(`\nwin-hcn ${newer} is now installed.\n`);
  await traffic.stop();
  expect({ failures: traffic.failures, missing: traffic.missing }).toEqual({ failures: [], missing: [] });
  for (const command of ['ADD', 'STATUS', 'DEL'])
    expect(traffic.succeeded.get(command)).toBeGreaterThan(upgrades / 5);
  expect(hns.dump()).toMatchObject({ endpoints: [], openHandles: 0 });
  expect(
    readdirSync(folder)
      .filter((name) => !name.endsWith('.node'))
      .toSorted(),
  ).toEqual(['win-hcn.exe', 'win-hcn.exe.previous']);
}, 600_000);
