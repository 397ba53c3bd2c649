import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { system } from '../../src/system.ts';
import { hastyClock } from '../e2e/clock.ts';
import { example } from '../e2e/example.ts';
import { type Call, type Node, startNode } from '../e2e/node.ts';
import { debianPlugins, debianPluginsMissing } from './debian-plugins.ts';

describe.skipIf(debianPluginsMissing() !== undefined)('an ADD with host-local', () => {
  let node: Node;
  let dataDir: string;
  let call: Call;
  beforeEach(async () => {
    node = await startNode({}, () => hastyClock(1));
    const { spawn, isFile } = system;
    Object.assign(node.outside, { spawn, isFile });
    dataDir = mkdtempSync(join(tmpdir(), 'win-hcn-leases-'));
    const ipam = { type: 'host-local', dataDir, ranges: [[{ subnet: '10.244.1.0/24' }]] };
    call = {
      config: example('l2bridge', { ipam }),
      pod: node.newPod('pod1'),
      environment: { CNI_PATH: debianPlugins },
    };
  });
  afterEach(async () => {
    rmSync(dataDir, { recursive: true });
    await node.stop();
  });
  const lease = () => join(dataDir, 'l2bridge', '10.244.1.2');

  test('verifies its lease', async () => {
    expect(await node.cni('ADD', call)).toMatchObject({ exitCode: 0 });
    expect(readFileSync(lease(), 'utf8')).toBe('pod1\r\neth0');
  });

  test('fails and is rolled back if the lease is released before it returns', async () => {
    const standing = node.hns.nextStanding();
    node.hns.inject({ function: 'HcnModifyNamespace', effect: { hold: 'after' } });
    const adding = node.cni('ADD', call);
    await standing;
    rmSync(lease());
    node.hns.release();
    expect((await adding).json).toMatchObject({
      code: 11,
      msg: '10.244.1.2 was released by another process during this ADD: retry',
    });
    expect(node.hns.dump().endpoints).toEqual([]);
    expect(existsSync(lease())).toBe(false);
    expect(await node.cni('ADD', call)).toMatchObject({ exitCode: 0 });
  });
});
