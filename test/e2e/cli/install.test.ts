// install, upgrade and uninstall on real folders, with programs that print their version instead of the exe.

import { mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { contentOf, newFolder, program } from '../../unit/cli/install/bin-folder.ts';
import { example } from '../example.ts';
import { type Node, startNode } from '../node.ts';
import { runCli } from './run-cli.ts';

let node: Node;
beforeEach(async () => {
  node = await startNode();
});
afterEach(() => node.stop());

const conflist = JSON.stringify({
  cniVersion: '1.0.0',
  name: 'l2bridge',
  plugins: [example('l2bridge', { type: 'win-hcn' })],
});
const peerConflist = JSON.stringify({ cniVersion: '1.0.0', name: 'other', plugins: [{ type: 'flannel' }] });

/** Files that commands are given. */
let files: Record<string, string>;
let root: string;
let [bin, conf, source]: readonly [string, string, string] = ['', '', ''];
beforeEach(() => {
  root = newFolder();
  bin = join(root, 'bin');
  conf = join(root, 'conf');
  source = useVersion('2');
  files = { 'given/10-win-hcn.conflist': conflist };
});

/** Creates an exe of a version outside of the folders. */
function useVersion(version: string): string {
  return join(newFolder({ 'win-hcn.exe': program(version) }), 'win-hcn.exe');
}

type Texts = Readonly<Record<string, string>>;
/** Creates the folders with these files. */
function prepare(programs: Texts, confs: Texts = {}): void {
  for (const [folder, files] of [[bin, programs] as const, [conf, confs] as const]) {
    mkdirSync(folder);
    for (const [name, text] of Object.entries(files))
      writeFileSync(join(folder, name), text, { mode: 0o755 });
  }
}

/** Runs a command of the new exe with both folders. Paths and hashes in its output are replaced by words. */
async function run(words: string) {
  const { exitCode, stdout, stderr } = await runCli(
    [...words.split(' '), '--bin-dir', bin, '--conf-dir', conf],
    { system: { ...node.outside, executable: source }, files },
  );
  const inWords = (text: string) => text.replaceAll(source, 'SOURCE').replaceAll(root, 'ROOT');
  return { exitCode, stdout: inWords(stdout), stderr: inWords(stderr) };
}

/** The state of the node as one value. */
const installed = () => ({ bin: contentOf(bin), conf: contentOf(conf) });

describe('install', () => {
  test('shows its steps, and changes nothing without --yes', async () => {
    expect(await run('install --conf given/10-win-hcn.conflist')).toEqual({
      exitCode: 1,
      stdout: `plugin folder         ROOT/bin
configuration folder  ROOT/conf
1. create folder ROOT/bin
2. create folder ROOT/conf
3. copy SOURCE to ROOT/bin and run it once
4. install ROOT/bin/win-hcn.exe
5. write ROOT/conf/10-win-hcn.conflist
No changes made. Rerun with --yes to apply.
`,
      stderr: '',
    });
    expect(contentOf(root)).toEqual({});
  });

  test('creates the folders, and installs the executable and the configuration', async () => {
    const { exitCode, stdout, stderr } = await run('install --conf given/10-win-hcn.conflist --yes');
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toMatch(/\n5\. write .+\nwin-hcn is installed\.\nNext: run win-hcn doctor, .+\n$/);
    expect(installed()).toEqual({
      bin: { 'win-hcn.exe': program('2') },
      conf: { '10-win-hcn.conflist': conflist },
    });
    expect((await run('install --yes')).stdout).toMatch(
      /^configuration folder {2}ROOT\/conf\nwin-hcn is installed\. Nothing to change\.\n$/m,
    );
  });

  test('replaces an older version and configuration, and deletes leftovers', async () => {
    const [olderConflist, leftover] = [conflist.replace('l2bridge', 'old'), 'exe.0a1b2c3d.win-hcn-tmp'];
    prepare({ 'win-hcn.exe': program('1'), [leftover]: 'half' }, { '10-win-hcn.conflist': olderConflist });
    await run('install --conf given/10-win-hcn.conflist --yes');
    expect(installed()).toEqual({
      bin: { 'win-hcn.exe': program('2'), 'win-hcn.exe.previous': program('1') },
      conf: { '10-win-hcn.conflist': conflist },
    });
  });

  test('names the configuration that containerd uses until then', async () => {
    prepare({}, { 'cni.conf': '{"type":"win-overlay"}' });
    const line = '\ncontainerd will use 10-win-hcn.conflist instead of cni.conf (win-overlay).\n';
    const words = 'install --conf given/10-win-hcn.conflist';
    for (const yes of ['', ' --yes']) expect((await run(words + yes)).stdout).toContain(line);
    expect((await run(words)).stdout).not.toContain(line);
  });

  test('proposes to generate a conflist only if the folder has none', async () => {
    prepare({}, { 'nat.conflist': peerConflist });
    expect((await run('install --yes')).stdout).toMatch(/\nNext: run win-hcn doctor, .+\n$/);
  });

  test('follows a linked folder', async () => {
    prepare({});
    rmSync(bin, { recursive: true });
    const target = newFolder();
    symlinkSync(target, bin);
    const next =
      'Next: generate a conflist, with the addresses of your cluster: win-hcn config generate --type L2Bridge --subnet 10.244.1.0/24 --cluster-cidr 10.244.0.0/16 --service-cidr 10.96.0.0/12 --file ROOT/conf/10-win-hcn.conflist\n';
    expect((await run('install --yes')).stdout).toContain(`\nwin-hcn is installed.\n${next}`);
    expect((await run('install --yes')).stdout).toContain(`Nothing to change. ${next}`);
    expect(contentOf(target)).toEqual({ 'win-hcn.exe': program('2') });
  });
});

test.each([
  [
    'containerd would use another configuration',
    () => prepare({}, { '05-flannel.conflist': peerConflist }),
    ': containerd would ignore 10-win-hcn.conflist: it uses 05-flannel.conflist in ROOT/conf first. Rename ',
  ],
  [
    'the file configures another plugin',
    () => prepare({}, { '10-win-hcn.conflist': peerConflist }),
    ': ROOT/conf/10-win-hcn.conflist configures another plugin. Rename or delete it, or rename yours.\n',
  ],
  [
    'the configuration is invalid',
    () => Object.assign(files, { 'given/10-win-hcn.conflist': conflist.replace('L2Bridge', 'L3Bridge') }),
    ': given/10-win-hcn.conflist is invalid\n10-win-hcn.conflist:1:305: problem: /plugins/0/networkType ',
  ],
  [
    'the configuration has placeholders',
    () => Object.assign(files, { 'given/10-win-hcn.conflist': '{{.PodCIDR}}' }),
    ': 10-win-hcn.conflist has placeholders, such as {{.PodCIDR}}. Add --node ',
  ],
  [
    'the executable is a link',
    () => {
      prepare({});
      symlinkSync(source, join(bin, 'win-hcn.exe'));
    },
    ': ROOT/bin/win-hcn.exe is not a file. Delete it and run this command again.\n',
  ],
  [
    'a folder is a link to nothing',
    () => symlinkSync(join(root, 'missing'), bin),
    ': ROOT/bin does not lead to a folder. Rename it, or specify another folder with --bin-dir or --conf-dir.\n',
  ],
  [
    'the executable does not run',
    () => writeFileSync(source, '#!/bin/sh\nexit 3\n'),
    ': SOURCE cannot be installed: its copy exits with code 3. Download win-hcn again, or allow it ',
  ],
])('install changes nothing if %s', async (_, change, message) => {
  change();
  const before = readdirSync(root, { recursive: true });
  const { exitCode, stderr } = await run('install --conf given/10-win-hcn.conflist --yes');
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining(message)]);
  const created = message.includes('its copy') ? ['bin', 'conf'] : [];
  expect(readdirSync(root, { recursive: true })).toEqual([...before, ...created]);
});

