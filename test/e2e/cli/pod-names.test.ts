// Pod names, which HCN does not have: from libcni's files of attached containers, else from the log of win-hcn.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Node, type Pod, startNode } from '../node.ts';
import { config } from './inventory-node.ts';
import { libcniFile } from './libcni-files.ts';
import { type CliEnvironment, failure, runCli } from './run-cli.ts';

const ids = {
  web: 'aa12d1d5a8cfb5cbc1a91a9b4dd33b6fb8b0ee5d1c7f4a2f6f1f1e9e5c3a7b21',
  db: 'bb12d1d5a8cfb5cbc1a91a9b4dd33b6fb8b0ee5d1c7f4a2f6f1f1e9e5c3a7b22',
  unknown: 'cc12d1d5a8cfb5cbc1a91a9b4dd33b6fb8b0ee5d1c7f4a2f6f1f1e9e5c3a7b23',
} as const;
const logFile = 'C:\\ProgramData\\win-hcn\\logs\\win-hcn.log';
const results = 'C:\\var\\lib\\cni\\results';

let node: Node;
let folder: string;
let files: Record<string, string>;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'win-hcn-pods-'));
  node = await startNode();
  files = {};
});
afterEach(async () => {
  rmSync(folder, { recursive: true });
  await node.stop();
});

/** Adds a container as containerd does, with its CNI_ARGS. The files of the node get the log. */
async function add(
  containerId: string,
  cniArgs: string,
  plugin: object = config,
  isRunning = true,
): Promise<Pod> {
  const pod = node.newPod(containerId);
  const log = join(folder, 'win-hcn.log');
  const outside = { environment: { CNI_ARGS: cniArgs }, defaultLogFile: log };
  const { exitCode, stdout } = await node.cni('ADD', { config: plugin, pod, ...outside });
  if (exitCode !== 0) throw new Error(`cannot prepare the node: ${stdout}`);
  if (isRunning) node.hns.attachContainer(pod.netns, containerId);
  files[logFile] = readFileSync(log, 'utf8');
  return pod;
}

/** CNI_ARGS of a pod, as containerd sets them. */
function argsOf(namespace: string, name: string): string {
  return `K8S_POD_INFRA_CONTAINER_ID=1;K8S_POD_NAME=${name};K8S_POD_UID=2;IgnoreUnknown=1;K8S_POD_NAMESPACE=${namespace}`;
}

const cacheFile = (containerId: string, pod: string) => libcniFile(results, { containerId }, pod);

const run = (command: string, more: CliEnvironment = {}) =>
  runCli(command.split(' '), { system: { ...node.outside, windows: true, logFile }, files, ...more });

describe('the pod of a container is', () => {
  const pods = async (more: CliEnvironment = {}) => {
    const { stdout } = await run('ls endpoints -o json', more);
    return JSON.parse(stdout).map(({ pod }: { readonly pod?: string }) => pod);
  };

  test('that of libcni rather than that of the log', async () => {
    await add(ids.web, argsOf('shop', 'web'));
    Object.assign(files, cacheFile(ids.web, 'shop/web-2'));
    expect(await pods()).toEqual(['shop/web-2']);
  });

  test('that of libcni on the drive of Windows', async () => {
    await add(ids.web, '');
    const [[path, text] = ['', '']] = Object.entries(cacheFile(ids.web, 'shop/web'));
    const moved = { files: { [`D${path.slice(1)}`]: text }, environment: { SystemDrive: 'D:' } };
    expect(await pods(moved)).toEqual(['shop/web']);
  });

  test.each([
    ['is of another container', { containerId: ids.db }],
    ['has no pod name', { cniArgs: [['IgnoreUnknown', '1']] }],
    ['has another format', { kind: 'cniCacheV2' }],
    ['is not JSON', undefined],
    ['is too large', { config: 'A'.repeat(1024 * 1024) }],
  ])('that of the log if the file of libcni %s', async (_, change) => {
    await add(ids.web, argsOf('shop', 'web'));
    const [[path, text] = ['', '']] = Object.entries(cacheFile(ids.web, 'shop/wrong'));
    files[path] = change === undefined ? '{' : JSON.stringify({ ...JSON.parse(text), ...change });
    expect(await pods()).toEqual(['shop/web']);
  });

  test('in a rotated log, of which the newest decides', async () => {
    await add(ids.web, argsOf('shop', 'web'));
    const log = files[logFile] ?? '';
    files = {
      [logFile]: '',
      [logFile.replace('.log', '-20260101T000000000Z.log')]: log.replace('shop/web', 'shop/old'),
      [logFile.replace('.log', '-20260102T000000000Z.log')]: log,
      [logFile.replace('.log', '-copy.log')]: log.replace('shop/web', 'shop/copy'),
    };
    expect(await pods()).toEqual(['shop/web']);
  });

  test("in the log that win-hcn's configuration names", async () => {
    await add(ids.web, argsOf('shop', 'web'));
    files = {
      'D:\\cni\\win-hcn.log': files[logFile] ?? '',
      'C:\\etc\\cni\\net.d\\10-win-hcn.conf': JSON.stringify({ ...config, logFile: 'D:\\cni\\win-hcn.log' }),
    };
    expect(await pods()).toEqual(['shop/web']);
  });

  test('read from at most the last 16 MiB of a log', async () => {
    await add(ids.web, argsOf('shop', 'web'));
    const log = files[logFile] ?? '';
    const filler = `${JSON.stringify({ event: 'notice', text: 'x'.repeat(1024 * 1024 - 40) })}\n`;
    files[logFile] = log + filler.repeat(15);
    expect(await pods()).toEqual(['shop/web']);
    files[logFile] = log + filler.repeat(17);
    expect(await pods()).toEqual([undefined]);
  });
});

