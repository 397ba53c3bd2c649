import { copyFileSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { example } from '../e2e/example.ts';
import { type Hns, startHns } from '../simulator/hns.ts';
import { exe, missing, suitePrefix } from './suite.ts';

const folder = 'C:\\opt\\ipam';

describe.skipIf(missing !== undefined)('win-hcn.exe', () => {
  let hns: Hns;
  let shipped: string;
  const hostPath = (name: string) => suitePrefix().hostPath(`${folder}\\${name}`);

  beforeEach(async () => {
    hns = await startHns({ profile: 'ws2022' });
    rmSync(suitePrefix().hostPath(folder), { recursive: true, force: true });
    shipped = suitePrefix().install(suitePrefix().hostPath(exe), folder);
  });
  afterEach(() => hns.stop());

  const add = async (type: string, CNI_PATH = folder) => {
    const answer = await suitePrefix().run(shipped, [], {
      env: {
        WIN_HCN_SIMULATED_HNS: hns.environment.WIN_HCN_SIMULATED_HNS,
        CNI_COMMAND: 'ADD',
        CNI_CONTAINERID: 'c0ffee',
        CNI_NETNS: hns.createNamespace(),
        CNI_IFNAME: 'eth0',
        CNI_PATH,
      },
      stdin: JSON.stringify(example('l2bridge', { ipam: { type } })),
    });
    expect(answer).toMatchObject({ exitCode: 1, stderr: '' });
    expect(hns.dump()).toMatchObject({ endpoints: [] });
    return JSON.parse(answer.stdout);
  };

  test.each<[string, string, () => void]>([
    ['by its name', 'win-hcn', () => undefined],
    ['by its name with .exe and a dot', 'win-hcn.exe.', () => undefined],
    ['as a copy', 'copy', () => copyFileSync(hostPath('win-hcn.exe'), hostPath('copy.exe'))],
    ['as a symbolic link', 'symbolic', () => symlinkSync('win-hcn.exe', hostPath('symbolic.exe'))],
  ])('does not run itself as its IPAM plugin recursively: %s', async (_, type, prepare) => {
    prepare();
    expect(await add(type)).toMatchObject({ code: 7, msg: expect.stringContaining(`"${type}"`) });
  });

  test.each(['CON', 'nul.exe', 'CONIN', 'x.'])(
    'does not mistake the Windows name %s for an IPAM plugin',
    async (type) => {
      expect(await add(type)).toMatchObject({
        code: 7,
        msg: `IPAM plugin "${type}" is not in any folder of CNI_PATH ${folder}`,
      });
    },
  );

  test('does not mistake a folder, a link to itself or a relative path for an IPAM plugin', async () => {
    mkdirSync(hostPath('folder.exe'));
    symlinkSync('loop.exe', hostPath('loop.exe'));
    copyFileSync(hostPath('win-hcn.exe'), hostPath('there.exe'));
    for (const type of ['folder', 'loop']) expect(await add(type)).toMatchObject({ code: 7 });
    expect(await add('there', 'opt\\ipam;C:opt\\ipam;.\\opt\\ipam')).toMatchObject({
      code: 7,
      details: expect.stringContaining('checked no file; opt\\ipam is not a local absolute path'),
    });
  });
});
