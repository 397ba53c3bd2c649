// install --watch and uninstall --watch on real folders, with programs that print their version instead of the exe.

import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { system } from '../../../src/system.ts';
import { newFolder, program } from '../../unit/cli/install/bin-folder.ts';
import { example } from '../example.ts';
import { newCertificate, opensslMissing, type Server, startApiServer } from '../kubernetes-api.ts';
import { type Node, startNode } from '../node.ts';
import { startBundle } from '../process.ts';
import { runCli } from './run-cli.ts';

let node: Node;
beforeAll(async () => {
  node = await startNode();
});
afterAll(() => node.stop());

function conflist(changes: object = {}): string {
  const plugins = [example('l2bridge', { type: 'win-hcn', ...changes })];
  return JSON.stringify({ cniVersion: '1.0.0', name: 'l2bridge', plugins });
}

let root: string;
let source: string;
let files: Record<string, string>;
let environment: Record<string, string>;
/** Milliseconds that have passed in pauses. */
let passed = 0;
beforeEach(() => {
  root = newFolder();
  source = join(newFolder({ 'win-hcn.exe': program('2') }), 'win-hcn.exe');
  files = { '/mounts/conflist/10-win-hcn.conflist': conflist() };
  environment = {};
  passed = 0;
});
afterEach(() => rmSync(root, { recursive: true }));

const path = (name: string) => join(root, name);
const textOf = (name: string) => (existsSync(path(name)) ? readFileSync(path(name), 'utf8') : 'missing');
const installed = () => textOf('conf/10-win-hcn.conflist');
const ready = () => textOf('ready.conflist');

/** Runs a command with all folders, and calls each occasion after a check of --watch. */
async function run(words: string, ...pauses: readonly (() => unknown)[]) {
  const folders = [
    '--bin-dir',
    path('bin'),
    '--conf-dir',
    path('conf'),
    '--ready-file',
    path('ready.conflist'),
  ];
  const clock = () => new Date(Date.UTC(2026, 0, 1, 21, 40));
  const { exitCode, stdout, stderr } = await runCli([...words.split(' '), ...folders], {
    system: { ...node.outside, executable: source, clock, now: () => system.now() + passed },
    environment,
    files,
    pauses,
  });
  const inWords = (text: string) =>
    text
      .replaceAll(source, 'SOURCE')
      .replaceAll(root, 'ROOT')
      .replaceAll('2026-01-01T21:40:00.000Z', 'TIME')
      .replaceAll(/\.new-[0-9a-f]{16}/g, '.new-HASH');
  return { exitCode, stdout: inWords(stdout), stderr: inWords(stderr) };
}

const install = 'install --conf /mounts/conflist/10-win-hcn.conflist --watch 10 --yes';

