import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ScriptResult } from '../../../src/cli/terminal/run-program.ts';
import { hresultOf } from '../../../src/hcn/hresults.ts';
import { runBundle, startBundle } from '../process.ts';
import { type InventoryNode, startInventoryNode } from './inventory-node.ts';
import { readZip } from './read-zip.ts';
import { type CliEnvironment, failure, fileError, runCli } from './run-cli.ts';

let node: InventoryNode;
beforeEach(async () => {
  node = await startInventoryNode();
});
afterEach(() => node.stop());

const files = {
  'C:\\temp\\old.zip': '',
  'C:\\Program Files\\containerd\\config.toml': 'version = 2\n',
  'C:\\etc\\cni\\net.d\\10-win-hcn.conflist': JSON.stringify({
    name: 'l2bridge',
    plugins: [
      { type: 'win-hcn', logFile: 'D:\\logs\\cni.log', password: 'hunter2' },
      { type: 'win-hcn', logFile: 'd:/logs/cni.log' },
    ],
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
  if (script.includes('drivers =')) return { stdout: '{"services": [], "processes": []}' };
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
const scripts = ['windows', 'network', 'interfaces', 'events', 'vfp'];
const usual: Readonly<Record<string, string>> = {
  'HCN objects': '2 files',
  'HNS documents': '5 files',
  containerd: '1 file',
  'CNI configurations': '2 files',
  logs: '2 files',
  doctor: '1 file',
  ...Object.fromEntries(['services', ...scripts].map((name) => [name, '1 file'])),
};

/** The progress on stderr; `different` replaces what some collectors print. */
function progress(different: Readonly<Record<string, readonly string[]>> = {}): string {
  const names = Object.keys(usual);
  return names
    .flatMap((name, index) => {
      const [first = `${usual[name]}, 0.0 s`, ...problems] = different[name] ?? [];
      return [
        `[${index + 1}/${names.length}] ${name} ... ${first}`,
        ...problems.map((line) => `    ${line}`),
      ];
    })
    .map((line) => `${line}\n`)
    .join('');
}

/** The exit code and stderr if some collectors fail. */
function incomplete(different: Readonly<Record<string, readonly string[]>>) {
  const failed = Object.keys(usual).filter((name) => /failed|incomplete/.test(different[name]?.[0] ?? ''));
  const summary = `Incomplete: ${failed.join(', ')}. See README.txt in the zip for the reasons.\n`;
  return { exitCode: 1, stderr: `${progress(different)}${summary}` };
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
  test('writes one zip, prints its path and progress, and describes the files in README.txt', async () => {
    const { written, ...printed } = await collect(toTemp);
    expect(printed).toEqual({
      exitCode: 0,
      stdout: 'C:\\temp\\node.zip: 20 files, 1 value omitted\n',
      stderr: progress(),
    });
    expect(Object.keys(written ?? {})).toEqual(toTemp);
    const { 'README.txt': readme = '', ...others } = unpacked(written);
    const listed = readme.slice(readme.indexOf('\nFILES\n')).matchAll(/^ {4}(\S.*)$/gm);
    expect([...listed].map(([, path]) => path)).toEqual(Object.keys(others));
    expect(
      readme,
    ).toBe(`Support bundle of win-hcn from its sources, created by win-hcn collect. Code cache: none.
Computer WIN-3, 2026-01-02T03:04:05.678Z.
Start with doctor.txt and ls.txt.

OMITTED
  1 value of configurations, documents and logs: they contain only values whose names win-hcn knows to be
  harmless, and <omitted> for the others. Of command lines they contain known options, of events no texts.
  The files contain addresses and the names of networks, pods, containers and this computer.

FILES
  the objects of HCN as win-hcn reads them, and the output of win-hcn ls --remote -o wide
    hcn.json
    ls.txt
  the version of the Host Network Service, and its older documents, with members that HCN's lack
    hns/version.json
    hns/networks.json
    hns/endpoints.json
    hns/namespaces.json
    hns/policylists.json
  what win-hcn reads of containerd's configuration
    containerd.json
  CNI configurations, and the names of all files in their folders; others may be kubeconfigs
    cni-folders.txt
    files/C/etc/cni/net.d/10-win-hcn.conflist
  win-hcn's log, current and rotated
    files/D/logs/cni-20260101T000000000Z.log
    files/D/logs/cni.log
  the output of win-hcn doctor
    doctor.txt
  services and processes of networking and Kubernetes with known options, and drivers of the virtual switch
    windows/services.json
  the Windows version, updates, versions of networking files, and numbers in the settings of HNS
    windows/windows.txt
  ipconfig /all, route print, and dynamic and excluded port ranges
    windows/network.txt
  network adapters, IP interfaces with MTU and forwarding, addresses, routes, and virtual switches
    windows/interfaces.txt
  events of the last 24 hours from HNS, the virtual switch, and services of networking and Kubernetes, without their texts
    windows/events.txt
  the ports of the virtual switch, and their VFP rules
    windows/vfp.txt
`);
  });

  test('contains objects of HCN and HNS, the output of ls, doctor and Windows, and names of files', async () => {
    const bundle = unpacked((await collect(toTemp)).written);
    const { networks, endpoints, loadBalancers } = node.hns.dump();
    const namesIn = (objects: readonly { readonly Name?: unknown }[]) => objects.map(({ Name }) => Name);
    const hcn = JSON.parse(bundle['hcn.json'] ?? '');
    expect(namesIn(hcn.networks)).toEqual(namesIn(networks));
    expect(namesIn(hcn.endpoints)).toEqual(namesIn(endpoints));
    expect([hcn.namespaces.length, hcn.loadBalancers.length]).toEqual([2, loadBalancers.length]);
    expect(JSON.parse(bundle['hns/networks.json'] ?? '').Output[0].ManagementIP).toBe('10.0.0.4');
    expect(bundle['ls.txt']).toBe(
      (await runCli(['ls', '--remote', '-o', 'wide'], { system: node.outside })).stdout,
    );
    expect(JSON.parse(bundle['hns/version.json'] ?? '').Output).toEqual({ Major: 15, Minor: 5 });
    expect(bundle['doctor.txt']).toMatch(/^\d+ failed, \d+ warnings?, \d+ unknown, \d+ passed\n\n/);
    expect(bundle['windows/network.txt']).toBe('===== ipconfig.exe /all\nWindows IP Configuration\n');
    expect(bundle['cni-folders.txt']).toBe(
      'C:\\etc\\cni\\net.d\n  10-win-hcn.conflist\n  calico-kubeconfig\n',
    );
    expect(bundle['files/D/logs/cni.log']).toBe('{"request":"a2","event":"answer","code":7}\n');
  });

  test('names the zip after the computer and the time by default', async () => {
    expect(Object.keys((await collect([])).written ?? {})).toEqual(['win-hcn-WIN-3-20260102T030405Z.zip']);
  });
});

describe('collect with problems', () => {
  test('skips a collector that hangs, and reports a PowerShell that prints nothing or no JSON', async () => {
    const { written, ...printed } = await collect(toTemp, {
      powershell: (script) => {
        if (script.includes('===== ipconfig')) return new Promise<ScriptResult>(() => {});
        if (script.includes('drivers =')) return { stdout: 'no' };
        return script.includes('===== Ports') ? { stdout: '\r\n' } : powershell(script);
      },
    });
    expect(printed).toMatchObject(
      incomplete({
        services: ['failed, 0.0 s', 'PowerShell printed no JSON object'],
        network: ['failed, 65.0 s', 'timed out after 65 s'],
        vfp: ['failed, 0.0 s', 'PowerShell printed nothing'],
      }),
    );
    expect(unpacked(written)['README.txt']).toContain(
      '\n\nFAILED\n  services: PowerShell printed no JSON object\n  network: timed out after 65 s\n',
    );
  });

  test('collects everything else if HNS is stopped', async () => {
    node.hns.inject({ ordinal: 'every', effect: { hresult: hresultOf('RPC_S_SERVER_UNAVAILABLE') } });
    const { written, ...printed } = await collect(toTemp);
    const reason = (call: string) =>
      `HNS is not running. Run Start-Service hns. ${call} failed with RPC_S_SERVER_UNAVAILABLE (0x800706ba): ` +
      'The RPC server is unavailable.';
    const paths = ['globals/version', 'networks', 'endpoints', 'namespaces', 'policylists'];
    expect(printed).toMatchObject(
      incomplete({
        'HCN objects': ['failed, 0.0 s', reason('Listing networks')],
        'HNS documents': ['failed, 0.0 s', ...paths.map((path) => reason(`HNSCall GET /${path}`))],
      }),
    );
    expect(Object.keys(unpacked(written))).toContain('doctor.txt');
  });

  test('waits only once for an HNS that hangs', async () => {
    node.hns.inject({ ordinal: 'every', effect: { hang: true } });
    const { stderr, exitCode } = await collect(toTemp);
    expect(exitCode).toBe(1);
    const durations = stderr.match(/\d+\.\d(?= s$)/gm);
    expect(durations?.slice(0, 6)).toEqual(['30.0', '5.0', '0.0', '0.0', '0.0', '0.0']);
  });

  test('reports what is missing, and whether that is a problem', async () => {
    const { written, ...printed } = await collect(toTemp, {
      files: { 'C:\\temp\\notes.txt': '' },
      powershell: () => ({ problem: 'cannot run PowerShell: ENOENT' }),
      system: { logFile: 'C:\\ProgramData\\win-hcn\\logs\\win-hcn.log' },
    });
    const failed = ['failed, 0.0 s', 'cannot run PowerShell: ENOENT'];
    expect(printed).toMatchObject(
      incomplete({
        containerd: ['C:\\Program Files\\containerd\\config.toml not found, 0.0 s'],
        'CNI configurations': [
          'failed, 0.0 s',
          'C:\\Program Files\\containerd\\cni\\conf, C:\\etc\\cni\\net.d not found',
        ],
        logs: ['C:\\ProgramData\\win-hcn\\logs\\win-hcn.log not found, 0.0 s'],
        ...Object.fromEntries(['services', ...scripts].map((name) => [name, failed])),
      }),
    );
    expect(unpacked(written)['README.txt']).toContain(
      '\nNOT FOUND\n  containerd: C:\\Program Files\\containerd\\config.toml not found\n  logs: ',
    );
  });

  const mayNotWrite = (path: string): void => {
    throw fileError('EPERM', `open '${path}'`);
  };
  test.each([
    ['a missing folder', ['C:\\nowhere\\node.zip'], 'folder C:\\nowhere does not exist'],
    ['an existing file', ['C:\\temp\\OLD.zip'], 'C:\\temp\\OLD.zip already exists: replace it with --force'],
    ['an empty name', [''], "'' does not end with .zip: name a file, such as node.zip"],
    ['a protected folder', toTemp, 'cannot write to folder C:\\temp: permission denied', mayNotWrite],
  ])('collects nothing for %s', async (_, words, problem, checkCreatable = () => {}) => {
    const before = node.hns.calls.length;
    expect(await collect(words, { checkCreatable })).toEqual(
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
