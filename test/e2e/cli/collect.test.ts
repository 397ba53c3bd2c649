import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ScriptResult } from '../../../src/cli/terminal/run-program.ts';
import { hresultOf } from '../../../src/hcn/hresults.ts';
import { runBundle, startBundle } from '../process.ts';
import { type InventoryNode, startInventoryNode } from './inventory-node.ts';
import { readZip } from './read-zip.ts';
import { type CliEnvironment, failure, runCli } from './run-cli.ts';

let node: InventoryNode;
beforeEach(async () => {
  node = await startInventoryNode();
});
afterEach(() => node.stop());

const containerdToml = `version = 2
[plugins."io.containerd.grpc.v1.cri".cni]
conf_dir = 'C:\\etc\\cni\\net.d'
`;

const files = {
  'C:\\temp\\old.zip': '',
  'C:\\Program Files\\containerd\\config.toml': containerdToml,
  'C:\\etc\\cni\\net.d\\10-win-hcn.conflist': JSON.stringify({
    name: 'l2bridge',
    plugins: [{ type: 'win-hcn', logFile: 'D:\\logs\\cni.log', password: 'hunter2' }],
  }),
  'C:\\etc\\cni\\net.d\\calico-kubeconfig': 'token: hunter2',
  'D:\\logs\\cni-20260101T000000000Z.log': '{"request":"a1","event":"answer","code":0}\n',
  'D:\\logs\\cni.log': '{"request":"a2","event":"answer","code":7}\n',
  'D:\\logs\\cni-other.log': 'not ours',
};

/** PowerShell on a node without a containerd service. */
function powershell(script: string): ScriptResult {
  if (script.includes('===== ipconfig'))
    return { stdout: '===== ipconfig.exe /all\r\nWindows IP Configuration   \r\n' };
  return { stdout: script.includes('=====') ? '===== ...\r\n' : '' };
}

/** Runs `collect` on node WIN-3 at a fixed time. */
function collect(words: readonly string[], surroundings: CliEnvironment = {}) {
  return runCli(['collect', ...words], {
    files,
    powershell,
    environment: { COMPUTERNAME: 'WIN-3' },
    ...surroundings,
    system: { ...node.outside, clock: () => new Date('2026-01-02T03:04:05.678Z'), ...surroundings.system },
  });
}

const toTemp = ['C:\\temp\\node.zip'];
const parts = {
  doctor: '1 file',
  'HCN objects': '2 files',
  'HNS documents': '5 files',
  configurations: '1 file',
  logs: '2 files',
  windows: '1 file',
  network: '1 file',
  events: '1 file',
  vfp: '1 file',
};

/** The progress on stderr; `different` replaces what some parts print. */
function progress(different: Readonly<Partial<typeof parts>> = {}): string {
  const lines = Object.entries({ ...parts, ...different });
  return lines.map(([name, text], index) => `[${index + 1}/${lines.length}] ${name} ... ${text}\n`).join('');
}

/** The files of the only zip written, as text. */
function unpacked(
  written: Readonly<Record<string, Uint8Array>> | undefined,
): Readonly<Record<string, string>> {
  const [bytes, ...others] = Object.values(written ?? {});
  if (bytes === undefined || others.length > 0) throw new Error('not one file was written');
  return Object.fromEntries(Object.entries(readZip(bytes)).map(([path, content]) => [path, String(content)]));
}

describe('collect', () => {
  test('writes one zip, and prints its path and progress', async () => {
    const { written, ...printed } = await collect(toTemp);
    expect(printed).toEqual({
      exitCode: 0,
      stdout: 'C:\\temp\\node.zip: 16 files, 1 value omitted\n',
      stderr: progress(),
    });
    expect(Object.keys(written ?? {})).toEqual(toTemp);
    const { 'README.txt': readme, ...others } = unpacked(written);
    expect(Object.keys(others)).toEqual([
      'doctor.txt',
      'ls.txt',
      'hcn.json',
      ...['version', 'networks', 'endpoints', 'namespaces', 'policylists'].map((name) => `hns/${name}.json`),
      'cni/10-win-hcn.conflist',
      'logs/cni-20260101T000000000Z.log',
      'logs/cni.log',
      ...['windows', 'network', 'events', 'vfp'].map((name) => `windows/${name}.txt`),
    ]);
    expect(
      readme,
    ).toBe(`Support bundle of win-hcn from its sources, created by win-hcn collect. Code cache: none.
Computer WIN-3, 2026-01-02T03:04:05.678Z.
Start with doctor.txt and ls.txt.

1 value omitted: configurations, documents and logs contain only values whose names win-hcn knows to be harmless,
and <omitted> for the others. Events are without their texts.
The files contain addresses and the names of networks, pods, containers and this computer.
`);
  });

  test('contains objects of HCN and HNS, and the output of ls, doctor and Windows', async () => {
    const bundle = unpacked((await collect(toTemp)).written);
    const { networks, endpoints, loadBalancers } = node.hns.dump();
    const namesIn = (objects: readonly { readonly Name?: unknown }[]) => objects.map(({ Name }) => Name);
    const hcn = JSON.parse(bundle['hcn.json'] ?? '');
    expect(namesIn(hcn.networks)).toEqual(namesIn(networks));
    expect(namesIn(hcn.endpoints)).toEqual(namesIn(endpoints));
    expect([hcn.namespaces.length, hcn.loadBalancers.length]).toEqual([2, loadBalancers.length]);
    expect(JSON.parse(bundle['hns/networks.json'] ?? '').Output[0].ManagementIP).toBe('10.0.0.4');
    for (const kind of ['networks', 'pods', 'endpoints', 'namespaces', 'services']) {
      const { stdout } = await runCli(['ls', kind, '--remote', '-o', 'wide'], { system: node.outside });
      expect(bundle['ls.txt']).toContain(stdout.trimEnd());
    }
    expect(JSON.parse(bundle['hns/version.json'] ?? '').Output).toEqual({ Major: 15, Minor: 5 });
    expect(bundle['doctor.txt']).toMatch(/^\d+ failed, \d+ warnings?, \d+ unknown, \d+ passed\n\n/);
    expect(bundle['windows/network.txt']).toBe('===== ipconfig.exe /all\nWindows IP Configuration\n');
    expect(bundle['logs/cni.log']).toBe('{"request":"a2","event":"answer","code":7}\n');
  });

  test('names the zip after the computer and the time by default', async () => {
    expect(Object.keys((await collect([])).written ?? {})).toEqual(['win-hcn-WIN-3-20260102T030405Z.zip']);
  });
});

