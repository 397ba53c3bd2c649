// install --watch and uninstall --watch on real folders, with programs that print their version instead of the exe.

import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newFolder, program } from '../../unit/cli/install/bin-folder.ts';
import { example } from '../example.ts';
import { newCertificate, opensslMissing, type Server, startApiServer } from '../kubernetes-api.ts';
import { type Node, startNode } from '../node.ts';
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
let given = '';
beforeEach(() => {
  root = newFolder();
  source = join(newFolder({ 'win-hcn.exe': program('2') }), 'win-hcn.exe');
  files = {};
  environment = {};
  give(conflist());
});
afterEach(() => rmSync(root, { recursive: true }));

const path = (name: string) => join(root, name);
const textOf = (name: string) => (existsSync(path(name)) ? readFileSync(path(name), 'utf8') : 'missing');
const installed = () => textOf('conf/10-win-hcn.conflist');
const ready = () => textOf('ready.conflist');

/** Writes the configuration of `--conf`. */
function give(text: string): void {
  given = text;
  writeFileSync(path('10-win-hcn.conflist'), text);
  files[path('10-win-hcn.conflist')] = text;
}

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
  return runCli([...words.split(' '), ...folders], {
    system: { ...node.outside, executable: source },
    environment,
    files,
    pauses,
  });
}

const install = (more = '') => `install --conf ${path('10-win-hcn.conflist')} --watch 10 --yes${more}`;

describe('install --watch', () => {
  test('installs, is ready, stays, and leaves the installation when it ends', async () => {
    let seen: unknown;
    const printed = await run(install(), () => {
      seen = { installed: installed() === conflist(), ready: ready() === conflist() };
    });
    expect(seen).toEqual({ installed: true, ready: true });
    expect(printed).toMatchObject({ exitCode: 0, stderr: '' });
    expect(printed.stdout).toMatch(/\nwin-hcn is installed\.\nNext: .+\n$/);
    expect({ installed: installed() === conflist(), ready: ready() }).toEqual({
      installed: true,
      ready: 'missing',
    });
  });

  test('installs in the new folder when the plugin folder is a link that leads elsewhere, as after an upgrade of RKE2', async () => {
    for (const version of ['v1', 'v2']) mkdirSync(path(version));
    symlinkSync(path('v1'), path('bin'));
    await run(
      install(),
      () => {
        rmSync(path('bin'));
        symlinkSync(path('v2'), path('bin'));
      },
      () => undefined,
    );
    expect(['v1', 'v2'].map((version) => existsSync(path(`${version}/win-hcn.exe`)))).toEqual([true, true]);
  });

  test.each([
    ['the exe is deleted', () => rmSync(path('bin/win-hcn.exe'))],
    ['the given configuration changes', () => give(conflist({ mtu: 1400 }))],
  ])('reinstalls when %s', async (_, change) => {
    const { exitCode, stdout } = await run(install(), change, () => undefined);
    expect({ exitCode, conflist: installed() === given, exe: textOf('bin/win-hcn.exe') }).toEqual({
      exitCode: 0,
      conflist: true,
      exe: program('2'),
    });
    expect(stdout).toContain('\nA file was changed or deleted.\n');
  });

  test('ends with the reason when the next configuration is invalid, and the one in force stays', async () => {
    const { exitCode, stderr } = await run(install(), () => give(conflist({ networkType: 'L3Bridge' })));
    expect({ exitCode, installed: installed() === conflist(), ready: ready() }).toEqual({
      exitCode: 1,
      installed: true,
      ready: 'missing',
    });
    expect(stderr).toMatch(/^win-hcn: .+ is invalid\n10-win-hcn\.conflist:1:\d+: problem: .+"L3Bridge"/);
  });

  test.each([
    ['install --watch 10', '--watch requires --yes'],
    ['install', '--ready-file requires --watch'],
    ['install --watch 10 --yes --conf -', '--watch cannot read the configuration from stdin: specify a file'],
    ['install --watch 10 --yes --node ../secrets', 'expected the name of a node'],
  ])('is refused in a command line that contradicts itself: %s', async (words, problem) => {
    const { exitCode, stdout, stderr } = await run(words);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain(problem);
  });
});

describe.skipIf(opensslMissing !== undefined)('install --node', () => {
  const certificate = opensslMissing === undefined ? newCertificate('IP:127.0.0.1') : { key: '', cert: '' };
  let server: Server;
  beforeEach(async () => {
    server = await startApiServer(certificate, (_, response) =>
      response.end(JSON.stringify({ kind: 'Node', spec: { podCIDR: '10.244.3.0/24' } })),
    );
  });
  afterEach(() => server.stop());

  test('installs the conflist of deploy/l2bridge with the PodCIDR of the node', async () => {
    const account = '/var/run/secrets/kubernetes.io/serviceaccount';
    files = { [`${account}/token`]: 'secret', [`${account}/ca.crt`]: certificate.cert };
    environment = {
      KUBERNETES_SERVICE_HOST: '127.0.0.1',
      KUBERNETES_SERVICE_PORT: new URL(server.url).port,
    };
    give(readFileSync('deploy/l2bridge/10-win-hcn.conflist', 'utf8'));
    let seen = '';
    const { exitCode } = await run(install(' --node win-1'), () => {
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
});

describe('uninstall --watch', () => {
  test('uninstalls, and again when win-hcn is back', async () => {
    await run(install());
    const seen: unknown[] = [];
    const { exitCode } = await run(
      'uninstall --keep-networks --watch 10 --yes',
      () => {
        seen.push(textOf('bin/win-hcn.exe'), installed(), ready());
        writeFileSync(path('bin/win-hcn.exe'), program('2'));
      },
      () => seen.push(textOf('bin/win-hcn.exe'), ready()),
    );
    expect({ exitCode, seen }).toEqual({ exitCode: 0, seen: ['missing', 'missing', '', 'missing', ''] });
  });
});
