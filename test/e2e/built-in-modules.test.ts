import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Hns, startHns } from '../simulator/hns.ts';
import { example } from './example.ts';
import { addEnvironment, type Ended, startNode } from './process.ts';

const preload = resolve('test/e2e/list-modules.cjs');

let hns: Hns;
let folder = '';
let environment: Record<string, string>;
beforeEach(async () => {
  hns = await startHns();
  environment = addEnvironment(hns);
});
afterEach(() => hns.stop());
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'win-hcn-modules-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const config = example('l2bridge', { cniVersion: '1.1.0', logFile: '' });

/** Runs a bundle and returns which modules it loads. */
async function modulesOf(command: string, given: object, bundle = 'build/win-hcn.cjs'): Promise<unknown> {
  const { exitCode, stdout, stderr } = await run(command, given, bundle);
  expect({ exitCode, stdout }).toMatchObject({ exitCode: 0 });
  return JSON.parse(stderr);
}

function run(command: string, given: object, bundle: string): Promise<Ended> {
  const variables = { ...environment, CNI_COMMAND: command, CNI_PATH: folder };
  return startNode(['-r', preload, bundle], variables, JSON.stringify(given)).ended;
}

describe("Node's modules that are not part of a bare start", () => {
  test('are not loaded by any command, except node:sea for the addon', async () => {
    const log = { ...config, logFile: join(folder, 'win-hcn.log') };
    const loaded: Record<string, unknown> = {};
    for (const command of ['VERSION', 'ADD', 'STATUS', 'DEL'])
      loaded[command] = await modulesOf(command, log);
    const { stdout } = await run('ADD', log, 'build/win-hcn.cjs');
    loaded['CHECK'] = await modulesOf('CHECK', { ...log, prevResult: JSON.parse(stdout) });
    loaded['GC'] = await modulesOf('GC', { ...log, 'cni.dev/valid-attachments': [] });
    const sea = ['sea'];
    expect(loaded).toEqual({ VERSION: [], ADD: sea, STATUS: sea, DEL: sea, CHECK: sea, GC: sea });
  });
});