describe('collect with problems', () => {
  test('skips a part that hangs, and reports a PowerShell that prints nothing', async () => {
    const { written, ...printed } = await collect(toTemp, {
      powershell: (script) => {
        if (script.includes('===== ipconfig')) return new Promise<ScriptResult>(() => {});
        return script.includes('===== Rules') ? { stdout: '\r\n' } : powershell(script);
      },
    });
    const network = '0 files; timed out after 65 s';
    const vfp = '0 files; PowerShell printed nothing';
    expect(printed).toMatchObject({ exitCode: 1, stderr: progress({ network, vfp }) });
    expect(unpacked(written)['README.txt']).toContain(
      '\n\nMISSING\n  network: timed out after 65 s\n  vfp: PowerShell printed nothing\n',
    );
  });

  test('collects everything else if HNS is stopped', async () => {
    node.hns.inject({ ordinal: 'every', effect: { hresult: hresultOf('RPC_S_SERVER_UNAVAILABLE') } });
    const { written, ...printed } = await collect(toTemp);
    expect(printed).toMatchObject({
      exitCode: 1,
      stderr: progress({
        'HCN objects':
          '0 files; HNS is not running. Run Start-Service hns. Listing networks failed with RPC_S_SERVER_UNAVAILABLE (0x800706ba): The RPC server is unavailable.',
        'HNS documents': '0 files; the Host Network Service does not respond',
      }),
    });
    expect(Object.keys(unpacked(written))).toContain('doctor.txt');
  });

  test('reports each document and configuration that is missing', async () => {
    node.hns.inject({ function: 'HNSCall', ordinal: 3, effect: { hresult: hresultOf('E_FAIL') } });
    node.hns.inject({ function: 'HcnQueryNetworkProperties', effect: { answer: '{}' } });
    const { stderr } = await collect(toTemp, {
      files: { ...files, 'C:\\etc\\cni\\net.d\\20.conf': 'token' },
      system: { logFile: '' },
    });
    const lines = stderr.split('\n').map((line) => line.replace(/^.*\] /, ''));
    expect(lines.slice(1, 5)).toEqual([
      expect.stringMatching(/^HCN objects \.\.\. 2 files; win-hcn: left out: querying network /),
      expect.stringMatching(/^HNS documents \.\.\. 4 files; HNSCall GET \/networks: HCN returned E_FAIL /),
      'configurations ... 1 file; C:\\etc\\cni\\net.d\\20.conf is not JSON: see doctor.txt',
      'logs ... 2 files',
    ]);
  });

  test.each([
    ['a missing folder', ['C:\\nowhere\\node.zip'], 'folder C:\\nowhere does not exist'],
    ['an existing file', ['C:\\temp\\OLD.zip'], 'C:\\temp\\OLD.zip already exists: replace it with --force'],
    ['an empty name', [''], "'' does not end with .zip: name a file, such as node.zip"],
  ])('collects nothing for %s', async (_, words, problem) => {
    const before = node.hns.calls.length;
    expect(await collect(words)).toEqual(
      failure(2, `win-hcn: ${problem}`, "Run 'win-hcn collect --help' for usage."),
    );
    expect(node.hns.calls).toHaveLength(before);
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
    const { networks } = JSON.parse(String(readZip(readFileSync(path))['hcn.json']));
    expect(networks).toMatchObject([{ Name: 'l2bridge', Type: 'L2Bridge' }]);
  });

  test('leaves no file after Ctrl+C', async () => {
    node.hns.inject({ function: 'HcnEnumerateNetworks', effect: { hang: true } });
    const running = startBundle(node.hns.environment, '', ['collect', join(folder, 'node.zip')]);
    await expect.poll(() => node.hns.calls.length).toBeGreaterThan(0);
    running.interrupt();
    await running.ended;
    expect(readdirSync(folder)).toEqual([]);
  });

  test('fails if the zip cannot be written', async () => {
    const path = join(folder, 'taken.zip');
    mkdirSync(path);
    const ended = await runBundle(node.hns.environment, '', ['collect', path, '--force']);
    expect([ended.exitCode, ended.stdout]).toEqual([1, '']);
    expect(ended.stderr).toMatch(
      /taken\.zip: it is a folder\. No file was created: choose another path\.\n$/,
    );
  });
});
