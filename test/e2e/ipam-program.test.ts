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

  test("gets win-hcn's environment with a marker, stdin without byte-order mark, and win-hcn's stderr", async () => {
    const stdin = program(
      'record',
      `cat > ${folder}/stdin; env | grep -E '^(CNI_|TRACE|WIN_HCN_DELEGATING)' | sort > ${folder}/environment; echo noise >&2
       echo '{"cniVersion":"1.0.0","ips":[{"address":"10.244.1.77/24"}]}'`,
    );
    const given = {
      ...environment,
      CNI_PATH: `:${folder}`,
      CNI_ARGS: 'K8S_POD_NAME=a;IgnoreUnknown=1',
      TRACEPARENT: '00-1',
    };
    const marked = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(stdin)]);
    const ended = await runBundle(given, marked);
    expect(ended).toMatchObject({ exitCode: 0, stderr: 'noise\n' });
    expect(JSON.parse(ended.stdout).ips).toEqual([
      { interface: 0, address: '10.244.1.77/24', gateway: '10.244.1.1' },
    ]);
    expect(readFileSync(join(folder, 'stdin'), 'utf8')).toBe(stdin);
    expect(readFileSync(join(folder, 'environment'), 'utf8').trim().split('\n')).toEqual([
      'CNI_ARGS=K8S_POD_NAME=a;IgnoreUnknown=1',
      'CNI_COMMAND=ADD',
      'CNI_CONTAINERID=c0ffee',
      'CNI_IFNAME=eth0',
      `CNI_NETNS=${environment['CNI_NETNS']}`,
      `CNI_PATH=:${folder}`,
      'TRACEPARENT=00-1',
      'WIN_HCN_DELEGATING=record',
    ]);
  });

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

  test('that leaves a child with its stdout is not waited for', async () => {
    const ended = await run(
      program('lingering', `echo '{"ips":[{"address":"10.244.1.78/24"}]}'; sleep 90 &`),
    );
    expect(ended.exitCode).toBe(0);
  });
});
