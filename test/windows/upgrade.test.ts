import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { example } from '../e2e/example.ts';
import { withVersion } from '../e2e/other-version.ts';
import { type RunPlugin, startTraffic } from '../e2e/traffic.ts';
import { type Hns, startHns } from '../simulator/hns.ts';
import { exe, missing, suitePrefix } from './suite.ts';

/** An even number: the last one installs the older version. */
const upgrades = 16;
const current = String(JSON.parse(readFileSync('package.json', 'utf8')).version);
const [older, newer] = [current, current.replace(/\d$/, '9')];
const folder = 'C:\\opt\\upgrade\\bin';
const installed = `${folder}\\win-hcn.exe`;
const source = (version: string) => `C:\\opt\\upgrade\\${version}\\win-hcn.exe`;

describe.skipIf(missing !== undefined)('the shipped exe, upgraded amid requests', () => {
  let hns: Hns;
  const hostPath = (path: string) => suitePrefix().hostPath(path);
  const upgrade = (program: string, ...words: readonly string[]) =>
    suitePrefix().run(program, ['upgrade', ...words, '--bin-dir', folder, '--yes']);

  beforeAll(async () => {
    hns = await startHns();
    rmSync(hostPath('C:\\opt\\upgrade'), { recursive: true, force: true });
    suitePrefix().install(hostPath(exe), folder);
    suitePrefix().install(hostPath(exe), `C:\\opt\\upgrade\\${older}`);
    mkdirSync(hostPath(`C:\\opt\\upgrade\\${newer}`));
    writeFileSync(hostPath(source(newer)), withVersion(readFileSync(hostPath(exe)), older, newer));
  });
  afterAll(async () => {
    rmSync(hostPath('C:\\opt\\upgrade'), { recursive: true, force: true });
    await hns.stop();
  });

  /** Wine prints why it cannot start a program; win-hcn prints only JSON on stdout. */
  const runPlugin: RunPlugin = async (environment, stdin) => {
    const { WIN_HCN_SIMULATED_HNS } = hns.environment;
    const env = { WIN_HCN_SIMULATED_HNS, CNI_PATH: folder, ...environment };
    const ended = await suitePrefix().run(installed, [], { env, stdin });
    return ended.exitCode !== 0 && ended.stdout === '' && /^wine: /m.test(ended.stderr) ? 'missing' : ended;
  };

  test(`${upgrades} upgrades fail only requests that start while the exe is being renamed`, async () => {
    const config = example('l2bridge', { cniVersion: '1.1.0', logFile: '' });
    const traffic = startTraffic(hns, config, { sandboxes: 2, pauseMs: 600 }, runPlugin);
    for (let count = 0; count < upgrades; count += 1) {
      const version = count % 2 === 0 ? newer : older;
      const ended = await upgrade(source(version));
      expect(ended).toMatchObject({ exitCode: 0, stderr: '' });
      expect(ended.stdout).toContain(`win-hcn ${version} is now installed.`);
    }
    // Windows never renames over the exe of this process, so each rollback opens the gap.
    for (const version of [newer, older]) {
      expect(await upgrade(installed, '--rollback')).toMatchObject({ exitCode: 0, stderr: '' });
      expect(await suitePrefix().run(installed, ['version'])).toMatchObject({ stdout: `${version}\n` });
    }
    await traffic.stop();
    const { succeeded, failures, missing: inGap } = traffic;
    process.stdout.write(
      `${upgrades} upgrades: ${inGap.length} requests met the gap, ${JSON.stringify([...succeeded])} succeeded\n`,
    );
    expect(failures).toEqual([]);
    for (const command of ['ADD', 'STATUS', 'DEL'])
      expect(succeeded.get(command)).toBeGreaterThan(upgrades / 10);
    expect(hns.dump()).toMatchObject({ endpoints: [], openHandles: 0 });
    // The next run deletes the exe that ran the rollback.
    expect(await upgrade(source(newer))).toMatchObject({ exitCode: 0, stderr: '' });
    const left = readdirSync(hostPath(folder)).filter((name) => !name.endsWith('.node'));
    expect(left.toSorted()).toEqual(['win-hcn.exe', 'win-hcn.exe.previous']);
  }, 600_000);
});
