// install and uninstall on real folders, with programs that print their version instead of the exe.

import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { networkId } from '../../../src/model/identity.ts';
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
/** The folder with IPAM plugin test-ipam. */
let ipamFolder: string;
let root: string;
let [bin, conf, source]: readonly [string, string, string] = ['', '', ''];
beforeEach(() => {
  root = newFolder();
  bin = join(root, 'bin');
  conf = join(root, 'conf');
  source = useVersion('2');
  files = { 'given/10-win-hcn.conflist': conflist };
  ipamFolder = '';
});

/** Creates an exe of a version outside of the folders. */
function useVersion(version: string): string {
  return join(newFolder({ 'win-hcn.exe': program(version) }), 'win-hcn.exe');
}

/** Creates the folders with these files. */
function prepare(
  programs: Readonly<Record<string, string>>,
  confs: Readonly<Record<string, string>> = {},
): void {
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
    {
      system: {
        ...node.outside,
        executable: source,
        isFile: (path) => path === join(ipamFolder, 'test-ipam'),
      },
      files,
    },
  );
  const inWords = (text: string) => text.replaceAll(source, 'SOURCE').replaceAll(root, 'ROOT');
  return { exitCode, stdout: inWords(stdout), stderr: inWords(stderr) };
}

describe('install', () => {
  test('shows its steps, and changes nothing without --yes', async () => {
    expect(await run('install --conf given/10-win-hcn.conflist')).toEqual({
      exitCode: 1,
      stdout: `plugin folder         ROOT/bin
configuration folder  ROOT/conf
1. create folder ROOT/bin
2. create folder ROOT/conf
3. copy SOURCE to ROOT/bin/win-hcn.exe.new and run it once
4. rename win-hcn.exe.new to ROOT/bin/win-hcn.exe
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
    expect(contentOf(bin)).toEqual({ 'win-hcn.exe': program('2') });
    expect(contentOf(conf)).toEqual({ '10-win-hcn.conflist': conflist });
  });

  test('changes nothing that is already installed', async () => {
    prepare({ 'win-hcn.exe': program('2') }, { '10-win-hcn.conflist': conflist });
    const { exitCode, stdout } = await run('install --conf given/10-win-hcn.conflist');
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(
      /^configuration folder {2}ROOT\/conf\nwin-hcn is installed\. Nothing to change\.\n$/m,
    );
  });

  test("puts a copy in the place of a peer and keeps the peer's executable, also if run again", async () => {
    prepare({ 'sdnbridge.exe': 'its own' });
    await run('install --replace sdnbridge --yes');
    source = useVersion('3');
    expect((await run('install --yes')).stdout).toMatch(
      /\nNext: run win-hcn doctor, and create a pod on this node\.\n$/,
    );
    expect(contentOf(bin)).toEqual({
      'win-hcn.exe': program('3'),
      'win-hcn.exe.previous': program('2'),
      'sdnbridge.exe': program('3'),
      'sdnbridge.exe.previous': program('2'),
      'sdnbridge.exe.before-win-hcn': 'its own',
    });
  });

  test('replaces a configuration whose name differs only in case, which is the same file on Windows', async () => {
    prepare({}, { '10-Win-HCN.conflist': peerConflist });
    await run('install --conf given/10-win-hcn.conflist --park --yes');
    expect(contentOf(conf)).toEqual({
      '10-Win-HCN.conflist': conflist,
      '10-Win-HCN.conflist.before-win-hcn': peerConflist,
    });
    await run('uninstall --yes');
    expect(contentOf(conf)).toEqual({
      '10-Win-HCN.conflist': peerConflist,
      '10-Win-HCN.conflist.win-hcn-removed': conflist,
    });
  });

  test('follows a linked folder', async () => {
    prepare({});
    rmSync(bin, { recursive: true });
    const target = newFolder();
    symlinkSync(target, bin);
    expect((await run('install --yes')).stdout).toContain('\nNext: install a conflist ');
    expect(contentOf(target)).toEqual({ 'win-hcn.exe': program('2') });
  });
});

test.each([
  [
    'containerd would use another configuration',
    () => prepare({}, { '05-flannel.conflist': peerConflist }),
    ': containerd would ignore 10-win-hcn.conflist: it uses 05-flannel.conflist in ROOT/conf first. Specify --park ',
  ],
  [
    'the configuration is invalid',
    () => Object.assign(files, { 'given/10-win-hcn.conflist': conflist.replace('L2Bridge', 'L3Bridge') }),
    ': given/10-win-hcn.conflist is invalid\n10-win-hcn.conflist:1:300: problem: /plugins/0/networkType ',
  ],
  [
    'the executable is a link',
    () => {
      prepare({});
      symlinkSync(source, join(bin, 'win-hcn.exe'));
    },
    ': ROOT/bin/win-hcn.exe is a link. Delete it and run this command again.\n',
  ],
  [
    'a folder is a link to nothing',
    () => symlinkSync(join(root, 'missing'), bin),
    ': ROOT/bin does not lead to a folder. Rename it, or specify another folder with --bin-dir or --conf-dir.\n',
  ],
])('install changes nothing if %s', async (_, change, message) => {
  change();
  const before = readdirSync(root, { recursive: true });
  const { exitCode, stderr } = await run('install --conf given/10-win-hcn.conflist --yes');
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining(message)]);
  expect(readdirSync(root, { recursive: true })).toEqual(before);
  expect(readFileSync(source, 'utf8')).toBe(program('2'));
});

test('install refuses to replace another plugin', async () => {
  const { exitCode, stderr } = await run('install --replace flannel --yes');
  expect([exitCode, stderr]).toEqual([
    2,
    expect.stringMatching(/^win-hcn: win-hcn cannot replace flannel: it /),
  ]);
});

describe('uninstall', () => {
  test('shows its steps, and changes nothing without --yes', async () => {
    prepare(
      { 'win-hcn.exe': program('2'), 'win-hcn.exe.previous': program('1') },
      { '10-win-hcn.conflist': conflist },
    );
    expect(await run('uninstall')).toEqual({
      exitCode: 1,
      stdout: `1. rename ROOT/conf/10-win-hcn.conflist to 10-win-hcn.conflist.win-hcn-removed
2. delete ROOT/bin/win-hcn.exe.previous
3. delete ROOT/bin/win-hcn.exe
No changes made. Rerun with --yes to apply.
`,
      stderr: '',
    });
  });

  test('restores everything as it was before install, and keeps a copy of the configuration', async () => {
    const others = { 'azure-vnet.exe.old-1': 'old', 'calico.exe.previous': 'previous' };
    prepare({ 'sdnbridge.exe': 'its own', ...others }, { '05-flannel.conflist': peerConflist });
    const before = [contentOf(bin), contentOf(conf)];
    await run('install --conf given/10-win-hcn.conflist --park --replace sdnbridge --yes');
    source = useVersion('3');
    await run('install --yes');
    const { exitCode, stdout } = await run('uninstall --yes');
    expect({ exitCode, stdout }).toEqual({
      exitCode: 0,
      stdout: expect.stringMatching(/\nwin-hcn is uninstalled\.\n$/),
    });
    expect([contentOf(bin), contentOf(conf)]).toEqual([
      before[0],
      { ...before[1], '10-win-hcn.conflist.win-hcn-removed': conflist },
    ]);
  });

  test('keeps a peer that was installed again', async () => {
    prepare({ 'sdnbridge.exe': 'newer', 'sdnbridge.exe.before-win-hcn': 'its own' });
    await run('uninstall --yes');
    expect(contentOf(bin)).toEqual({ 'sdnbridge.exe': 'newer' });
  });

  test('says that nothing is installed', async () => {
    prepare({ 'sdnbridge.exe': 'its own' });
    const { exitCode, stdout } = await run('uninstall --yes');
    expect([exitCode, stdout]).toEqual([0, 'win-hcn is not installed in ROOT/bin. Nothing to change.\n']);
  });
});

describe('uninstall and networks:', () => {
  /** Installs, and creates the network of the conflist. */
  const ensure = async () => {
    await run('install --conf given/10-win-hcn.conflist --yes');
    await runCli(['network', 'ensure', 'given/10-win-hcn.conflist', '--yes'], {
      system: { ...node.outside, executable: '/opt/cni/bin/win-hcn.exe' },
      files,
    });
  };
  const networks = () => node.hns.dump().networks.map(({ Name }) => Name);

  test('deletes a network without pods, after a dry run with the impact', async () => {
    await ensure();
    const dryRun = await run('uninstall');
    expect(dryRun.stdout).toMatch(
      /\n1\. delete network "l2bridge" \([-0-9a-f]{36}\)\n(?:.+\n)*Connections to the node through .+ can be interrupted\.\nNo changes made\. Rerun with --yes to apply\.\n$/,
    );
    await run('uninstall --keep-networks --yes');
    expect(networks()).toContain('l2bridge');
    await ensure();
    await run('uninstall --yes');
    expect(networks()).not.toContain('l2bridge');
  });

  test.each([
    [
      'releases a source VIP with the IPAM plugin of the plugin folder',
      true,
      0,
      /^deleting Overlay network "vxlan0"\n$/,
      0,
    ],
    [
      'reports a source VIP whose IPAM plugin is missing',
      false,
      1,
      /\nwin-hcn: the network of ROOT\/conf\/10-win-hcn\.conflist or its source VIP stays: IPAM plugin "test-ipam" is not in any folder of CNI_PATH ROOT\/bin/,
      1,
    ],
  ] as const)('%s', async (_, hasIpam, exitCode, stderr, left) => {
    const subnets = [{ subnet: '10.245.1.0/24', vsid: 4096 }];
    const plugins = [
      { type: 'win-hcn', networkType: 'Overlay', subnets, ipam: { type: 'test-ipam' }, sourceVip: true },
    ];
    files['given/10-win-hcn.conflist'] = JSON.stringify({ cniVersion: '1.0.0', name: 'vxlan0', plugins });
    node.ipam.prefix = '10.245.1.';
    await ensure();
    expect(node.ipam.leases.size).toBe(1);
    if (hasIpam) ipamFolder = bin;
    expect(await run('uninstall --yes')).toEqual({
      exitCode,
      stdout: expect.stringContaining('\nwin-hcn is uninstalled.\n'),
      stderr: expect.stringMatching(stderr),
    });
    expect(node.ipam.leases.size).toBe(left);
  });

  test('leaves a network of another program', async () => {
    const Ipams = [{ Type: 'Static', Subnets: [{ IpAddressPrefix: '10.244.1.0/24' }] }];
    const SchemaVersion = { Major: 2, Minor: 0 };
    await node.hcn.createNetwork(networkId('of another program'), {
      Name: 'l2bridge',
      Type: 'L2Bridge',
      Ipams,
      SchemaVersion,
    });
    await run('install --conf given/10-win-hcn.conflist --yes');
    const { stdout } = await run('uninstall --yes');
    expect(stdout).toContain('\nNetwork "l2bridge" is not deleted: another program created it.\n');
    expect(networks()).toContain('l2bridge');
  });

  test('leaves everything if HNS refuses to list pods, without --force', async () => {
    await ensure();
    node.hns.inject({ function: 'HcnEnumerateEndpoints', ordinal: 1, effect: { hresult: 0x80004005 } });
    const { exitCode, stderr } = await run('uninstall --yes');
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^win-hcn: Pods may have endpoints of win-hcn, .*, or add --force\. .*0x80004005/);
    expect(contentOf(conf)).toEqual({ '10-win-hcn.conflist': conflist });
    node.hns.inject({ function: 'HcnEnumerateEndpoints', ordinal: 1, effect: { hresult: 0x80004005 } });
    expect((await run('uninstall --force --yes')).exitCode).toBe(0);
    expect(contentOf(bin)).toEqual({});
  });

  test('leaves everything while a pod needs it, and with --force only the network', async () => {
    await ensure();
    const installed = [contentOf(bin), contentOf(conf)];
    const pod = ['--container', 'pod1', '--netns', node.hns.createNamespace()];
    await runCli(['debug', 'cni', 'add', '--conf', 'given/10-win-hcn.conflist', ...pod], {
      system: node.outside,
      files,
    });
    expect((await run('uninstall')).stdout).toMatch(
      /\n1 pod has an endpoint of win-hcn, .+ or add --force\.\nNo changes made\. Rerun with --yes to apply\.\n$/,
    );
    expect((await run('uninstall --yes')).exitCode).toBe(1);
    expect([contentOf(bin), contentOf(conf)]).toEqual(installed);
    expect(await run('uninstall --force --yes')).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('\nNetwork "l2bridge" is not deleted: it has 1 pod endpoint.\n'),
    });
    expect(networks()).toContain('l2bridge');
    expect(contentOf(bin)).toEqual({});
  });
});

test('only one of two installations at once changes the node', async () => {
  const ended = await Promise.all([run('install --yes'), run('install --yes')]);
  expect(ended.map(({ exitCode }) => exitCode).toSorted()).toEqual([0, 1]);
  expect(ended.map(({ stderr }) => stderr).toSorted()).toEqual([
    '',
    expect.stringMatching(
      /^win-hcn: another command of win-hcn is changing ROOT\/bin, or this account is not an administrator\. /,
    ),
  ]);
});
