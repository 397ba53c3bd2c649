import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { startHns } from '../simulator/hns.ts';
import { missing, suitePrefix } from './suite.ts';

const [bin, conf, source] = ['C:\\removal\\bin', 'C:\\removal\\conf', 'C:\\removal\\source'];
const conflist = {
  cniVersion: '1.0.0',
  name: 'removal',
  plugins: [{ type: 'win-hcn', networkType: 'NAT', subnets: [{ subnet: '10.9.0.0/24' }], logFile: '' }],
};

describe.skipIf(missing !== undefined)('uninstall by the installed exe', () => {
  afterAll(() => rmSync(suitePrefix().hostPath('C:\\removal'), { recursive: true, force: true }));

  test('renames what Windows does not delete while it runs, and the next one deletes that', async () => {
    const hns = await startHns();
    const { WIN_HCN_SIMULATED_HNS } = hns.environment;
    const prefix = suitePrefix();
    const copy = prefix.install('dist/win-hcn.exe', source);
    writeFileSync(prefix.hostPath(`${source}\\10-removal.conflist`), JSON.stringify(conflist));
    const run = (exe: string, words: string) =>
      prefix.run(exe, [...words.split(' '), '--bin-dir', bin, '--conf-dir', conf], {
        env: { WIN_HCN_SIMULATED_HNS, ProgramData: 'C:\\ProgramData', SystemRoot: 'C:\\windows' },
        folder: source,
      });
    const installed = await run(copy, 'install --conf 10-removal.conflist --yes');
    const removed = await run(`${bin}\\win-hcn.exe`, 'uninstall --yes');
    const left = readdirSync(prefix.hostPath(bin));
    const again = await run(copy, 'uninstall --yes');
    await hns.stop();
    expect([installed, removed, again].map(({ exitCode }) => exitCode)).toEqual([0, 0, 0]);
    expect(removed.stdout).toMatch(
      /\nC:\\removal\\bin\\win-hcn\.exe is running and was renamed to win-hcn\.exe\.old-[0-9a-f-]+\. Delete it later, or run this command again\.\n/,
    );
    expect(left).not.toContain('win-hcn.exe');
    expect([bin, conf].map((folder) => readdirSync(prefix.hostPath(folder)))).toEqual([
      [],
      ['10-removal.conflist.win-hcn-removed'],
    ]);
  });
});