describe('upgrade', () => {
  const upgrade = async (words: string) => {
    const args = ['upgrade', '--bin-dir', bin, ...words.split(' ')];
    const { exitCode, stdout, stderr } = await runCli(args, { system: { executable: source } });
    return { exitCode, text: (stdout + stderr).replaceAll(source, 'SOURCE').replaceAll(root, 'ROOT') };
  };

  test('replaces the installed version, keeps the old one, and rolls back', async () => {
    prepare({ 'win-hcn.exe': program('1') });
    expect(await upgrade('--yes')).toEqual({
      exitCode: 0,
      text: `1. copy SOURCE to ROOT/bin and run it once
2. replace ROOT/bin/win-hcn.exe and keep the old one as win-hcn.exe.previous
win-hcn from its sources is now installed.
The old version is kept as ROOT/bin/win-hcn.exe.previous. To return to it, run win-hcn upgrade --rollback --yes.
`,
    });
    expect(contentOf(bin)).toEqual({ 'win-hcn.exe': program('2'), 'win-hcn.exe.previous': program('1') });
    expect((await upgrade('--yes')).text).toBe(
      'win-hcn from its sources is already installed in ROOT/bin.\n',
    );
    expect((await upgrade('--rollback')).exitCode).toBe(1);
    expect((await upgrade('--rollback --yes')).text).toContain('The previous version is now installed.\n');
    expect(contentOf(bin)).toEqual({ 'win-hcn.exe': program('1'), 'win-hcn.exe.previous': program('2') });
  });

  test('completes one that was interrupted between its two renames', async () => {
    prepare({ 'win-hcn.exe.previous': program('1') });
    expect(await upgrade('--yes')).toMatchObject({ exitCode: 0, text: expect.not.stringContaining('kept') });
    expect(contentOf(bin)).toEqual({ 'win-hcn.exe': program('2'), 'win-hcn.exe.previous': program('1') });
  });

  test.each([
    [
      {},
      '--yes',
      2,
      'win-hcn is not installed in ROOT/bin. Run win-hcn install, or specify another folder with --bin-dir.',
    ],
    [
      { 'win-hcn.exe': program('1') },
      '--rollback --yes',
      1,
      'the previous version ROOT/bin/win-hcn.exe.previous is missing. Run win-hcn upgrade with the executable of that version.',
    ],
  ] as const)(
    'fails without an executable to replace or to return to',
    async (programs, words, exitCode, text) => {
      prepare(programs);
      expect(await upgrade(words)).toEqual({ exitCode, text: `win-hcn: ${text}\n` });
    },
  );
});

