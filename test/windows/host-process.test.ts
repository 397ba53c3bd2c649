// What the containers of deploy/ run, as containerd's shim starts it: through cmd, with the mount point replaced as text.

import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { example } from '../e2e/example.ts';
import { startHns } from '../simulator/hns.ts';
import { exe, missing, suitePrefix } from './suite.ts';

const image = 'C:\\hpc';
const folders = ['--bin-dir', 'C:\\cni\\bin', '--conf-dir', 'C:\\cni\\conf'];

// All test files share the log, and one of them counts its lines.
const conflist = JSON.stringify({
  cniVersion: '1.0.0',
  cniVersions: ['1.0.0', '1.1.0'],
  name: 'l2bridge',
  plugins: [example('l2bridge', { type: 'win-hcn', logFile: '' })],
});

/** The command line of the init container of a manifest. */
function lineOf(manifest: string): readonly string[] {
  const { spec } = parse(readFileSync(`deploy/base/${manifest}`, 'utf8')).spec.template;
  const [{ command, args }] = spec.initContainers;
  return [...command, ...args, ...folders].map((word) =>
    word.replaceAll('%CONTAINER_SANDBOX_MOUNT_POINT%', image).replaceAll('$(NODE_NAME)', 'win-1'),
  );
}

test.skipIf(missing !== undefined)(
  'the containers install, refuse a broken ConfigMap, and uninstall',
  async () => {
    const hns = await startHns();
    const prefix = suitePrefix();
    for (const folder of [image, 'C:\\cni'])
      rmSync(prefix.hostPath(folder), { recursive: true, force: true });
    prefix.install(prefix.hostPath(exe), image);
    const { WIN_HCN_SIMULATED_HNS } = hns.environment;
    const env = { WIN_HCN_SIMULATED_HNS, CONTAINER_SANDBOX_MOUNT_POINT: `${image}\\` };
    const run = async (manifest: string) =>
      (await prefix.run('cmd', ['/c', ...lineOf(manifest)], { env, timeoutMs: 120_000 })).exitCode;
    const mounted = prefix.hostPath(`${image}\\mounts\\conflist`);
    const active = prefix.hostPath('C:\\cni\\conf\\10-win-hcn.conflist');
    mkdirSync(mounted, { recursive: true });
    writeFileSync(`${mounted}/10-win-hcn.conflist`, conflist);
    expect(await run('install.yaml')).toBe(0);
    expect(readFileSync(active, 'utf8')).toBe(conflist);

    writeFileSync(`${mounted}/10-win-hcn.conflist`, '{');
    expect(await run('install.yaml')).toBe(1);
    expect(readFileSync(active, 'utf8')).toBe(conflist);

    expect(await run('uninstall.yaml')).toBe(0);
    expect([active, prefix.hostPath('C:\\cni\\bin\\win-hcn.exe')].map(existsSync)).toEqual([false, false]);
    await hns.stop();
  },
  300_000,
);
