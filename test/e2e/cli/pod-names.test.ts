// Pod names, which HCN does not have: from libcni's files of attached containers.

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Node, type Pod, startNode } from '../node.ts';
import { config } from './inventory-node.ts';
import { libcniFile } from './libcni-files.ts';
import { type CliEnvironment, failure, problem, runCli } from './run-cli.ts';

const ids = {
  web: 'aa12d1d5a8cfb5cbc1a91a9b4dd33b6fb8b0ee5d1c7f4a2f6f1f1e9e5c3a7b21',
  db: 'bb12d1d5a8cfb5cbc1a91a9b4dd33b6fb8b0ee5d1c7f4a2f6f1f1e9e5c3a7b22',
  unknown: 'cc12d1d5a8cfb5cbc1a91a9b4dd33b6fb8b0ee5d1c7f4a2f6f1f1e9e5c3a7b23',
} as const;

let node: Node;
let files: Record<string, string>;
beforeEach(async () => {
  node = await startNode();
  files = {};
});
afterEach(() => node.stop());

/** Adds a container as containerd does, with the file of libcni if its pod is given. */
async function add(containerId: string, pod?: string, isRunning = true): Promise<Pod> {
  const created = node.newPod(containerId);
  const { exitCode, stdout } = await node.cni('ADD', { config, pod: created });
  if (exitCode !== 0) throw new Error(`cannot prepare the node: ${stdout}`);
  if (isRunning) node.hns.attachContainer(created.netns, containerId);
  if (pod !== undefined) Object.assign(files, cacheFile(containerId, pod));
  return created;
}

const cacheFile = (containerId: string, pod: string) =>
  libcniFile('C:\\var\\lib\\cni\\results', { containerId }, pod);

const run = (command: string, more: CliEnvironment = {}) =>
  runCli(command.split(' '), { system: { ...node.outside, windows: true }, files, ...more });

describe('the pod of a container', () => {
  const pods = async (more: CliEnvironment = {}) => {
    const { stdout } = await run('ls endpoints -o json', more);
    return JSON.parse(stdout).endpoints.map(({ pod }: { readonly pod?: string }) => pod);
  };

  test('is that of libcni, on the drive of Windows', async () => {
    await add(ids.web, 'shop/web');
    expect(await pods()).toEqual(['shop/web']);
    const [[path, text] = ['', '']] = Object.entries(files);
    const moved = { files: { [`D${path.slice(1)}`]: text }, environment: { SystemDrive: 'D:' } };
    expect(await pods(moved)).toEqual(['shop/web']);
  });

  const longest = ['n'.repeat(63), 'p'.repeat(253)] as const;
  const named = (namespace: string, name: string) => ({
    cniArgs: [
      ['K8S_POD_NAMESPACE', namespace],
      ['K8S_POD_NAME', name],
    ],
  });
  test.each<[string, object | undefined, string | undefined]>([
    ['with the longest names is known', named(...longest), longest.join('/')],
    ['without a namespace is known', named('', 'web'), 'web'],
    ['is unknown if the file is of another container', { containerId: ids.db }, undefined],
    ['is unknown if the file has no pod name', { cniArgs: [['IgnoreUnknown', '1']] }, undefined],
    ['is unknown if the file has another format', { kind: 'cniCacheV2' }, undefined],
    ['is unknown if the file is not JSON', undefined, undefined],
    ['is unknown if the file is too large', { config: 'A'.repeat(1024 * 1024) }, undefined],
    ['is unknown if its namespace is too long', named(`${longest[0]}n`, 'web'), undefined],
    ['is unknown if its name is too long', named('shop', `${longest[1]}p`), undefined],
    ['is unknown if its name has control characters', named('shop', 'evil\u001b[2J'), undefined],
    ['is unknown if its namespace is a path', named('../shop', 'web'), undefined],
  ])('%s', async (_, change, pod) => {
    await add(ids.web, 'shop/web');
    const [[path, text] = ['', '']] = Object.entries(files);
    files[path] = change === undefined ? '{' : JSON.stringify({ ...JSON.parse(text), ...change });
    expect(await pods()).toEqual([pod]);
  });
});

const failed = (problem: string) =>
  failure(1, `win-hcn: ${problem}. Run win-hcn ls --remote to list all objects.`);

