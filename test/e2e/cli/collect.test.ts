import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ScriptResult } from '../../../src/cli/terminal/powershell.ts';
import { hresultOf } from '../../../src/hcn/hresults.ts';
import { runBundle, startBundle } from '../process.ts';
import { type InventoryNode, network, startInventoryNode } from './inventory-node.ts';
import { readZip } from './read-zip.ts';
import { type CliEnvironment, failure, fileError, runCli } from './run-cli.ts';

let node: InventoryNode;
beforeEach(async () => {
  node = await startInventoryNode();
});
afterEach(() => node.stop());

const conflist = JSON.stringify({
  name: 'l2bridge',
  plugins: [
    { type: 'win-hcn', logFile: 'D:\\logs\\cni.log', args: { password: 'hunter2' } },
    { type: 'win-hcn', logFile: 'd:/logs/cni.log' },
  ],
});
const files = {
  'C:\\temp\\old.zip': '',
  'C:\\Program Files\\containerd\\config.toml':
    'version = 2\n[plugins."io.containerd.grpc.v1.cri".registry.configs."reg.example".auth]\n  password = "hunter2"\n',
  'C:\\etc\\cni\\net.d\\10-win-hcn.conflist': conflist,
  'C:\\etc\\cni\\net.d\\calico-kubeconfig': 'token: hunter2',
  'D:\\logs\\cni-20260101T000000000Z.log': '{"event":"answer","code":0}\n',
  'D:\\logs\\cni.log': '{"event":"call","document":"{\\"Key\\":\\"hunter2\\"}"}\n',
  // The same file by another path.
  'd:/logs/cni.log': '{"event":"call","document":"{\\"Key\\":\\"hunter2\\"}"}\n',
  'D:\\logs\\cni-other.log': 'not ours',
};

/** PowerShell on a node without a containerd service. */
function powershell(script: string): ScriptResult {
  if (script.includes('===== ipconfig'))
    return { stdout: '===== ipconfig /all\r\nWindows IP Configuration   \r\n' };
  if (script.includes('===== Services')) return { stdout: 'kubelet.exe --token hunter2\r\n' };
  return { stdout: script.includes('=====') ? '===== ...\r\n' : '' };
}

function collect(words: readonly string[], surroundings: CliEnvironment = {}) {
  return onNode(['collect', ...words], surroundings);
}

/** Runs a command on node WIN-3 at a fixed time. */
function onNode(words: readonly string[], surroundings: CliEnvironment = {}) {
  return runCli(words, {
    files,
    powershell,
    environment: { COMPUTERNAME: 'WIN-3' },
    ...surroundings,
    system: { ...node.outside, clock: () => new Date('2026-01-02T03:04:05.678Z'), ...surroundings.system },
  });
}

const toTemp = ['C:\\temp\\node.zip'];
/** The end of the message about a call that hangs. */
const hangs =
  'the Host Network Service hangs or is overloaded. Run Get-Service hns to check it. If the next attempt times out too, ' +
  'drain the node and run Restart-Service hns.';
const scripts = ['services', 'windows', 'ipconfig', 'routes', 'interfaces', 'ports', 'events', 'vfp'];

const usual: readonly (readonly [string, string])[] = [
  ['networks', '1 file, 0.0 s'],
  ['endpoints', '1 file, 0.0 s'],
  ['namespaces', '1 file, 0.0 s'],
  ['load balancers', '1 file, 0.0 s'],
  ['ls', '2 files, 0.0 s'],
  ['HNS version', '1 file, 0.0 s'],
  ['HNS documents', '3 files, 0.0 s'],
  ['adapters', '1 file, 0.0 s'],
  ['containerd', '1 file, 0.0 s'],
  ['CNI configurations', '2 files, 0.0 s'],
  ['logs', '2 files, 0.0 s'],
  ['probe report', 'no report, 0.0 s'],
  ['doctor', '1 file, 0.0 s'],
  ...scripts.map((name) => [name, '1 file, 0.0 s'] as const),
];

type Lines = Readonly<Record<string, readonly string[]>>;

/** The progress on stderr; `different` replaces the lines of some collectors. */
function progress(different: Lines = {}): string {
  const lines = usual.map(([name, ending], index) => {
    const [first = ending, ...rest] = different[name] ?? [];
    return [`[${index + 1}/${usual.length}] ${name} ... ${first}\n`, ...rest.map((line) => `    ${line}\n`)];
  });
  return `${lines.flat().join('')}packing ... 0.0 s\n`;
}