describe('uninstall', () => {
  const programs = { 'win-hcn.exe': program('2'), 'win-hcn.exe.previous': program('1'), 'nat.exe': 'other' };
  const addon = 'win-hcn-koffi-0000000000000002.node';
  const kept = { 'nat.exe': 'other', 'other.exe': 'other', 'sdnbridge.exe': 'old' };
  beforeEach(() => {
    prepare(
      { ...programs, [addon]: '', 'sdnbridge.exe.before-win-hcn': 'old' },
      { '05-flannel.conflist': peerConflist, '10-win-hcn.conflist': conflist },
    );
    symlinkSync('nat.exe', join(bin, 'other.exe'));
    for (const name of ['sdnbridge.exe', 'win-bridge.exe'])
      symlinkSync(join(bin, 'win-hcn.exe'), join(bin, name));
  });

  test('shows its steps, and changes nothing without --yes', async () => {
    symlinkSync('missing.exe', join(bin, 'lost.exe'));
    expect(await run('uninstall')).toEqual({
      exitCode: 1,
      stdout: `1. rename ROOT/conf/10-win-hcn.conflist to 10-win-hcn.conflist.win-hcn-removed
2. replace link ROOT/bin/sdnbridge.exe with sdnbridge.exe.before-win-hcn
3. delete link ROOT/bin/win-bridge.exe, because there is no win-bridge.exe.before-win-hcn to restore
4. delete ROOT/bin/win-hcn.exe
5. delete ROOT/bin/win-hcn.exe.previous
6. delete ROOT/bin/${addon}
No changes made. Rerun with --yes to apply.
`,
      stderr: '',
    });
  });

  test('removes win-hcn, restores replaced plugins, and keeps others and a copy of the configuration', async () => {
    const { exitCode, stdout } = await run('uninstall --yes');
    expect([exitCode, stdout]).toEqual([0, expect.stringMatching(/\nwin-hcn is uninstalled\.\n$/)]);
    expect(installed()).toEqual({
      bin: kept,
      conf: { '05-flannel.conflist': peerConflist, '10-win-hcn.conflist.win-hcn-removed': conflist },
    });
    expect(await run('uninstall --yes')).toEqual({
      exitCode: 0,
      stdout: 'win-hcn is not installed in ROOT/bin. Nothing to change.\n',
      stderr: '',
    });
  });

  test('changes nothing if HNS does not list pods, except with --force', async () => {
    const before = installed();
    node.hns.inject({ function: 'HcnEnumerateEndpoints', ordinal: 1, effect: { hresult: 0x80004005 } });
    const { exitCode, stderr } = await run('uninstall --yes');
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^win-hcn: Pods may have endpoints of win-hcn, .*, or add --force\. .*0x80004005/);
    expect(installed()).toEqual(before);
    expect((await run('uninstall --force --yes')).exitCode).toBe(0);
    expect(contentOf(bin)).toEqual(kept);
  });

  test('changes nothing while a pod needs it, and names the networks of win-hcn', async () => {
    const before = installed();
    const words = 'debug cni add --conf given/10-win-hcn.conflist --container pod1 --netns'.split(' ');
    await runCli([...words, node.hns.createNamespace()], { system: node.outside, files });
    expect((await run('uninstall')).stdout).toMatch(
      /\nNetwork "l2bridge" stays\. To delete it first, run win-hcn network delete l2bridge --yes\.\n1 pod endpoint exists that win-hcn created, and .+ or add --force\.\nNo changes made\. /,
    );
    expect((await run('uninstall --yes')).exitCode).toBe(1);
    expect(installed()).toEqual(before);
    node.hns.inject({ function: 'HcnEnumerateNamespaces', effect: { answer: '[]' } });
    expect((await run('uninstall')).stdout).not.toContain('exists that win-hcn created');
  });
});
