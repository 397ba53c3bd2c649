import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readZip } from '../e2e/cli/read-zip.ts';
import { example } from '../e2e/example.ts';
import { startHns } from '../simulator/hns.ts';
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

  test('creates a support bundle without PowerShell', async () => {
    // The log of other test files of this worker, from which a value may be redacted.
    rmSync(suitePrefix().hostPath('C:\\ProgramData\\win-hcn'), { recursive: true, force: true });
    const path = 'C:\\node.zip';
    const hns = await startHns();
    const { WIN_HCN_SIMULATED_HNS } = hns.environment;
    const { exitCode, stdout } = await suitePrefix().run(exe, ['collect', path], {
      env: { WIN_HCN_SIMULATED_HNS },
    });
    await hns.stop();
    const files = readZip(take(path));
    expect({ exitCode, stdout }).toEqual({
      exitCode: 1,
      stdout: expect.stringMatching(/^C:\\node\.zip: \d+ files, \d+ values omitted\n$/),
    });
    expect(Object.keys(files)).toContain('README.txt');
  });
});

/** Reads and removes a file on drive C. */
function take(path: string): Buffer {
  const file = suitePrefix().hostPath(path);
  const bytes = readFileSync(file);
  rmSync(file);
  return bytes;
}