describe('a pod is found by its name', () => {
  const ofEndpoint = 'endpoint 362aed15-6815-5864-b5c8-e7ef9dd01716';

  test.each([
    ['the name of the pod', 'web', 'pod shop/web'],
    ['its namespace and name in another case', 'pod SHOP/web', 'pod shop/web'],
    ['the container ID', ids.web, 'pod shop/web'],
    ['an IP address', '10.244.1.2', '  addresses  10.244.1.2/24'],
    ['a MAC address', '00:15:5d:52:c0:00', '  MAC        00-15-5D-52-C0-00'],
    ['a prefix of an endpoint ID', '362aed15', ofEndpoint],
    ['a network name', 'L2BRIDGE', 'network 259f4964-2dff-5b46-92f1-633319a59298'],
    ['an endpoint name', `${ids.web}_l2bridge_eth0`, ofEndpoint],
  ])('as other objects are by theirs: %s', async (_, key, line) => {
    await add(ids.web, argsOf('shop', 'web'));
    const { stdout } = await run(`show ${key}`);
    expect(stdout.split('\n')).toContain(line);
  });

  const failed = (problem: string) =>
    failure(1, `win-hcn: ${problem}. List all objects with win-hcn ls -o wide --remote.`);

  test.each([
    ['show web', '"web" matches 2 pods: add the namespace (shop/web, test/web)'],
    ['trace web 8.8.8.8', '"web" matches 2 pods: add the namespace (shop/web, test/web)'],
    ['show l2bridge', '"l2bridge" matches several objects: use show pod l2bridge or show network l2bridge'],
  ])('%s lists the candidates', async (command, message) => {
    await add(ids.web, argsOf('shop', 'web'));
    await add(ids.db, argsOf('test', 'web'));
    await add(ids.unknown, argsOf('shop', 'l2bridge'));
    expect(await run(command)).toEqual(failed(message));
  });

  test.each([
    ['show db', 'HCN has no object "db"'],
    ['show pod shop/db', 'HCN has no pod "shop/db"'],
  ])('%s says how many containers have no known pod', async (command, problem) => {
    await add(ids.web, argsOf('shop', 'web'));
    expect(await run(command)).toEqual(failed(problem));
    await add(ids.unknown, '');
    expect(await run(command)).toEqual(failed(`${problem}; the pod of 1 container is unknown`));
    files = {};
    expect(await run(command)).toEqual(failed(`${problem}; the pods of 2 containers are unknown`));
  });

  test('after the ID of a container, before a prefix of one', async () => {
    const shown = async (key: string) => JSON.parse((await run(`show ${key} -o json`)).stdout).container;
    await add('db', argsOf('shop', 'first'));
    await add(ids.web, argsOf('shop', 'db'));
    expect(await shown('db')).toBe('db');
    expect(await shown('shop/db')).toBe(ids.web);
    await add(ids.db, argsOf('shop', 'aa'));
    expect(await shown('aa')).toBe(ids.db);
    expect(await shown('aa12d1d5a8cfb')).toBe(ids.web);
  });

  test('and not by a short prefix of an ID without its kind', async () => {
    await add(ids.db, argsOf('shop', 'web'));
    expect(await run('show bb12d1d')).toEqual(failed('HCN has no object "bb12d1d"'));
    expect((await run('show bb12d1d5')).exitCode).toBe(0);
  });
});