describe('a pod is found by its name', () => {
  const ofEndpoint = 'endpoint 362aed15-6815-5864-b5c8-e7ef9dd01716';

  test.each([
    ['the name of the pod', 'web', '  pod        shop/web'],
    ['its namespace and name in another case', 'pod SHOP/web', '  pod        shop/web'],
    ['the container ID', ids.web, '  pod        shop/web'],
    ['an IP address', '10.244.1.2', '  addresses  10.244.1.2/24'],
    ['a MAC address', '00:15:5d:52:c0:00', '  MAC        00-15-5D-52-C0-00'],
    ['a prefix of an endpoint ID', '362aed15', ofEndpoint],
    ['a network name', 'L2BRIDGE', 'network 259f4964-2dff-5b46-92f1-633319a59298'],
    ['an endpoint name', `${ids.web}_l2bridge_eth0`, ofEndpoint],
  ])('as other objects are by theirs: %s', async (_, key, line) => {
    await add(ids.web, 'shop/web');
    const { stdout } = await run(`show ${key}`);
    expect(stdout.split('\n')).toContain(line);
  });

  test.each([
    ['show web', '"web" matches 2 pods: add the namespace (shop/web, test/web)'],
    ['show l2bridge', '"l2bridge" matches several objects: use show pod l2bridge or show network l2bridge'],
  ])('%s lists the candidates', async (command, message) => {
    await add(ids.web, 'shop/web');
    await add(ids.db, 'test/web');
    await add(ids.unknown, 'shop/l2bridge');
    expect(await run(command)).toEqual(failed(message));
  });

  test('after the ID of a container, before a prefix of one', async () => {
    const shown = async (key: string) =>
      JSON.parse((await run(`show ${key} -o json`)).stdout).endpoints[0].container;
    await add('db', 'shop/first');
    await add(ids.web, 'shop/db');
    expect(await shown('db')).toBe('db');
    expect(await shown('shop/db')).toBe(ids.web);
    await add(ids.db, 'shop/aa');
    expect(await shown('aa')).toBe(ids.db);
    expect(await shown('aa12d1d5a8cfb')).toBe(ids.web);
  });

  test('and not by a short prefix of an ID without its kind', async () => {
    await add(ids.db, 'shop/web');
    expect(await run('show bb12d1d')).toEqual(
      failed('HCN has no object "bb12d1d", or its pod\'s name is unknown'),
    );
    expect((await run('show bb12d1d5')).exitCode).toBe(0);
  });
});

describe('of a restarted pod', () => {
  const shownContainer = async (more: CliEnvironment = {}) =>
    JSON.parse((await run('show web -o json', more)).stdout).endpoints[0].container;

  test('the running container is shown before a leftover that was added later', async () => {
    await add(ids.web, 'shop/web');
    const gone = await add(ids.db, 'shop/web', false);
    await node.hcn.deleteNamespace(gone.netns);
    const [first = '', second = ''] = Object.keys(files);
    const modified = {
      [first]: new Date('2026-03-01T10:00:00Z'),
      [second]: new Date('2026-03-01T10:00:01Z'),
    };
    expect(await shownContainer({ modified })).toBe(ids.web);
  });

  test('of two running containers that is shown which was added last', async () => {
    await add(ids.web, 'shop/web');
    await add(ids.db, 'shop/web');
    const [first = '', second = ''] = Object.keys(files);
    const [earlier, later] = [new Date('2026-03-01T10:00:00Z'), new Date('2026-03-01T10:00:01Z')];
    expect(await shownContainer({ modified: { [first]: earlier, [second]: later } })).toBe(ids.db);
    expect(await shownContainer({ modified: { [first]: later, [second]: earlier } })).toBe(ids.web);
  });
});

describe('pods are shown by their names in', () => {
  test('ls namespaces', async () => {
    const { netns } = await add(ids.web, 'shop/web');
    expect((await run('ls namespaces')).stdout.split('\n').slice(2)).toEqual([
      `${netns.slice(0, 8)}   Host         2            shop/web  362aed15   10.244.1.2`,
      '',
    ]);
  });

  test.each([
    ['gc', ['362aed15  shop/web  eth0       l2bridge  10.244.1.2/24  win-hcn  in no namespace  deleted']],
    [
      'doctor',
      [
        'FAIL     running pods        shop/db: without an endpoint and so without network: recreate the pod',
        '                             see: win-hcn show pod shop/db',
        'WARN     leftover endpoints  362aed15 (pod shop/web): leftover of win-hcn, in no namespace',
      ],
    ],
  ])('%s', async (command, lines) => {
    const gone = await add(ids.web, 'shop/web', false);
    await node.hcn.deleteNamespace(gone.netns);
    await add(ids.db, 'shop/db');
    await node.hcn.deleteEndpoint('33353b1f-5609-56e9-b930-069664ee5723');
    const { stdout } = await run(command);
    expect(stdout.split('\n').filter((line) => line.includes('shop/'))).toEqual(lines);
  });

  test('the dry run of cni gc, after the number of endpoints', async () => {
    await add(ids.web, 'shop/web');
    await add(ids.unknown);
    files['n.conf'] = JSON.stringify(config);
    expect(await run('debug cni gc --conf n.conf --keep-none')).toEqual(
      problem(
        'Deletes 2 endpoints on "l2bridge":',
        '1. Pod shop/web (container aa12d1d5a8cfb) loses interface eth0 (10.244.1.2/24).',
        `2. Container ${ids.unknown} loses interface eth0 (10.244.1.3/24).`,
        'No changes made. Rerun with --yes to apply.',
      ),
    );
  });
});
