import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Hns, startHns } from '../simulator/hns.ts';
import { example } from './example.ts';
import { type Node, startNode } from './node.ts';
import { addEnvironment } from './process.ts';

const config = example('l2bridge', { ipam: { type: 'test-ipam' } });
const { ipam: _, ...withoutIpam } = config;

describe('an ADD that cannot return its result', () => {
  let node: Node;
  beforeEach(async () => {
    node = await startNode();
  });
  afterEach(() => node.stop());

  const state = () => ({
    endpoints: node.hns.dump().endpoints.map(({ Name }) => Name),
    networks: node.hns.dump().networks.map(({ Name }) => Name),
    leases: [...node.ipam.leases.keys()],
  });

  test('keeps its attachment for DEL if HNS is down by then', async () => {
    const pod = node.newPod('one');
    const print = () => {
      node.hns.inject({ ordinal: 'every', effect: { hresult: 0x800706ba } });
      throw new Error('EPIPE');
    };
    const { exitCode, json } = await node.cni('ADD', { config, pod, print });
    expect({ exitCode, code: json.code, msg: json.msg }).toEqual({
      exitCode: 1,
      code: 5,
      msg: 'cannot write the result to stdout: EPIPE',
    });
    expect(json.details).toContain('rollback of the endpoint failed: ');
    expect(json.details).toContain('the addresses stay assigned until the next DEL');
    node.hns.clearFaults();
    expect(state()).toMatchObject({ endpoints: ['one_l2bridge_eth0'], leases: ['one eth0'] });
    expect(await node.del(config, pod)).toMatchObject({ exitCode: 0 });
    expect(state()).toEqual({ endpoints: [], networks: ['l2bridge'], leases: [] });
  });
});

describe('the process', () => {
  let hns: Hns;
  beforeEach(async () => {
    hns = await startHns();
  });
  afterEach(() => hns.stop());

  const started = (
    environment: Readonly<Record<string, string>>,
    stdin: object,
    stdout: 'pipe' | number,
    words: readonly string[] = [],
  ) => {
    const child = spawn(process.execPath, ['build/win-hcn.cjs', ...words], {
      env: { PATH: process.env['PATH'], ...environment },
      stdio: ['pipe', stdout, 'pipe'],
    });
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(JSON.stringify(stdin));
    return child;
  };
  const ended = async (child: ChildProcess) => {
    const exited = new Promise<number | null>((resolve) => child.on('close', resolve));
    return { stderr: child.stderr === null ? '' : await text(child.stderr), exitCode: await exited };
  };
  const toFullDisk = async (...[environment, stdin, words]: [Record<string, string>, object, string[]?]) => {
    const full = openSync('/dev/full', 'w');
    try {
      return await ended(started(environment, stdin, full, words));
    } finally {
      closeSync(full);
    }
  };
  const toClosedPipe = (...[environment, stdin, words]: [Record<string, string>, object, string[]?]) => {
    const child = started(environment, stdin, 'pipe', words);
    child.stdout?.destroy();
    return ended(child);
  };

  test.each([
    ['is a full disk', toFullDisk, 'ENOSPC'],
    ['is a closed pipe', toClosedPipe, 'EPIPE'],
  ])('of an ADD whose stdout %s rolls it back and exits with 1', async (_name, run, code) => {
    const { exitCode, stderr } = await run(addEnvironment(hns), withoutIpam);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(`win-hcn: cannot write to stdout: Error: ${code}`);
    expect(stderr).toContain(`"msg":"cannot write the result to stdout: ${code}`);
    expect(hns.dump()).toMatchObject({ endpoints: [] });
  });

  /** With a prevResult of 400 kB, as no pipe holds. */
  const large = {
    ...withoutIpam,
    prevResult: { cniVersion: '1.0.0', interfaces: [], ips: [], dns: { domain: 'x'.repeat(400_000) } },
  };

  test('of an ADD prints a large result once and whole, to a reader that starts late', async () => {
    const child = started(addEnvironment(hns), large, 'pipe');
    const end = ended(child);
    await expect.poll(() => hns.dump().endpoints).toMatchObject([{ Name: 'c0ffee_l2bridge_eth0' }]);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(child.stdout && JSON.parse(await text(child.stdout))).toMatchObject({
      dns: large.prevResult.dns,
      ips: [{ gateway: '10.244.1.1' }],
    });
    expect(await end).toEqual({ exitCode: 0, stderr: '' });
  });
});
