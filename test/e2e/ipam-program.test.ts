import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Hns, startHns } from '../simulator/hns.ts';
import { example } from './example.ts';
import { addEnvironment, runBundle } from './process.ts';

let hns: Hns;
let environment: Record<string, string>;
beforeEach(async () => {
  hns = await startHns();
  environment = addEnvironment(hns);
});
afterEach(() => hns.stop());

describe('an IPAM plugin that is a program', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'win-hcn-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));
  const run = (stdin: string) => runBundle({ ...environment, CNI_PATH: folder }, stdin);
  const program = (name: string, script: string) => {
    writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(folder, name), 0o755);
    return JSON.stringify(example('l2bridge', { ipam: { type: name } }));
  };

  test('that prints without end is killed and is an error', async () => {
    const ended = await run(program('babbler', 'exec yes'));
    expect(ended).toMatchObject({ exitCode: 1, stderr: '' });
    expect(JSON.parse(ended.stdout)).toMatchObject({
      code: 103,
      msg:
        'running IPAM plugin "babbler" (ADD): killed because it printed more than 1048576 bytes (1 MiB): ' +
        `check the output of ${folder}/babbler`,
    });
    expect(hns.dump()).toMatchObject({ endpoints: [], networks: [] });
  });

  test('that is a renamed win-hcn does not run itself again and is refused', async () => {
    const bundle = resolve('build/win-hcn.cjs');
    const ended = await run(
      program('other', `echo $CNI_COMMAND >> ${folder}/runs; exec ${process.execPath} ${bundle}`),
    );
    expect(ended).toMatchObject({ exitCode: 1, stderr: '' });
    expect(JSON.parse(ended.stdout)).toMatchObject({
      code: 7,
      msg: '/ipam/type is "other", and WIN_HCN_DELEGATING in the environment means that win-hcn runs as an IPAM plugin itself: use a plugin that assigns addresses',
    });
    expect(readFileSync(join(folder, 'runs'), 'utf8')).toBe('ADD\nDEL\n');
    expect(hns.dump()).toMatchObject({ endpoints: [], networks: [] });
  });

  test.each([
    ['a link that leads to itself', 'loop'],
    ['a folder', 'folder'],
    ['longer than a name of a file can be', 'x'.repeat(300)],
  ])('that is %s is not found', async (_, type) => {
    rmSync(join(folder, 'loop'), { force: true });
    symlinkSync(join(folder, 'loop'), join(folder, 'loop'));
    mkdirSync(join(folder, 'folder'), { recursive: true });
    const stdin = JSON.stringify(example('l2bridge', { ipam: { type } }));
    const ended = await run(stdin);
    expect(JSON.parse(ended.stdout)).toMatchObject({
      code: 7,
      msg: `IPAM plugin "${type}" is not in any folder of CNI_PATH ${folder}`,
    });
  });

  test('with endless stderr has 1 MiB of it copied', async () => {
    const stdin = program(
      'loud',
      `head -c 3000000 /dev/zero >&2; echo '{"ips":[{"address":"10.244.1.78/24"}]}'`,
    );
    const ended = await run(stdin);
    expect(ended.exitCode).toBe(0);
    expect(ended.stderr.length).toBeGreaterThan(900_000);
    expect(ended.stderr.length).toBeLessThanOrEqual(1_048_576);
  });
});
