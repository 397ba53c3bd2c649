import { readFileSync, rmSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { type Hns, startHns } from '../simulator/hns.ts';
import { exe, missing, suitePrefix } from './suite.ts';

const readme = readFileSync('README.md', 'utf8');

/** The commands of the section "One node". */
function commands(): readonly string[] {
  const text = readme.split(/^### /m).find((one) => one.startsWith('One node\n')) ?? '';
  return [...text.matchAll(/^```powershell\n(.*?)^```$/gms)].flatMap(([, block = '']) =>
    block.trimEnd().split('\n'),
  );
}

const unpacked = 'C:\\Program Files\\win-hcn';

describe.skipIf(missing !== undefined)('README, on a node without containerd', () => {
  afterAll(() => {
    for (const folder of [unpacked, 'C:\\etc'])
      rmSync(suitePrefix().hostPath(folder), { recursive: true, force: true });
  });

  /** Runs a line of README; undefined for a line that is not of win-hcn. */
  async function run(line: string, hns: Hns) {
    const [, words] = /^\.\\win-hcn\.exe (.*)$/.exec(line) ?? [];
    if (words === undefined) return undefined;
    const { WIN_HCN_SIMULATED_HNS } = hns.environment;
    // Wine has no PowerShell, which finds these folders.
    const folders = words.startsWith('install')
      ? ['--bin-dir', 'C:\\opt\\cni\\bin', '--conf-dir', 'C:\\etc\\cni\\net.d']
      : [];
    return suitePrefix().run(`${unpacked}\\win-hcn.exe`, [...words.split(' '), ...folders], {
      env: { WIN_HCN_SIMULATED_HNS, ProgramData: 'C:\\ProgramData', SystemRoot: 'C:\\windows' },
      folder: unpacked,
    });
  }

  test('generates a conflist and installs win-hcn, with which a pod gets its network', async () => {
    const hns = await startHns();
    const prefix = suitePrefix();
    prefix.install('dist/win-hcn.exe', unpacked);
    const ended: string[] = [];
    for (const line of commands()) {
      const [program, command] = line.split(' ');
      const result = await run(line, hns);
      ended.push(result === undefined ? `${program}` : `${command} ${result.exitCode}`);
    }
    expect(ended).toEqual(['Expand-Archive', 'cd', 'doctor 0', 'config 0', 'config 0', 'install 0']);

    const installed = readFileSync(prefix.hostPath('C:\\etc\\cni\\net.d\\10-win-hcn.conflist'), 'utf8');
    const { plugins, ...list } = JSON.parse(installed);
    // Wine lacks functions of the IP Helper that a host endpoint needs, and reports the adapters of this machine.
    const { hostEndpoint: _, ...plugin } = plugins[0];
    const { WIN_HCN_SIMULATED_HNS } = hns.environment;
    const { exitCode, stdout } = await prefix.run(exe, [], {
      env: {
        WIN_HCN_SIMULATED_HNS,
        CNI_COMMAND: 'ADD',
        CNI_CONTAINERID: 'pod1',
        CNI_NETNS: hns.createNamespace(),
        CNI_IFNAME: 'eth0',
        CNI_PATH: 'C:\\opt\\cni\\bin',
      },
      stdin: JSON.stringify({ ...list, ...plugin, adapter: 'Ethernet' }),
    });
    const { endpoints } = hns.dump();
    await hns.stop();
    expect({ exitCode, ...JSON.parse(stdout) }).toMatchObject({
      exitCode: 0,
      interfaces: [{ name: 'eth0' }],
      ips: [{ address: expect.stringMatching(/^10\.244\.1\.\d+\/24$/) }],
    });
    expect(endpoints.map(({ Name }) => Name).toSorted()).toEqual(['pod1_l2bridge_eth0']);
  });
});
