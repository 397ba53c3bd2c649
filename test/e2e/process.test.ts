import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Hns, startHns } from '../simulator/hns.ts';
import { example } from './example.ts';
import { addEnvironment, runBundle, startNode } from './process.ts';

let hns: Hns;
let environment: Record<string, string>;
beforeEach(async () => {
  hns = await startHns();
  environment = addEnvironment(hns);
});
afterEach(() => hns.stop());

const config = JSON.stringify(example('l2bridge'));

describe('the process', () => {
  test('adds, checks and deletes with the state in HNS only, and closes every handle', async () => {
    const added = await runBundle(environment, config);
    expect(added).toMatchObject({ exitCode: 0, stderr: '' });
    const prevResult = JSON.parse(added.stdout);
    expect(hns.dump()).toMatchObject({ endpoints: [{ Name: 'c0ffee_l2bridge_eth0' }] });
    const check = JSON.stringify({ ...example('l2bridge'), prevResult });
    expect(await runBundle({ ...environment, CNI_COMMAND: 'CHECK' }, check)).toMatchObject({
      exitCode: 0,
      stdout: '',
    });
    expect(await runBundle({ ...environment, CNI_COMMAND: 'DEL' }, config)).toMatchObject({
      exitCode: 0,
      stdout: '',
    });
    await expect.poll(() => hns.dump()).toMatchObject({ endpoints: [], openHandles: 0, clients: 0 });
  });

  test('prints its result and ends immediately when an HCN call hangs', async () => {
    hns.inject({ function: 'HcnCreateEndpoint', effect: { hang: true } });
    const ended = await runBundle(environment, JSON.stringify(example('l2bridge', { hcnTimeoutSeconds: 1 })));
    expect(ended.exitCode).not.toBe(0);
    expect(JSON.parse(ended.stdout)).toMatchObject({
      code: 11,
      msg: expect.stringContaining('HcnCreateEndpoint did not respond within 1 s'),
    });
    expect(hns.dump()).toMatchObject({ endpoints: [] });
  });
});

describe('a wait that nothing can end is a failure', () => {
  const start = (words: readonly string[], environment: Record<string, string>) =>
    startNode(['--require', './test/e2e/endless-wait.cjs', 'build/win-hcn.cjs', ...words], environment, '')
      .ended;

  test('of a CNI command', async () => {
    const ended = await start([], { CNI_COMMAND: 'VERSION' });
    expect(ended).toMatchObject({ exitCode: 1, stderr: '' });
    expect(JSON.parse(ended.stdout)).toEqual({
      cniVersion: '1.1.0',
      code: 999,
      msg: 'internal error: it waits for something that cannot happen',
      details: 'report it with the configuration and the output of cmd /c ver',
    });
  });

  test('of the command line', async () => {
    expect(await start(['debug', 'probe', '--yes'], hns.environment)).toMatchObject({
      exitCode: 1,
      stderr: 'win-hcn: internal error: it waits for something that cannot happen\n',
    });
  });
});

describe('stdin', () => {
  test.each([
    ['ADD', { exitCode: 1 }, { code: 5 }],
    ['VERSION', { exitCode: 0 }, { cniVersion: '1.1.0' }],
  ])('without end does not block %s', async (command, ended, answer) => {
    let sent = 0;
    const endless = new Readable({
      read(size) {
        sent += size;
        this.push(Buffer.alloc(size, ' '));
      },
    });
    const answered = await runBundle({ ...environment, CNI_COMMAND: command }, endless);
    expect(answered).toMatchObject({ ...ended, stderr: '' });
    expect(JSON.parse(answered.stdout)).toMatchObject(answer);
    expect(sent).toBeLessThan(4 * 1_048_576);
  });

  test('with garbage does not fail VERSION', async () => {
    const garbage = Buffer.from([0xff, 0x00, 0xfe, 0x7b, 0x80]);
    const ended = await runBundle({ CNI_COMMAND: 'VERSION' }, garbage);
    expect(ended).toMatchObject({ exitCode: 0, stderr: '' });
    expect(JSON.parse(ended.stdout)).toMatchObject({ cniVersion: '1.1.0' });
  });

  test('that stays open and silent does not block VERSION without koffi, but costs it the exit code', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'win-hcn-alone-'));
    for (const name of ['win-hcn.cjs', 'win-hcn-plugin.cjs'])
      copyFileSync(join('build', name), join(folder, name));
    const silent = new Readable({ read: () => undefined });
    const ended = await startNode([join(folder, 'win-hcn.cjs')], { CNI_COMMAND: 'VERSION' }, silent).ended;
    rmSync(folder, { recursive: true });
    expect(JSON.parse(ended.stdout)).toMatchObject({ cniVersion: '1.1.0' });
    expect(ended).toMatchObject({ exitCode: null, stderr: '' });
  });
});