/** The exit code and stderr if some collectors fail. */
function incomplete(different: Lines) {
  const names = usual
    .map(([name]) => name)
    .filter((name) => /\bfailed\b|incomplete/.test(different[name]?.[0] ?? ''));
  const summary = `Incomplete: ${names.join(', ')}. See README.txt in the zip for the reasons.\n`;
  return { exitCode: 1, stderr: `${progress(different)}${summary}` };
}

/** Collectors that fail at once, for the same reason as another one. */
function sameReason(as: string, ...names: readonly string[]): Lines {
  return Object.fromEntries(names.map((name) => [name, ['failed, 0.0 s', `same reason as ${as}`]]));
}

const filesWithoutHns = [
  'adapters.json',
  'files/C/Program Files/containerd/config.toml',
  'cni-folders.txt',
  'files/C/etc/cni/net.d/10-win-hcn.conflist',
  'files/D/logs/cni-20260101T000000000Z.log',
  'files/D/logs/cni.log',
  'doctor.txt',
  ...scripts.map((name) => `windows/${name}.txt`),
];

/** The files of the only zip written, as text. */
function unpacked(
  written: Readonly<Record<string, Uint8Array>> | undefined,
): Readonly<Record<string, string>> {
  const [bytes, ...others] = Object.values(written ?? {});
  if (bytes === undefined || others.length > 0) throw new Error('not one file was written');
  return Object.fromEntries(Object.entries(readZip(bytes)).map(([path, content]) => [path, String(content)]));
}

/** README.txt without file sizes. */
function readme(written: Readonly<Record<string, Uint8Array>> | undefined): string {
  return (unpacked(written)['README.txt'] ?? '').replaceAll(/\d+ bytes/g, 'N bytes');
}

