import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startHns } from '../simulator/hns.ts';
import { exe, missing, suitePrefix } from './suite.ts';

const folder = 'C:\\opt\\alone';

describe.skipIf(missing !== undefined)('the shipped exe', () => {
  let hns: Awaited<ReturnType<typeof startHns>>;
  let alone = '';

  beforeAll(async () => {
    hns = await startHns({ port: 0, profile: 'ws2022' });
    alone = suitePrefix().install(suitePrefix().hostPath(exe), folder);
  });

  beforeEach(() => {
    for (const name of addons()) rmSync(hostPath(name));
  });

  afterAll(() => hns.stop());

  test('answers VERSION without writing an addon', async () => {
    const { exitCode, stdout, stderr } = await run('VERSION');
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({ cniVersion: '1.1.0' });
    expect(addons()).toEqual([]);
  });

  test('works alone in a folder, and writes its addon beside it', async () => {
    expect(await run('DEL')).toEqual({ exitCode: 0, stdout: '', stderr: '' });
    expect(addons()).toEqual([expect.stringMatching(/^win-hcn-koffi-[0-9a-f]{16}\.node$/)]);
  });

  test("works under another plugin's name, in that plugin's dialect, with its addon beside it", async () => {
    const renamed = suitePrefix().install(
      suitePrefix().hostPath(exe),
      `${folder}\\renamed`,
      'SdnOverlay.exe',
    );
    const { WIN_HCN_SIMULATED_HNS } = hns.environment;
    const env = { WIN_HCN_SIMULATED_HNS, CNI_COMMAND: 'STATUS', CNI_PATH: folder };
    const stdin = JSON.stringify({ cniVersion: '1.1.0', name: 'net', type: 'overlay-of-ours', mode: 'x' });
    const { exitCode, stdout, stderr } = await suitePrefix().run(renamed, [], { env, stdin });
    expect(stderr).toBe('win-hcn: /mode is not supported and is ignored\n');
    expect({ exitCode, error: JSON.parse(stdout) }).toMatchObject({
      exitCode: 1,
      error: { code: 50, msg: expect.stringContaining('network "net" does not exist') },
    });
    expect(readdirSync(suitePrefix().hostPath(`${folder}\\renamed`))).toEqual([
      'SdnOverlay.exe',
      expect.stringMatching(/^win-hcn-koffi-[0-9a-f]{16}\.node$/),
    ]);
  });

  test('starts for the first time in four processes at once', async () => {
    const runs = await Promise.all([run('DEL'), run('DEL'), run('DEL'), run('DEL')]);
    expect(runs).toEqual(Array(4).fill({ exitCode: 0, stdout: '', stderr: '' }));
    expect(addons()).toHaveLength(1);
  });

  test('replaces a modified addon', async () => {
    await run('DEL');
    const addon = hostPath(addons()[0] ?? '');
    const original = readFileSync(addon);
    writeFileSync(addon, Buffer.from(original).reverse());
    expect(await run('DEL')).toEqual({ exitCode: 0, stdout: '', stderr: '' });
    expect(readFileSync(addon).equals(original)).toBe(true);
  });

  test.each([
    ['a folder', (path: string) => mkdirSync(path)],
    ['read-only and changed', (path: string) => writeFileSync(path, 'changed', { mode: 0o444 })],
  ])('does not load an addon that is %s: it is replaced, or refused with a remedy', async (_, put) => {
    await run('DEL');
    const name = addons()[0] ?? '';
    const original = readFileSync(hostPath(name));
    rmSync(hostPath(name));
    put(hostPath(name));
    const answer = await run('DEL');
    if (answer.exitCode === 0) expect(readFileSync(hostPath(name)).equals(original)).toBe(true);
    else
      expect(JSON.parse(answer.stdout)).toMatchObject({
        code: 104,
        msg: expect.stringMatching(
          `${name} is not the file that this win-hcn wrote and cannot be replaced .*: delete it`,
        ),
      });
    expect(addons()).toEqual([name]);
    rmSync(hostPath(name), { recursive: true });
  });

  test('loads computenetwork.dll from system32 and nowhere else', async () => {
    const planted = suitePrefix().hostPath(`${folder}\\computenetwork.dll`);
    writeFileSync(planted, 'not a library');
    try {
      expect(await run('DEL', { WIN_HCN_LIBRARY: 'C:\\none.dll' })).toEqual({
        exitCode: 0,
        stdout: '',
        stderr: '',
      });
    } finally {
      rmSync(planted);
    }
  });

  function run(command: string, more: Readonly<Record<string, string>> = {}) {
    const { WIN_HCN_SIMULATED_HNS } = hns.environment;
    const attachment = { CNI_CONTAINERID: 'gone', CNI_NETNS: 'none', CNI_IFNAME: 'eth0', CNI_PATH: folder };
    const env = { WIN_HCN_SIMULATED_HNS, CNI_COMMAND: command, ...attachment, ...more };
    const stdin = JSON.stringify({ cniVersion: '1.1.0', name: 'net', type: 'win-hcn' });
    return suitePrefix().run(alone, [], { env, stdin });
  }

  const hostPath = (name: string) => suitePrefix().hostPath(`${folder}\\${name}`);
  const addons = () => readdirSync(suitePrefix().hostPath(folder)).filter((name) => name.endsWith('.node'));
});
