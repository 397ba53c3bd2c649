import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { example } from '../e2e/example.ts';
import { startHns } from '../hns/hns.ts';
import { exe, missing, suitePrefix } from './suite.ts';

describe.skipIf(missing !== undefined)('the shipped exe, by hand', () => {
  test('explains an HRESULT', async () => {
    expect(await suitePrefix().run(exe, ['explain', '0x803b002f'])).toEqual({
      exitCode: 0,
      stdout: expect.stringMatching(
        /^HCN_E_ADDR_INVALID_OR_RESERVED {2}HRESULT 0x803b002f \(2151350319, -2143616977\)\n {2}says {6}An address /,
      ),
      stderr: '',
    });
  });

  test('tells its version', async () => {
    expect(await suitePrefix().run(exe, ['--version'])).toEqual({
      exitCode: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
      stderr: '',
    });
  });

  test('runs the plugin as a runtime does', async () => {
    const hns = await startHns();
    // Another file of tests counts the lines of the log that all share.
    const plugins = [example('l2bridge', { logFile: '' })];
    const list = { cniVersion: '1.0.0', name: 'l2bridge', plugins };
    writeFileSync(suitePrefix().hostPath('C:\\net.conflist'), JSON.stringify(list));
    const pod = ['--container', 'pod1', '--netns', hns.createNamespace()];
    const { WIN_HCN_SIMULATED_HNS } = hns.environment;
    const words = ['cni', 'add', '--conf', 'net.conflist', ...pod];
    const { exitCode, stdout, stderr } = await suitePrefix().run(exe, words, {
      env: { WIN_HCN_SIMULATED_HNS },
    });
    const { endpoints } = hns.dump();
    await hns.stop();
    expect({ exitCode, ...JSON.parse(stdout) }).toMatchObject({
      exitCode: 0,
      ips: [{ address: '10.244.1.2/24' }],
    });
    expect(stderr).toMatch(/^ADD succeeded: \d calls in [\d.]+ ms\n/);
    expect(endpoints).toHaveLength(1);
  });

  test('finds what host-local keeps for nobody where host-local keeps it', async () => {
    const hns = await startHns();
    const folder = 'C:\\var\\lib\\cni\\networks';
    mkdirSync(suitePrefix().hostPath(`${folder}\\l2bridge`), { recursive: true });
    const file = `${folder}\\l2bridge\\fd00_10_244__9`;
    writeFileSync(suitePrefix().hostPath(file), 'longgone\r\neth0');
    writeFileSync(suitePrefix().hostPath(`${folder}\\l2bridge\\lock`), '');
    const { WIN_HCN_SIMULATED_HNS } = hns.environment;
    const answer = await suitePrefix().run(exe, ['gc', '-o', 'yaml'], { env: { WIN_HCN_SIMULATED_HNS } });
    await hns.stop();
    rmSync(suitePrefix().hostPath(folder), { recursive: true });
    expect(answer).toEqual({
      exitCode: 1,
      stdout: [
        'endpoints: []',
        'reservations:',
        '  - network: l2bridge',
        '    address: fd00:10:244::9',
        '    container: longgone',
        '    interface: eth0',
        `    file: ${file}`,
        '    stale: its container has no endpoint and no namespace',
        `    command: Remove-Item -LiteralPath '${file}'`,
        '    outcome: left',
        '',
      ].join('\n'),
      stderr: '',
    });
  });

  test('ends with 3 though a call to HCN hangs', async () => {
    const hns = await startHns();
    hns.inject({ function: 'HcnEnumerateNetworks', effect: { hang: true } });
    const { WIN_HCN_SIMULATED_HNS } = hns.environment;
    const words = ['__complete', '=', 'show', 'network'];
    const ended = await suitePrefix().run(exe, words, { env: { WIN_HCN_SIMULATED_HNS } });
    await hns.stop();
    expect(ended).toEqual({ exitCode: 3, stdout: '', stderr: '' });
  });

  test('ends with 2 for a command it does not have', async () => {
    const { exitCode, stdout, stderr } = await suitePrefix().run(exe, ['explode']);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain("win-hcn: unknown command 'explode'\n");
  });
});
