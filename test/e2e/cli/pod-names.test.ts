// Pod names, which HCN does not have: from libcni's files of attached containers, else from the log of win-hcn.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Node, type Pod, startNode } from '../node.ts';
import { config } from './inventory-node.ts';
import { libcniFile } from './libcni-files.ts';
import { readZip } from './read-zip.ts';
import { type CliEnvironment, failure, problem, runCli, success } from './run-cli.ts';

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
  const environment = { CNI_ARGS: cniArgs };
  const { exitCode, stdout } = await node.cni('ADD', {
    config: plugin,
    pod,
    environment,
    defaultLogFile: log,
  });
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

const hostNamespace = () =>
  String(node.hns.dump().namespaces.find(({ NamespaceId }) => NamespaceId === 1)?.['ID']).slice(0, 8);

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
    files = { ...files, ...cacheFile(ids.web, 'shop/web-2'), ...cacheFile(ids.db, 'shop/db') };
    expect(await pods()).toEqual(['shop/web-2', 'shop/db']);
  });

  test('that of libcni on the drive of Windows', async () => {
    await add(ids.web, '');
    const moved = Object.entries(cacheFile(ids.web, 'shop/web')).map(([path, text]) => [
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

  test('not read from rotated logs at each Tab', async () => {
    await add(ids.web, argsOf('shop', 'web'));
    files = { [logFile]: '', [logFile.replace('.log', '-20260101T000000000Z.log')]: files[logFile] ?? '' };
    expect(await run('__complete = show pod')).toEqual(success(`${ids.web}\tcontainer`));
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

describe('a pod is found by its name', () => {
  const acls = [
    'ACLs, the first match decides',
    'direction  priority  action  protocols  local        remote       type',
    'In         200       Block   any        any          10.9.0.0/16  Switch',
    'In         300       Allow   tcp        any port 80  any          Switch',
    'In         65500     Allow   any        any          any          Switch',
    'In         -         Block   any        any          any          HNS default',
    'Out        65500     Allow   any        any          any          Switch',
    'Out        -         Block   any        any          any          HNS default',
  ];

  test.each([
    'show web',
    'show shop/web',
    'show pod WEB',
    'show container shop/web',
    `show ${ids.web}`,
    'show aa12d1d5',
    'show pod aa12',
  ])('%s', async (command) => {
    const { netns } = await add(ids.web, argsOf('shop', 'web'));
    expect(await run(command)).toEqual(
      success(
        'pod shop/web',
        `  container  ${ids.web}`,
        `  namespace  ${netns}`,
        '',
        'endpoint 362aed15-6815-5864-b5c8-e7ef9dd01716',
        `  name       ${ids.web}_l2bridge_eth0`,
        '  interface  eth0',
        '  network    l2bridge',
        '  addresses  10.244.1.2/24',
        '  MAC        00-15-5D-52-C0-00',
        '  routes     0.0.0.0/0 via 10.244.1.1',
        `  namespace  ${netns}`,
        '  state      Attached',
        '  health     ok',
        '  owner      win-hcn',
        '  leftover   no',
        '',
        ...acls,
      ),
    );
  });

  const failed = (problem: string) =>
    failure(1, `win-hcn: ${problem}. List all objects with win-hcn ls -o wide --remote.`);

  test.each(['show web', 'show pod web', 'trace web 8.8.8.8', 'trace node web', 'show web --diff db'])(
    '%s lists the candidates if two namespaces have the name',
    async (command) => {
      await add(ids.web, argsOf('shop', 'web'));
      await add(ids.db, argsOf('test', 'web'));
      expect(await run(command)).toEqual(
        failed('"web" matches 2 pods: add the namespace (shop/web, test/web)'),
      );
    },
  );

  test('show lists the kinds if a network has the name too', async () => {
    await add(ids.web, argsOf('shop', 'l2bridge'));
    expect(await run('show l2bridge')).toEqual(
      failed('"l2bridge" matches several objects: use show pod l2bridge or show network l2bridge'),
    );
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

  test.each([
    ['an IP address', '10.244.1.2', '  addresses  10.244.1.2/24'],
    ['a MAC address', '00:15:5d:52:c0:00', '  MAC        00-15-5D-52-C0-00'],
    ['a prefix of an endpoint ID', '362aed15', 'endpoint 362aed15-6815-5864-b5c8-e7ef9dd01716'],
    ['a network name', 'L2BRIDGE', 'network 259f4964-2dff-5b46-92f1-633319a59298'],
    ['an endpoint name', `${ids.web}_l2bridge_eth0`, 'endpoint 362aed15-6815-5864-b5c8-e7ef9dd01716'],
  ])('and show finds %s without its kind', async (_, key, line) => {
    await add(ids.web, argsOf('shop', 'web'));
    const { stdout } = await run(`show ${key}`);
    expect(stdout.split('\n')).toContain(line);
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
    const { stdout } = await run('show web');
    expect(stdout.split('\n').slice(0, 3)).toEqual([
      'pod shop/web',
      `  container         ${ids.web}`,
      `  other containers  ${ids.db}`,
    ]);
    const { stdout: list } = await run('ls endpoints');
    expect(list.split('\n').map((line) => line.slice(0, 18))).toEqual([
      'endpoint  pod     ',
      '362aed15  shop/web',
      '33353b1f  shop/web',
      '',
    ]);
  });

  test('diff of both containers shows their IDs instead', async () => {
    await add(ids.web, argsOf('shop', 'web'));
    await add(ids.db, argsOf('shop', 'web'), { ...config, acls: [] });
    const { stdout } = await run('show aa12 --diff bb12');
    expect(stdout.split('\n').find((line) => line.startsWith('property'))).toMatch(
      /^property {2}aa12d1d5a8cfb +bb12d1d5a8cfb$/,
    );
  });

  test.each(['trace web 8.8.8.8', 'show web --diff web'])(
    '%s says to recreate it if its container has no endpoint',
    async (command) => {
      await add(ids.web, argsOf('shop', 'web'));
      await node.hcn.deleteEndpoint('362aed15-6815-5864-b5c8-e7ef9dd01716');
      expect(await run(command)).toEqual(
        failure(
          1,
          `win-hcn: pod shop/web, container ${ids.web}, has no endpoint. It has no network: recreate the pod.`,
        ),
      );
    },
  );

  test('of two running containers that is shown which was added last', async () => {
    await add(ids.web, '');
    await add(ids.db, '');
    const [web, db] = [cacheFile(ids.web, 'shop/web'), cacheFile(ids.db, 'shop/web')];
    files = { ...web, ...db };
    const addedAt = (time: string, of: Record<string, string>) => ({
      [Object.keys(of)[0] ?? '']: new Date(time),
    });
    const [earlier, later] = ['2026-03-01T10:00:00Z', '2026-03-01T10:00:01Z'];
    const modified = { ...addedAt(earlier, web), ...addedAt(later, db) };
    expect(await shownContainer({ modified })).toEqual({ container: ids.db, otherContainers: [ids.web] });
    const reversed = { ...addedAt(later, web), ...addedAt(earlier, db) };
    expect(await shownContainer({ modified: reversed })).toEqual({
      container: ids.web,
      otherContainers: [ids.db],
    });
  });
});

describe('pods are shown by their names in', () => {
  let [web, db] = ['', ''];
  beforeEach(async () => {
    [web, db] = [
      (await add(ids.web, argsOf('shop', 'web'))).netns,
      (await add(ids.db, argsOf('shop', 'db'), { ...config, acls: [] })).netns,
    ];
  });

  test('diff', async () => {
    expect(await run('show web --diff db')).toEqual(
      problem(
        'property  shop/web                                                 shop/db',
        'ACL       In 200 Block: any protocol, remote 10.9.0.0/16 (Switch)  none',
        'ACL       In 300 Allow: tcp, local port 80 (Switch)                none',
      ),
    );
  });

  test('ls namespaces', async () => {
    expect(await run('ls namespaces')).toEqual(
      success(
        'namespace  type         compartment  pods      endpoints  addresses',
        `${hostNamespace()}   HostDefault  1            -         -          -`,
        `${web.slice(0, 8)}   Host         2            shop/web  362aed15   10.244.1.2`,
        `${db.slice(0, 8)}   Host         3            shop/db   33353b1f   10.244.1.3`,
      ),
    );
  });

  const ofWeb = `${ids.web}\tcontainer of pod shop/web`;
  const names = ['shop/db\tpod, container bb12d1d5a8cfb', 'shop/web\tpod, container aa12d1d5a8cfb'];
  test.each<[string, readonly string[]]>([
    ['show pod ', names],
    ['show sh', names],
    ['show n', ['namespace\tnamespace', 'network\tnetwork']],
    ['trace shop/d', ['shop/db\tpod, container bb12d1d5a8cfb']],
    ['trace web ', names],
    ['debug cni del --container aa', [ofWeb]],
  ])('completion of "win-hcn %s"', async (line, lines) => {
    const words = line.split(' ');
    const completion = ['__complete', `=${words.at(-1)}`, ...words.slice(0, -1)].join(' ');
    expect(await run(completion)).toEqual(success(...lines));
  });

  test('completion also of a pod whose name is unknown', async () => {
    await add(ids.unknown, '');
    expect(await run('__complete = show pod')).toEqual(success(...names, `${ids.unknown}\tcontainer`));
  });
});

test('names in a log that are not Kubernetes names do not reach a terminal', async () => {
  await add(ids.web, argsOf('shop', 'web'));
  const { stdout } = await run('ls endpoints');
  const unnamed = stdout.replace(/pod {5}/, 'pod          ').replace('shop/web', 'aa12d1d5a8cfb');
  expect(stdout).toContain('shop/web');
  for (const hostile of ['evil\u001b[2J', 'we\u202eb', 'w b', '../web', 'x'.repeat(300)]) {
    files[logFile] = (files[logFile] ?? '').replace(
      /"pod":"[^/]*\/[^"]*"/,
      `"pod":${JSON.stringify(`shop/${hostile}`)}`,
    );
    const { stdout: shown } = await run('ls endpoints');
    expect(shown).toBe(unnamed);
  }
});

describe('pods are named in', () => {
  const dbEndpoint = '33353b1f-5609-56e9-b930-069664ee5723';
  beforeEach(async () => {
    const gone = await add(ids.web, argsOf('shop', 'web'), config, false);
    await node.hcn.deleteNamespace(gone.netns);
    await add(ids.db, argsOf('shop', 'db'));
  });

  test('gc', async () => {
    expect(await run('gc')).toEqual(
      problem(
        'endpoint  pod       interface  network   addresses      owner    leftover         with --yes',
        '362aed15  shop/web  eth0       l2bridge  10.244.1.2/24  win-hcn  in no namespace  deleted',
        '',
        'No changes made. Rerun with --yes to apply.',
      ),
    );
    expect((await run('gc --yes')).stdout.split('\n')).toEqual([
      '1. delete endpoint 362aed15-6815-5864-b5c8-e7ef9dd01716 (pod shop/web on l2bridge, 10.244.1.2/24): in no namespace',
      '   deleted',
      '',
      '1 deleted',
      '',
    ]);
  });

  test('doctor', async () => {
    await node.hcn.deleteEndpoint(dbEndpoint);
    const { stdout } = await run('doctor');
    expect(stdout.split('\n').filter((line) => line.includes('shop/'))).toEqual([
      'WARN     leftover endpoints  1 leftover: 362aed15 (pod shop/web), in no namespace',
      'WARN     running pods        pod shop/db runs without an endpoint and has no network: recreate the pod',
      '                             see: win-hcn show pod shop/db',
    ]);
  });

  test('the list of collect', async () => {
    const { written = {} } = await run('collect C:\\temp\\bundle.zip', {
      files: { ...files, 'C:\\temp\\old.zip': '' },
    });
    const [zip = new Uint8Array()] = Object.values(written);
    const bundle = readZip(zip);
    const listed = ['362aed15', 'shop/web', 'shop/db'];
    expect(listed.filter((text) => bundle['ls.txt']?.includes(text))).toEqual(listed);
  });

  test('ls --watch also if containerd records a pod after its endpoint appeared', async () => {
    files = {};
    const pauses = [() => Object.assign(files, cacheFile(ids.db, 'shop/db'))];
    const { stdout } = await run('ls endpoints --watch', { pauses });
    expect(stdout).toMatch(/ - 33353b1f bb12d1d5a8cfb .*\n.* \+ 33353b1f shop\/db /);
  });
});