describe('install --watch', () => {
  test('goes on while the state of an installed file cannot be read, and says why it is not repaired', async () => {
    const { exitCode, stdout } = await run(install, () => {
      rmSync(path('bin/win-hcn.exe'));
      symlinkSync(path('bin/win-hcn.exe'), path('bin/win-hcn.exe'));
    });
    const log = stdout.split('\n').filter((line) => line.startsWith('TIME'));
    expect({ exitCode, log }).toEqual({
      exitCode: 1,
      log: [
        'TIME Installed. The latest configuration is active.',
        'TIME An installed file was changed or deleted. Reinstalling.',
        'TIME Not installed: ROOT/bin/win-hcn.exe is a link. Delete it and run this command again.',
        'TIME Ended. win-hcn stays installed.',
      ],
    });
  });

  test('installs, says so, stays, and leaves the installation when it ends', async () => {
    let seen: unknown;
    const printed = await run(install, () => {
      seen = { installed: installed() === conflist(), ready: ready() === conflist() };
    });
    expect(seen).toEqual({ installed: true, ready: true });
    expect(printed).toEqual({
      exitCode: 0,
      stdout: `plugin folder         ROOT/bin
configuration folder  ROOT/conf
1. create folder ROOT/bin
2. create folder ROOT/conf
3. copy SOURCE to ROOT/bin/win-hcn.exe.new-HASH and run it once
4. rename win-hcn.exe.new-HASH to ROOT/bin/win-hcn.exe
5. write ROOT/conf/10-win-hcn.conflist
TIME Installed. The latest configuration is active.
TIME Ended. win-hcn stays installed.
`,
      stderr: '',
    });
    expect({ installed: installed() === conflist(), ready: ready() }).toEqual({
      installed: true,
      ready: 'missing',
    });
  });

  test('installs in the new folder when the plugin folder is a link that leads elsewhere, as after an upgrade of RKE2', async () => {
    for (const version of ['v1', 'v2']) mkdirSync(path(version));
    symlinkSync(path('v1'), path('bin'));
    await run(
      install,
      () => {
        rmSync(path('bin'));
        symlinkSync(path('v2'), path('bin'));
      },
      () => undefined,
    );
    expect(['v1', 'v2'].map((version) => existsSync(path(`${version}/win-hcn.exe`)))).toEqual([true, true]);
  });

  test('installs a configuration that changes, which needs no other change', async () => {
    const changed = conflist({ mtu: 1400 });
    const { stdout } = await run(
      install,
      () => {
        files['/mounts/conflist/10-win-hcn.conflist'] = changed;
      },
      () => undefined,
    );
    expect(installed()).toBe(changed);
    expect(stdout.split('\n').slice(-5)).toEqual([
      'configuration folder  ROOT/conf',
      '1. replace ROOT/conf/10-win-hcn.conflist',
      'TIME Installed. The latest configuration is active.',
      'TIME Ended. win-hcn stays installed.',
      '',
    ]);
  });

  test.each([
    ['the exe is deleted', () => rmSync(path('bin/win-hcn.exe'))],
    ['the exe is replaced', () => writeFileSync(path('bin/win-hcn.exe'), program('1'))],
    ['the configuration is deleted', () => rmSync(path('conf/10-win-hcn.conflist'))],
    ['the configuration is changed', () => writeFileSync(path('conf/10-win-hcn.conflist'), '{}')],
  ])('reinstalls when %s', async (_, damage) => {
    const { exitCode, stdout } = await run(install, damage, () => undefined);
    expect({ exitCode, conflist: installed() === conflist(), exe: textOf('bin/win-hcn.exe') }).toEqual({
      exitCode: 0,
      conflist: true,
      exe: program('2'),
    });
    expect(stdout).toContain('TIME An installed file was changed or deleted. Reinstalling.\n');
  });

  test('keeps the configuration in force when the next one is invalid, and gives the reason', async () => {
    const seen: unknown[] = [];
    const { exitCode, stdout } = await run(
      install,
      () => {
        files['/mounts/conflist/10-win-hcn.conflist'] = conflist({ networkType: 'L3Bridge' });
      },
      () => seen.push(installed() === conflist(), ready()),
    );
    expect({ exitCode, seen }).toEqual({ exitCode: 1, seen: [true, 'missing'] });
    expect(stdout.slice(stdout.indexOf('TIME Not'))).toBe(
      `TIME Not installed: /mounts/conflist/10-win-hcn.conflist is invalid
10-win-hcn.conflist:1:300: problem: /plugins/0/networkType is "L3Bridge", expected "L2Bridge", "L2Tunnel", "Overlay", "Transparent", "NAT", "ICS", "Internal" or "Private"
The previously installed configuration stays active.
TIME Ended. win-hcn stays installed.
`,
    );
  });

  test.each([
    ['install --watch 10', '--watch requires --yes'],
    ['install', '--ready-file requires --watch'],
    ['install --watch 10 --yes -o json', '--watch does not support -o json'],
    ['install --watch 10 --yes --conf -', '--watch cannot read the configuration from stdin: specify a file'],
  ])('is refused in a command line that contradicts itself: %s', async (words, problem) => {
    const { exitCode, stdout, stderr } = await run(words);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain(`win-hcn: ${problem}\n`);
  });
});