describe('collect', () => {
  test('writes one zip and prints its path, size and progress', async () => {
    const { stdout, written, ...rest } = await collect(toTemp);
    expect(rest).toEqual({ exitCode: 0, stderr: progress() });
    expect(stdout).toMatch(/^C:\\temp\\node\.zip: 26 files, \d+ KiB, 4 values redacted\n$/);
    expect(Object.keys(written ?? {})).toEqual(['C:\\temp\\node.zip']);
    expect(Object.keys(unpacked(written))).toEqual([
      'README.txt',
      'hcn/networks.json',
      'hcn/endpoints.json',
      'hcn/namespaces.json',
      'hcn/load-balancers.json',
      'ls.txt',
      'ls.json',
      'hns/version.json',
      'hns/networks.json',
      'hns/endpoints.json',
      'hns/policylists.json',
      ...filesWithoutHns,
    ]);
  });

  test('describes the files in README.txt', async () => {
    const { written } = await collect(toTemp);
    expect(
      readme(written),
    ).toBe(`Support bundle of win-hcn from its sources, created by win-hcn collect. Code cache: none.
Computer WIN-3, 2026-01-02T03:04:05.678Z.
Start with doctor.txt and ls.txt.

REDACTED
  4 values were replaced. <redacted> replaces values with names such as password, secret, token,
  key, psk, pat, jwt, credential, auth, authorization, cookie, certificate or header; users and
  passwords in URLs and before @; parameters of URLs; PEM blocks; tokens of known formats; Base64
  of a user and a password; and up to 100 of these secrets wherever they occur again. In the
  configurations of other programs, command lines and settings of HNS, <omitted: ...> replaces
  every value that is not known to be harmless. Secrets in other text are recognized by name and
  format only: review the files before you share them. They contain addresses and the names of
  containers and of this computer. Environment variables and kubeconfigs are not collected.

NOT FOUND
  probe report: no report

FILES
  networks as HCN returned them
    hcn/networks.json (N bytes)
  endpoints as HCN returned them
    hcn/endpoints.json (N bytes)
  namespaces as HCN returned them
    hcn/namespaces.json (N bytes)
  load balancers as HCN returned them
    hcn/load-balancers.json (N bytes)
  the output of win-hcn ls --remote, with -o wide and -o json
    ls.txt (N bytes)
    ls.json (N bytes)
  the version of the Host Network Service; 13.3 is Windows Server 2022's
    hns/version.json (N bytes)
  HNS's older documents of the same objects, with members that HCN's lack, such as ManagementIP
    hns/networks.json (N bytes)
    hns/endpoints.json (N bytes)
    hns/policylists.json (N bytes)
  the network adapters as win-hcn reads them
    adapters.json (N bytes)
  containerd's configuration
    files/C/Program Files/containerd/config.toml (N bytes, 1 redacted)
  CNI configurations, and the names of all files in their folders; others may be kubeconfigs
    cni-folders.txt (N bytes)
    files/C/etc/cni/net.d/10-win-hcn.conflist (N bytes, 1 redacted)
  win-hcn's log, current and rotated
    files/D/logs/cni-20260101T000000000Z.log (N bytes)
    files/D/logs/cni.log (N bytes, 1 redacted)
  the output of win-hcn doctor
    doctor.txt (N bytes)
  services and processes of networking and Kubernetes with their command lines, and the VFP driver
    windows/services.txt (N bytes, 1 redacted)
  the Windows version, updates, versions of networking files, and settings of HNS
    windows/windows.txt (N bytes)
  ipconfig /all
    windows/ipconfig.txt (N bytes)
  route print, and the routes of all compartments
    windows/routes.txt (N bytes)
  network adapters, IP interfaces with MTU and forwarding, addresses, and virtual switches
    windows/interfaces.txt (N bytes)
  dynamic and excluded port ranges of TCP and UDP
    windows/ports.txt (N bytes)
  events of the last 24 hours from HNS, the virtual switch, and services of networking and Kubernetes
    windows/events.txt (N bytes)
  the ports of the virtual switch, and their VFP rules
    windows/vfp.txt (N bytes)
`);
  });

  test('contains files of the node without secrets and otherwise unchanged', async () => {
    const bundle = unpacked((await collect(toTemp)).written);
    expect({
      toml: bundle['files/C/Program Files/containerd/config.toml'],
      conflist: bundle['files/C/etc/cni/net.d/10-win-hcn.conflist'],
      log: bundle['files/D/logs/cni.log'],
      services: bundle['windows/services.txt'],
      ipconfig: bundle['windows/ipconfig.txt'],
      folders: bundle['cni-folders.txt'],
    }).toEqual({
      toml: 'version = 2\n[plugins."io.containerd.grpc.v1.cri".registry.configs."reg.example".auth]\n  password = "<redacted>"\n',
      conflist: conflist.replace('hunter2', '<redacted>'),
      log: '{"event":"call","document":"{\\"Key\\":\\"<redacted>\\"}"}\n',
      services: 'kubelet.exe --token <redacted>\n',
      ipconfig: '===== ipconfig /all\nWindows IP Configuration\n',
      folders: 'C:\\etc\\cni\\net.d\n  10-win-hcn.conflist\n  calico-kubeconfig\n',
    });
  });

  test('contains the objects of HCN without keys and otherwise unchanged, and the output of ls', async () => {
    const key = { Type: 'PresharedKey', Settings: { Key: 'hunter2' } };
    await node.hcn.createEndpoint(network, 'e5e6032f-bbf7-4b5a-880f-667bebc65505', {
      Name: 'encrypted',
      HostComputeNetwork: network,
      Policies: [
        { Type: 'Encryption', Settings: { EncryptionMethodType: 'Ipsec', AuthenticationMethods: [key] } },
      ],
      SchemaVersion: { Major: 2, Minor: 0 },
    });
    const bundle = unpacked((await collect(toTemp)).written);
    const { networks, endpoints, namespaces, loadBalancers } = node.hns.dump();
    const parsed = (name: string) => JSON.parse(bundle[name] ?? '');
    expect(JSON.stringify(endpoints)).toContain('hunter2');
    expect({
      networks: parsed('hcn/networks.json'),
      endpoints: parsed('hcn/endpoints.json'),
      namespaces: JSON.parse((bundle['hcn/namespaces.json'] ?? '').toLowerCase()),
      loadBalancers: parsed('hcn/load-balancers.json'),
    }).toEqual({
      networks,
      endpoints: JSON.parse(JSON.stringify(endpoints).replace('hunter2', '<redacted>')),
      // HNS returns the ids of resources in upper case.
      namespaces: JSON.parse(JSON.stringify(namespaces).toLowerCase()),
      loadBalancers,
    });
    const listed = (...words: readonly string[]) =>
      runCli(['ls', '--remote', ...words], { system: node.outside });
    expect(bundle['ls.txt']).toBe((await listed('-o', 'wide')).stdout);
    expect(bundle['ls.json']).toBe((await listed('-o', 'json')).stdout);
    expect(parsed('hns/version.json')).toEqual({ Success: true, Output: { Major: 15, Minor: 5 } });
    expect(Object.values(bundle).join('')).not.toContain('hunter2');
  });

  test('contains the output of doctor', async () => {
    const bundle = unpacked((await collect(toTemp)).written);
    expect(bundle['doctor.txt']).toBe((await onNode(['doctor'])).stdout);
    expect(bundle['doctor.txt']).toMatch(/^\d+ failed, \d+ warnings?, \d+ unknown, \d+ passed\n\n/);
  });

  test('collects CNI configurations from the folder of containerd', async () => {
    const { written } = await collect(toTemp, {
      files: {
        'C:\\temp\\notes.txt': '',
        'D:\\rke2\\config.toml':
          'version = 2\n[plugins."io.containerd.grpc.v1.cri".cni]\nconf_dir = "d:/rke2/cni"\n',
        'd:\\rke2\\cni\\10.conflist': conflist,
      },
      powershell: (script) =>
        script.includes("Name='containerd'")
          ? { stdout: '{"services":["containerd.exe --config D:\\\\rke2\\\\config.toml"],"processes":[]}' }
          : powershell(script),
    });
    expect(Object.keys(unpacked(written)).filter((path) => /^files|^cni/.test(path))).toEqual([
      'files/D/rke2/config.toml',
      'cni-folders.txt',
      'files/d/rke2/cni/10.conflist',
    ]);
  });

  test('names the zip after the computer and the time by default', async () => {
    const { exitCode, written } = await collect([]);
    expect({ exitCode, written: Object.keys(written ?? {}) }).toEqual({
      exitCode: 0,
      written: ['win-hcn-WIN-3-20260102T030405Z.zip'],
    });
  });
});

