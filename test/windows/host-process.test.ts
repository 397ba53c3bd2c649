// What the containers of deploy/ run, as containerd's shim starts it: through cmd, with the mount point replaced as text.

import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { example } from '../e2e/example.ts';
import { type Hns, startHns } from '../simulator/hns.ts';
import { exe, missing, suitePrefix } from './suite.ts';

const image = 'C:\\hpc';

/** A command line of a manifest, in words, with a check each second. */
function words(line: readonly string[]): readonly string[] {
  return line.map((word, index) =>
    line[index - 1] === '--watch'
      ? '1'
      : word.replaceAll('%CONTAINER_SANDBOX_MOUNT_POINT%', image).replaceAll('$(NODE_NAME)', 'win-1'),
  );
}

function containerOf(manifest: string) {
  return parse(readFileSync(`deploy/base/${manifest}`, 'utf8')).spec.template.spec.containers[0];
}

// All test files share the log, and one of them counts its lines.
const conflist = JSON.stringify({
  cniVersion: '1.0.0',
  cniVersions: ['1.0.0', '1.1.0'],
  name: 'l2bridge',
  plugins: [example('l2bridge', { type: 'win-hcn', logFile: '' })],
});
/** Empty for a process that has ended. */
function readProcess(id: string, file: string): string {
  try {
    return readFileSync(`/proc/${id}/${file}`, 'utf8');
  } catch {
    return '';
  }
}

const folders = ['--bin-dir', 'C:\\cni\\bin', '--conf-dir', 'C:\\cni\\conf'];
const conflistFolder = `${image}\\mounts\\conflist`;

describe.skipIf(missing !== undefined)('the container', () => {
  let hns: Hns;
  beforeEach(async () => {
    hns = await startHns();
    const prefix = suitePrefix();
    for (const folder of [image, 'C:\\cni'])
      rmSync(prefix.hostPath(folder), { recursive: true, force: true });
    prefix.install(prefix.hostPath(exe), image);
  });
  afterEach(async () => {
    endPrograms();
    await hns.stop();
  });

  /** Starts a container or a probe. A container runs until endPrograms. */
  function run(line: readonly string[]) {
    const { WIN_HCN_SIMULATED_HNS } = hns.environment;
    const env = { WIN_HCN_SIMULATED_HNS, CONTAINER_SANDBOX_MOUNT_POINT: `${image}\\` };
    return suitePrefix().run('cmd', ['/c', ...words(line)], { env, timeoutMs: 120_000 });
  }

  /** Ends the programs of this test, as a shim that stops a container: without notice. */
  function endPrograms(): void {
    const variable = `WIN_HCN_SIMULATED_HNS=${hns.environment['WIN_HCN_SIMULATED_HNS']}`;
    const isOurs = (id: string) =>
      readProcess(id, 'cmdline').includes('win-hcn.exe') &&
      readProcess(id, 'environ').split('\0').includes(variable);
    const ours = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && isOurs(name));
    for (const id of ours) process.kill(Number(id), 'SIGKILL');
  }

  const text = (path: string) => {
    const file = suitePrefix().hostPath(path);
    return existsSync(file) ? readFileSync(file, 'utf8') : 'missing';
  };

  /** Replaces the ConfigMap as kubelet does on Windows: a new folder, and a moment without the old one. */
  function mount(content: string): void {
    const [next, current] = [`${conflistFolder}.next`, conflistFolder].map((folder) =>
      suitePrefix().hostPath(folder),
    );
    if (next === undefined || current === undefined) throw new Error('no folders');
    mkdirSync(next, { recursive: true });
    writeFileSync(`${next}/10-win-hcn.conflist`, content);
    rmSync(current, { recursive: true, force: true });
    renameSync(next, current);
  }

  const until = async (isReached: () => boolean) => expect.poll(isReached).toBe(true);

  test('installs, is ready, refuses a broken ConfigMap, and is removed by the other container', async () => {
    const { command, args, readinessProbe } = containerOf('install.yaml');
    mount(conflist);
    const installing = run([...command, ...args, ...folders]);
    await until(() => text(`${image}\\ready.conflist`) === conflist);
    expect(text('C:\\cni\\conf\\10-win-hcn.conflist')).toBe(conflist);
    expect((await run(readinessProbe.exec.command)).exitCode).toBe(0);

    mount('{');
    await until(() => text(`${image}\\ready.conflist`) === 'missing');
    expect(text('C:\\cni\\conf\\10-win-hcn.conflist')).toBe(conflist);
    // The kubelet starts the container again.
    expect((await installing).exitCode).toBe(1);

    const { command: other, args: otherArgs, readinessProbe: removed } = containerOf('uninstall.yaml');
    const uninstalling = run([...other, ...otherArgs, ...folders]);
    await until(() => text(`${image}\\ready.txt`) === '');
    expect((await run(removed.exec.command)).exitCode).toBe(0);
    expect([text('C:\\cni\\bin\\win-hcn.exe'), text('C:\\cni\\conf\\10-win-hcn.conflist')]).toEqual([
      'missing',
      'missing',
    ]);
    endPrograms();
    await uninstalling;
  });
});