describe('of a restarted pod', () => {
  const shownContainer = async (more: CliEnvironment = {}) => {
    const { container, otherContainers } = JSON.parse((await run('show web -o json', more)).stdout);
    return { container, otherContainers };
  };

  test('the container with an endpoint is shown', async () => {
    const old = await add(ids.db, argsOf('shop', 'web'), config, false);
    await node.cni('DEL', { config, pod: old });
    await node.hcn.deleteNamespace(old.netns);
    await add(ids.web, argsOf('shop', 'web'));
    expect(await shownContainer()).toEqual({ container: ids.web });
  });

  test('the running container is shown before a leftover that was added later', async () => {
    await add(ids.web, argsOf('shop', 'web'));
    const gone = await add(ids.db, argsOf('shop', 'web'), config, false);
    await node.hcn.deleteNamespace(gone.netns);
    expect(await shownContainer()).toEqual({ container: ids.web, otherContainers: [ids.db] });
  });

  test('trace says to recreate it if its container has no endpoint', async () => {
    await add(ids.web, argsOf('shop', 'web'));
    await node.hcn.deleteEndpoint('362aed15-6815-5864-b5c8-e7ef9dd01716');
    expect((await run('trace web 8.8.8.8')).stderr).toContain(
      `pod shop/web, container ${ids.web}, has no endpoint. It has no network: recreate the pod.`,
    );
  });

  test('of two running containers that is shown which was added last', async () => {
    await add(ids.web, '');
    await add(ids.db, '');
    files = { ...cacheFile(ids.web, 'shop/web'), ...cacheFile(ids.db, 'shop/web') };
    const [first = '', second = ''] = Object.keys(files);
    const [earlier, later] = [new Date('2026-03-01T10:00:00Z'), new Date('2026-03-01T10:00:01Z')];
    const shown = async (modified: Record<string, Date>) => (await shownContainer({ modified })).container;
    expect(await shown({ [first]: earlier, [second]: later })).toBe(ids.db);
    expect(await shown({ [first]: later, [second]: earlier })).toBe(ids.web);
  });
});

describe('pods are shown by their names in', () => {
  let [web, db] = ['', ''];
  beforeEach(async () => {
    web = (await add(ids.web, argsOf('shop', 'web'))).netns;
    db = (await add(ids.db, argsOf('shop', 'db'), { ...config, acls: [] })).netns;
  });

  test('diff', async () => {
    expect((await run('show web --diff db')).stdout).toMatch(/^property {2}shop\/web +shop\/db\n/);
  });

  test('ls namespaces', async () => {
    expect((await run('ls namespaces')).stdout.split('\n').slice(2)).toEqual([
      `${web.slice(0, 8)}   Host         2            shop/web  362aed15   10.244.1.2`,
      `${db.slice(0, 8)}   Host         3            shop/db   33353b1f   10.244.1.3`,
      '',
    ]);
  });
});

test('names in a log that are not Kubernetes names do not reach a terminal', async () => {
  await add(ids.web, argsOf('shop', 'web'));
  const log = files[logFile] ?? '';
  expect(log).toContain('"pod":"shop/web"');
  for (const hostile of ['evil\u001b[2J', 'we\u202eb', '../web', 'x'.repeat(300)]) {
    files[logFile] = log.replaceAll('"pod":"shop/web"', `"pod":${JSON.stringify(`shop/${hostile}`)}`);
    expect((await run('ls endpoints')).stdout).toMatch(/\n362aed15 {2}aa12d1d5a8cfb {2}eth0 /);
  }
});

test.each([
  ['gc', ['362aed15  shop/web  eth0       l2bridge  10.244.1.2/24  win-hcn  in no namespace  deleted']],
  [
    'doctor',
    [
      'WARN     leftover endpoints  1 leftover (1 of win-hcn): 362aed15 (pod shop/web), in no namespace',
      'WARN     running pods        1 pod without an endpoint and so without network: shop/db; recreate it',
      '                             see: win-hcn show pod shop/db',
    ],
  ],
])('%s names the pods', async (command, lines) => {
  const gone = await add(ids.web, argsOf('shop', 'web'), config, false);
  await node.hcn.deleteNamespace(gone.netns);
  await add(ids.db, argsOf('shop', 'db'));
  await node.hcn.deleteEndpoint('33353b1f-5609-56e9-b930-069664ee5723');
  const { stdout } = await run(command);
  expect(stdout.split('\n').filter((line) => line.includes('shop/'))).toEqual(lines);
});

test('ls --watch shows the name of a pod that containerd records after its endpoint appeared', async () => {
  await add(ids.db, argsOf('shop', 'db'));
  files = {};
  const pauses = [() => Object.assign(files, cacheFile(ids.db, 'shop/db'))];
  const { stdout } = await run('ls endpoints --watch', { pauses });
  expect(stdout).toMatch(/ - \w{8} bb12d1d5a8cfb .*\n.* \+ \w{8} shop\/db /);
});
