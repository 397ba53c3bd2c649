import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Run } from '../../packaging/wine/prefix.ts';
import { readZip } from '../e2e/cli/read-zip.ts';
import { example } from '../e2e/example.ts';
import { type Hns, startHns } from '../simulator/hns.ts';
import { exe, missing, suitePrefix } from './suite.ts';

describe.skipIf(missing !== undefined)('the command line of the shipped exe', () => {
  test('runs the plugin like a runtime', async () => {
    const hns = await startHns();
    // All test files share the log, and one of them counts its lines.
    const plugins = [example('l2bridge', { logFile: '' })];
    const list = { cniVersion: '1.0.0', name: 'l2bridge', plugins };
    writeFileSync(suitePrefix().hostPath('C:\\net.conflist'), JSON.stringify(list));
    const pod = ['--container', 'pod1', '--netns', hns.createNamespace()];
    const { WIN_HCN_SIMULATED_HNS } = hns.environment;
    const words = ['debug', 'cni', 'add', '--conf', 'net.conflist', ...pod];
    const { exitCode, stdout, stderr } = await suitePrefix().run(exe, words, {
      env: { WIN_HCN_SIMULATED_HNS },
    });
    const { endpoints } = hns.dump();
    await hns.stop();
    expect({ exitCode, ...JSON.parse(stdout) }).toMatchObject({
      exitCode: 0,
      ips: [{ address: '10.244.1.2/24' }],
    });
    expect(stderr).toMatch(/^ADD succeeded: 11 calls in [\d.]+ ms\n/);
    expect(endpoints).toHaveLength(1);
  });

  test('creates a network, and deletes it only with --yes', async () => {
    const hns = await startHns();
    writeConf({});
    const ensured = await run(hns, ['network', 'ensure', 'net.conf', '--yes']);
    const planned = await run(hns, ['network', 'delete', 'net.conf']);
    const before = hns.dump().networks.length;
    const deleted = await run(hns, ['network', 'delete', 'net.conf', '--yes']);
    const after = hns.dump().networks.length;
    await hns.stop();
    const codes = [ensured, planned, deleted].map(({ exitCode }) => exitCode);
    expect({ codes, before, after }).toEqual({ codes: [0, 1, 0], before: 1, after: 0 });
    expect(ensured.stdout).toMatch(/\nnetwork "l2bridge" [-0-9a-f]{36} \(L2Bridge, .+\) was created\n/);
    expect(planned.stdout).toContain('--yes');
  });
});

describe.skipIf(missing !== undefined)('the command line of the shipped exe, with two pods,', () => {
  let hns: Hns;
  beforeAll(async () => {
    hns = await startHns();
    const acls = [{ action: 'Block', direction: 'Out', remoteAddresses: ['10.9.0.0/16'], priority: 200 }];
    writeConf({ acls, defaultAction: 'Allow' });
    for (const pod of ['pod1', 'pod2']) {
      const words = ['debug', 'cni', 'add', '--conf', 'net.conf', '--container', pod];
      const { exitCode, stderr } = await run(hns, [...words, '--netns', hns.createNamespace()]);
      if (exitCode !== 0) throw new Error(`${pod} could not be added: ${stderr}`);
    }
  });
  afterAll(() => hns.stop());

  test('creates a support bundle without PowerShell', async () => {
    // The log of other test files of this worker, from which a value may be redacted.
    rmSync(suitePrefix().hostPath('C:\\ProgramData\\win-hcn'), { recursive: true, force: true });
    const path = 'C:\\node.zip';
    const { exitCode, stdout } = await run(hns, ['collect', path]);
    const files = readZip(take(path));
    expect({ exitCode, stdout }).toEqual({
      exitCode: 1,
      stdout: expect.stringMatching(/^C:\\node\.zip: \d+ files, \d+ values omitted\n$/),
    });
    expect(Object.keys(files)).toContain('README.txt');
  });
});

function writeConf(changes: object): void {
  // All test files share the log, and one of them counts its lines.
  const config = example('l2bridge', { logFile: '', ...changes });
  writeFileSync(suitePrefix().hostPath('C:\\net.conf'), JSON.stringify(config));
}

function run({ environment: { WIN_HCN_SIMULATED_HNS } }: Hns, words: readonly string[]): Promise<Run> {
  return suitePrefix().run(exe, words, { env: { WIN_HCN_SIMULATED_HNS } });
}

/** Reads and removes a file on drive C. */
function take(path: string): Buffer {
  const file = suitePrefix().hostPath(path);
  const bytes = readFileSync(file);
  rmSync(file);
  return bytes;
}