describe('collect with problems', () => {
  test('skips a collector that hangs and exits with 1', async () => {
    const hanging = (script: string) =>
      script.includes('===== ipconfig') ? new Promise<ScriptResult>(() => {}) : powershell(script);
    const { written, ...printed } = await collect(toTemp, { powershell: hanging });
    expect(printed).toMatchObject(
      incomplete({ ipconfig: ['up to 35 s ... failed, 35.0 s', 'timed out after 35 s'] }),
    );
    expect(printed.stdout).toContain('node.zip: 25 files, ');
    expect(readme(written)).toContain('\n\nFAILED\n  ipconfig: timed out after 35 s\n\nNOT FOUND\n');
  });

  test('includes the last complete report of win-hcn probe', async () => {
    const { stdout, written } = await collect(toTemp, {
      files: { ...files, 'E:\\logs\\probe.log': '{"time":"first"}\n{"time":"last"}\n{"time":"cut sho' },
      system: { logFile: 'E:\\logs\\win-hcn.log' },
    });
    expect(stdout).toContain('node.zip: 27 files, ');
    expect(unpacked(written)['probe.json']).toBe('{"time":"last"}\n');
  });

  test('reports errors without secrets, and a PowerShell that prints nothing', async () => {
    const { written } = await collect(toTemp, {
      powershell: (script) => {
        if (script.includes('===== route'))
          return { problem: 'PowerShell failed with exit code 1: token=hunter2' };
        return script.includes('===== ipconfig') ? { stdout: '\r\n' } : powershell(script);
      },
    });
    expect(readme(written)).toContain(
      '\n\nFAILED\n  ipconfig: PowerShell printed nothing\n  routes: PowerShell failed with exit code 1: token=<redacted>\n\nNOT FOUND\n',
    );
  });

  test('collects everything else if HNS is stopped', async () => {
    node.hns.inject({ ordinal: 'every', effect: { hresult: hresultOf('RPC_S_SERVER_UNAVAILABLE') } });
    const { written, ...printed } = await collect(toTemp);
    const reason =
      'HNS is not running. Run Start-Service hns. HcnEnumerateNetworks failed with RPC_S_SERVER_UNAVAILABLE (0x800706ba): ' +
      'The RPC server is unavailable.';
    expect(printed).toMatchObject(
      incomplete({
        networks: ['failed, 0.0 s', reason],
        ...sameReason('networks', 'endpoints', 'namespaces', 'load balancers'),
        ...sameReason('networks', 'ls', 'HNS version', 'HNS documents'),
      }),
    );
    expect(readme(written)).toContain(
      `\n\nFAILED\n  networks: ${reason}\n  endpoints: same reason as networks\n`,
    );
    expect(Object.keys(unpacked(written))).toEqual(['README.txt', ...filesWithoutHns]);
  });

  test('waits only once for an HNS that hangs', async () => {
    node.hns.inject({ ordinal: 'every', effect: { hang: true } });
    const skipped = 'skipped: time limit reached';
    expect(await collect(toTemp)).toMatchObject(
      incomplete({
        networks: [
          'up to 120 s ... failed, 30.0 s',
          `HcnEnumerateNetworks did not respond within 30 s: ${hangs}`,
        ],
        endpoints: ['up to 120 s ... failed, 2.5 s', 'same reason as networks'],
        namespaces: ['up to 120 s ... failed, 2.5 s', 'same reason as networks'],
        'load balancers': ['failed, 0.0 s', skipped],
        ...sameReason('networks', 'ls'),
        ...sameReason('load balancers', 'HNS version', 'HNS documents'),
      }),
    );
  });

  test('queries the other kinds if HNS hangs for one', async () => {
    node.hns.inject({ function: 'HcnEnumerateEndpoints', effect: { hang: true } });
    expect(await collect(toTemp)).toMatchObject(
      incomplete({
        endpoints: [
          'up to 120 s ... failed, 30.0 s',
          `HcnEnumerateEndpoints did not respond within 30 s: ${hangs}`,
        ],
        ...sameReason('endpoints', 'ls'),
      }),
    );
  });

  test('collects the other objects if one cannot be queried', async () => {
    node.hns.inject({
      function: 'HcnQueryEndpointProperties',
      ordinal: 2,
      effect: { hresult: hresultOf('E_ACCESSDENIED') },
    });
    const { written, ...printed } = await collect(toTemp);
    const reason =
      'HcnQueryEndpointProperties f472cb12-5818-55ac-8fd0-70832a4a207f: HCN returned E_ACCESSDENIED (0x80070005): Access is denied. ' +
      'Run as SYSTEM or as an elevated administrator; whoami /groups must show the mandatory level High or System.';
    expect(printed).toMatchObject(incomplete({ endpoints: ['1 file, incomplete, 0.0 s', reason] }));
    const shown: readonly { readonly Name: string }[] = JSON.parse(
      unpacked(written)['hcn/endpoints.json'] ?? '',
    );
    expect(shown.map(({ Name }) => Name)).toEqual([
      `${node.pod.containerId}_l2bridge_eth0`,
      'c0ffee_l2bridge',
      'kproxy_10.244.2.7',
      'by-hand',
    ]);
  });

  test('reports the number of objects skipped at the time limit', async () => {
    node.hns.inject({ function: 'HcnQueryEndpointProperties', ordinal: 2, effect: { hang: true } });
    node.hns.inject({ function: 'HcnOpenEndpoint', ordinal: 3, effect: { hang: true } });
    node.hns.inject({ function: 'HcnOpenEndpoint', ordinal: 4, effect: { hang: true } });
    const skipped = ['failed, 0.0 s', 'skipped: time limit reached'];
    expect(await collect(toTemp)).toMatchObject(
      incomplete({
        endpoints: [
          'up to 120 s ... 1 file, incomplete, 35.0 s',
          `HcnQueryEndpointProperties did not respond within 30 s: ${hangs}`,
          `HcnOpenEndpoint did not respond within 2.5 s: ${hangs}`,
          'skipped 1 of 5: time limit reached',
        ],
        namespaces: skipped,
        ...sameReason('namespaces', 'load balancers', 'ls', 'HNS version', 'HNS documents'),
      }),
    );
  });

  test('contains an invalid response of HCN as a string', async () => {
    node.hns.inject({ function: 'HcnQueryNetworkProperties', effect: { answer: '{"ID"' } });
    const { written, ...printed } = await collect(toTemp);
    const reason = `Network ${network}: HCN returned "{\\"ID\\"", expected JSON`;
    expect(printed).toMatchObject(incomplete({ ls: ['2 files, incomplete, 0.0 s', reason] }));
    expect(unpacked(written)['hcn/networks.json']).toBe('[\n"{\\"ID\\""\n]\n');
  });

  test('reports what is missing, and whether that is a problem', async () => {
    const { written, ...printed } = await collect(toTemp, {
      files: { 'C:\\temp\\notes.txt': '' },
      powershell: () => ({ problem: 'cannot run PowerShell: ENOENT' }),
      system: { logFile: 'C:\\ProgramData\\win-hcn\\logs\\win-hcn.log' },
    });
    expect(printed).toMatchObject(
      incomplete({
        containerd: ['C:\\Program Files\\containerd\\config.toml not found, 0.0 s'],
        'CNI configurations': [
          'failed, 0.0 s',
          'C:\\Program Files\\containerd\\cni\\conf, C:\\etc\\cni\\net.d not found',
        ],
        logs: ['C:\\ProgramData\\win-hcn\\logs\\win-hcn.log not found, 0.0 s'],
        ...sameReason('services', ...scripts),
        services: ['failed, 0.0 s', 'cannot run PowerShell: ENOENT'],
      }),
    );
    expect(readme(written)).toContain(`
NOT FOUND
  containerd: C:\\Program Files\\containerd\\config.toml not found
  logs: C:\\ProgramData\\win-hcn\\logs\\win-hcn.log not found
  probe report: no report

FILES
`);
  });

  test.each([
    ['a missing folder', ['C:\\nowhere\\node.zip'], 'folder C:\\nowhere does not exist'],
    ['an existing file', ['C:\\temp\\OLD.zip'], 'C:\\temp\\OLD.zip already exists: replace it with --force'],
    [
      'a folder',
      ['C:\\temp\\', '--force'],
      'C:\\temp\\ does not end with .zip: name a file, such as C:\\temp\\node.zip',
    ],
    ['an empty name', ['--file', ''], "'' does not end with .zip: name a file, such as node.zip"],
  ])('collects nothing for %s', async (_, words, problem) => {
    const before = node.hns.calls.length;
    expect(await collect(words)).toEqual(
      failure(2, `win-hcn: ${problem}`, `Run 'win-hcn collect --help' for usage.`),
    );
    expect(node.hns.calls).toHaveLength(before);
  });

  test('collects nothing if it may not write to the folder', async () => {
    const checkCreatable = (path: string) => {
      throw fileError('EPERM', `open '${path}'`);
    };
    const before = node.hns.calls.length;
    expect(await collect(toTemp, { checkCreatable })).toEqual(
      failure(
        2,
        'win-hcn: cannot write to folder C:\\temp: permission denied',
        "Run 'win-hcn collect --help' for usage.",
      ),
    );
    expect(node.hns.calls).toHaveLength(before);
  });

  test('replaces an existing file with --force', async () => {
    const { exitCode, written } = await collect(['--file', 'C:\\temp\\old.zip', '--force']);
    expect({ exitCode, written: Object.keys(written ?? {}) }).toEqual({
      exitCode: 0,
      written: ['C:\\temp\\old.zip'],
    });
  });
});