describe.skipIf(opensslMissing !== undefined)('install --node', () => {
  const certificate = opensslMissing === undefined ? newCertificate('IP:127.0.0.1') : { key: '', cert: '' };
  let server: Server;
  beforeEach(async () => {
    server = await startApiServer(certificate, (_, response) =>
      response.end(JSON.stringify({ kind: 'Node', spec: { podCIDR: '10.244.3.0/24' } })),
    );
    const account = '/var/run/secrets/kubernetes.io/serviceaccount';
    files[`${account}/token`] = 'secret';
    files[`${account}/ca.crt`] = certificate.cert;
    files['/mounts/conflist/10-win-hcn.conflist'] = readFileSync(
      'deploy/l2bridge/10-win-hcn.conflist',
      'utf8',
    );
  });
  afterEach(() => server.stop());

  test('installs the conflist of deploy/l2bridge with the PodCIDR of the node', async () => {
    let seen = '';
    const { exitCode } = await run(`${install} --node win-1 --api-server ${server.url}`, () => {
      seen = ready();
    });
    const { subnets, hostEndpoint } = JSON.parse(installed()).plugins[0];
    expect({ exitCode, subnets, hostEndpoint, ready: seen }).toEqual({
      exitCode: 0,
      subnets: [{ subnet: '10.244.3.0/24' }],
      hostEndpoint: { address: '10.244.3.2' },
      ready: installed(),
    });
  });

  test('is refused for a name that no node has, and for an API server without HTTPS', async () => {
    const { exitCode, stderr } = await run(`${install} --node ../secrets --api-server ${server.url}`);
    expect({ exitCode, stderr }).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('expected the name of a node'),
    });
    expect(await run(`${install} --node win-1 --api-server http://10.0.0.10`)).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('expected a URL such as https://10.0.0.10:6443'),
    });
  });
});

describe('uninstall --watch', () => {
  test('uninstalls, and again when win-hcn is back', async () => {
    await run(install);
    const seen: unknown[] = [];
    const { exitCode, stdout } = await run(
      'uninstall --keep-networks --watch 10 --yes',
      () => {
        seen.push(textOf('bin/win-hcn.exe'), installed(), ready());
        writeFileSync(path('bin/win-hcn.exe'), program('2'));
      },
      () => seen.push(textOf('bin/win-hcn.exe'), ready()),
    );
    expect({ exitCode, seen }).toEqual({ exitCode: 0, seen: ['missing', 'missing', '', 'missing', ''] });
    expect(stdout).toContain('TIME win-hcn was installed again. Uninstalling.\n');
  });

  test('changes nothing and is not ready until no pod needs win-hcn', async () => {
    await run(install);
    const pod = ['--container', 'pod1', '--netns', node.hns.createNamespace()];
    const conf = ['--conf', '/mounts/conflist/10-win-hcn.conflist'];
    const cni = (command: string) =>
      runCli(['cni', command, ...conf, ...pod], { system: node.outside, files });
    expect(await cni('add')).toMatchObject({ exitCode: 0 });
    const seen: unknown[] = [];
    const { exitCode, stdout } = await run(
      'uninstall --watch 10 --yes',
      async () => {
        seen.push(textOf('bin/win-hcn.exe'), installed(), ready());
        await cni('del');
        passed = 10_000;
      },
      () => seen.push(textOf('bin/win-hcn.exe'), installed(), ready()),
    );
    expect(seen).toEqual([program('2'), conflist(), 'missing', 'missing', 'missing', '']);
    expect({ exitCode, lines: stdout.split('\n').filter((line) => line.startsWith('TIME')) }).toEqual({
      exitCode: 0,
      lines: [
        'TIME Not uninstalled: 1 pod has an endpoint of win-hcn, and without win-hcn.exe, containerd cannot delete it. Drain the node and run this command again, or add --force.',
        'TIME win-hcn is not installed.',
        'TIME Ended.',
      ],
    });
  });

  test.each(['interrupt', 'terminate'] as const)('ends cleanly on the signal of %s', async (signal) => {
    const folders = ['--bin-dir', path('bin'), '--conf-dir', path('conf')];
    const words = ['uninstall', '--watch', '3600', '--yes', ...folders];
    const running = startBundle(node.hns.environment, '', words);
    await running.answered;
    running[signal]();
    const { exitCode, stdout, stderr } = await running.ended;
    expect({ exitCode, lines: stdout.replaceAll(/^\d.*Z /gm, 'TIME ').split('\n'), stderr }).toEqual({
      exitCode: 0,
      lines: [
        `win-hcn is not installed in ${path('bin')}. Nothing to change.`,
        'TIME win-hcn is not installed.',
        'TIME Ended.',
        '',
      ],
      stderr: '',
    });
  });
});
