// Pod names, which HCN does not have: from libcni's files of attached containers, else from the log of win-hcn.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Node, type Pod, startNode } from '../node.ts';
import { config } from './inventory-node.ts';
import { type CliEnvironment, runCli, success } from './run-cli.ts';

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
async function add(containerId: string, cniArgs: string, plugin: object = config): Promise<Pod> {
  const pod = node.newPod(containerId);
  const log = join(folder, 'win-hcn.log');
  const environment = { CNI_ARGS: cniArgs };
  const { exitCode, stdout } = await node.cni('ADD', {
    config: plugin,
    pod,
    environment,
    defaultLogFile: log,
  });
  if (exitCode !== 0) throw new Error(`cannot prepare the node: ${stdout}`);
  node.hns.attachContainer(pod.netns, containerId);
  files[logFile] = readFileSync(log, 'utf8');
  return pod;
}

/** CNI_ARGS of a pod, as containerd sets them. */
function argsOf(namespace: string, name: string): string {
  return `K8S_POD_INFRA_CONTAINER_ID=1;K8S_POD_NAME=${name};K8S_POD_UID=2;IgnoreUnknown=1;K8S_POD_NAMESPACE=${namespace}`;
}

/** A file of libcni for an attached container. */
function cacheFile(containerId: string, namespace: string, name: string): Record<string, string> {
  const cniArgs = [
    ['IgnoreUnknown', '1'],
    ['K8S_POD_NAMESPACE', namespace],
    ['K8S_POD_NAME', name],
  ];
  const record = { kind: 'cniCacheV1', containerId, config: 'e30=', ifName: 'eth0', networkName: 'l2bridge' };
  return { [`${results}\\l2bridge-${containerId}-eth0`]: JSON.stringify({ ...record, cniArgs }) };
}

const run = (command: string, more: CliEnvironment = {}) =>
  runCli(command.split(' '), { system: { ...node.outside, windows: true, logFile }, files, ...more });

describe('ls endpoints', () => {
  test('shows the pods of the log, and the container of an unknown pod', async () => {
    const [web, unknown] = [await add(ids.web, argsOf('shop', 'web')), await add(ids.unknown, '')];
    expect(await run('ls endpoints')).toEqual(
      success(
        'endpoint  pod            interface  network   addresses      MAC                namespace  state     health  owner    leftover',
        `362aed15  shop/web       eth0       l2bridge  10.244.1.2/24  00-15-5D-52-C0-00  ${web.netns.slice(0, 8)}   Attached  ok      win-hcn  -`,
        `34ff5d7e  cc12d1d5a8cfb  eth0       l2bridge  10.244.1.3/24  00-15-5D-52-C0-01  ${unknown.netns.slice(0, 8)}   Attached  ok      win-hcn  -`,
      ),
    );
  });

  test('-o wide also shows the containers', async () => {
    const web = await add(ids.web, argsOf('shop', 'web'));
    expect(await run('ls endpoints -o wide')).toEqual(
      success(
        'endpoint                              name                                                                            pod       container                                                         interface  network   addresses      MAC                namespace                             state     health  owner    leftover',
        `362aed15-6815-5864-b5c8-e7ef9dd01716  ${ids.web}_l2bridge_eth0  shop/web  ${ids.web}  eth0       l2bridge  10.244.1.2/24  00-15-5D-52-C0-00  ${web.netns}  Attached  ok      win-hcn  -`,
      ),
    );
  });

  test('-o json has the pod, and none if it is unknown', async () => {
    await add(ids.web, argsOf('shop', 'web'));
    await add(ids.unknown, '');
    const { stdout } = await run('ls endpoints -o json');
    const rows: readonly { readonly container: string; readonly pod?: string }[] = JSON.parse(stdout);
    expect(rows.map(({ container, pod }) => ({ container, pod }))).toEqual([
      { container: ids.web, pod: 'shop/web' },
      { container: ids.unknown, pod: undefined },
    ]);
  });
});

describe('the pod of a container is', () => {
  const pods = async (more: CliEnvironment = {}) => {
    const { stdout } = await run('ls endpoints -o json', more);
    return JSON.parse(stdout).map(({ pod }: { readonly pod?: string }) => pod);
  };

  test('that of libcni, for a container of another plugin too', async () => {
    await add(ids.web, argsOf('shop', 'web'));
    await node.hcn.createEndpoint(
      '259f4964-2dff-5b46-92f1-633319a59298',
      'a1e6032f-bbf7-4b5a-880f-667bebc65501',
      {
        HostComputeNetwork: '259f4964-2dff-5b46-92f1-633319a59298',
        Name: `${ids.db}_l2bridge`,
        SchemaVersion: { Major: 2, Minor: 0 },
      },
    );
    files = { ...files, ...cacheFile(ids.web, 'shop', 'web-2'), ...cacheFile(ids.db, 'shop', 'db') };
    expect(await pods()).toEqual(['shop/web-2', 'shop/db']);
  });

  test('that of libcni on the drive of Windows', async () => {
    await add(ids.web, '');
    const moved = Object.entries(cacheFile(ids.web, 'shop', 'web')).map(([path, text]) => [
      `D${path.slice(1)}`,
      text,
    ]);
    expect(await pods({ files: Object.fromEntries(moved), environment: { SystemDrive: 'D:' } })).toEqual([
      'shop/web',
    ]);
  });

  test.each([
    ['is of another container', { containerId: ids.db }],
    ['has no pod name', { cniArgs: [['IgnoreUnknown', '1']] }],
    ['has no list of arguments', { cniArgs: 'K8S_POD_NAME=web' }],
    ['has another format', { kind: 'cniCacheV2' }],
    ['is not JSON', undefined],
    ['is too large', { config: 'A'.repeat(1024 * 1024) }],
  ])('that of the log if the file of libcni %s', async (_, change) => {
    await add(ids.web, argsOf('shop', 'web'));
    const [[path, text] = ['', '']] = Object.entries(cacheFile(ids.web, 'shop', 'wrong'));
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

  test('unknown without a log and without files of libcni', async () => {
    await add(ids.web, argsOf('shop', 'web'));
    files = {};
    expect(await pods()).toEqual([undefined]);
  });
});