describe('collect as a process', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'win-hcn-collect-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  test('writes only its zip, also without PowerShell', async () => {
    const path = join(folder, 'node.zip');
    const { exitCode, stdout } = await runBundle(node.hns.environment, '', ['collect', path]);
    expect(exitCode).toBe(1);
    expect(stdout).toContain(`${path}: `);
    expect(readdirSync(folder)).toEqual(['node.zip']);
    const networks = JSON.parse(String(readZip(readFileSync(path))['hcn/networks.json']));
    expect(networks).toEqual(node.hns.dump().networks);
  });

  test('leaves no file after Ctrl+C', async () => {
    node.hns.inject({ function: 'HcnEnumerateNetworks', effect: { hang: true } });
    const running = startBundle(node.hns.environment, '', ['collect', join(folder, 'node.zip')]);
    await expect.poll(() => node.hns.calls.length).toBeGreaterThan(0);
    running.interrupt();
    await running.ended;
    expect(readdirSync(folder)).toEqual([]);
  });

  test('leaves no incomplete zip on a full disk', async () => {
    const limited = 'ulimit -f 1; exec "$@"';
    const words = ['build/win-hcn.cjs', 'collect', join(folder, 'node.zip')];
    const env = { PATH: process.env['PATH'], ...node.hns.environment };
    const ended = promisify(execFile)('sh', ['-c', limited, 'sh', process.execPath, ...words], { env });
    await expect(ended).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /\nwin-hcn: cannot write .*node\.zip: the file would be too large\. No file was created/,
      ),
    });
    expect(readdirSync(folder)).toEqual([]);
  });

  test('fails if the zip cannot be written', async () => {
    const path = join(folder, 'taken.zip');
    mkdirSync(path);
    const ended = await runBundle(node.hns.environment, '', ['collect', path, '--force']);
    expect(ended).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: expect.stringMatching(
        /\nwin-hcn: cannot write .*taken\.zip: it is a folder\. No file was created: choose another path with --file\.\n$/,
      ),
    });
  });
});
