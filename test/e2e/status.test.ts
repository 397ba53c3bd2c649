import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Fault } from '../simulator/hns.ts';
import { hastyClock } from './clock.ts';
import { example } from './example.ts';
import { type Node, startNode } from './node.ts';

let node: Node;
beforeEach(async () => {
  node = await startNode({}, () => hastyClock(5));
});
afterEach(() => node.stop());

const pod = { containerId: '', netns: '' };
const config = example('l2bridge', { cniVersion: '1.1.0', ipam: { type: 'test-ipam' } });

describe('STATUS', () => {
  test('prints nothing if an ADD could succeed; needs no variables of a container', async () => {
    expect(await node.cni('STATUS', { config, pod, ifname: '' })).toMatchObject({
      exitCode: 0,
      stdout: '',
      calls: ['HcnOpenNetwork', 'HcnEnumerateNetworks'],
    });
    expect(node.ipam.runs.map((run) => run.command)).toEqual(['STATUS']);
  });

  test.each([
    [
      'HNS does not respond',
      () => node.hns.inject({ effect: { hresult: 0x800706d9 } }),
      {},
      'EPT_S_NOT_REGISTERED',
    ],
    [
      'the network is missing and may not be created',
      () => undefined,
      { createNetwork: 'never' },
      'does not exist',
    ],
  ])('returns code 50 with the reason when %s', async (_, prepare, changes, message) => {
    prepare();
    expect(await node.status({ ...config, ...changes }, pod)).toMatchObject({
      exitCode: 1,
      json: { code: 50, msg: expect.stringContaining(message) },
    });
  });

  test('returns code 51 if an Overlay network with pods lost its provider address', async () => {
    const overlay = example('overlay', { cniVersion: '1.1.0' });
    await node.add(overlay);
    const [network] = node.hns.dump().networks;
    const answer = JSON.stringify({ ...network, Policies: [] });
    node.hns.inject({ function: 'HcnQueryNetworkProperties', effect: { answer } });
    expect(await node.status({ ...overlay, adapter: undefined }, pod)).toMatchObject({ json: { code: 51 } });
  });

  test('returns code 50 if the existing network does not match the configuration', async () => {
    await node.add(config);
    const changed = { ...config, subnets: [{ subnet: '10.9.0.0/16' }] };
    expect(await node.status(changed, pod)).toMatchObject({
      json: { code: 50, msg: expect.stringContaining('exists but differs from the configuration') },
    });
  });

  test.each<[string, Fault['effect'], string]>([
    ['a call hangs', { hang: true }, 'HcnOpenNetwork did not respond within 10 s'],
    ['HNS itself gives up waiting', { hresult: 0x800705b4 }, 'ERROR_TIMEOUT (0x800705b4)'],
  ])(
    'succeeds with a notice in the log when %s: the node stays ready while HNS is slow',
    async (_, effect, text) => {
      const folder = mkdtempSync(join(tmpdir(), 'win-hcn-'));
      const defaultLogFile = join(folder, 'win-hcn.log');
      node.hns.inject({ effect });
      expect(await node.cni('STATUS', { config, pod, defaultLogFile })).toMatchObject({
        exitCode: 0,
        stdout: '',
      });
      expect(node.ipam.runs.map((run) => run.command)).toEqual(['STATUS']);
      expect(readFileSync(defaultLogFile, 'utf8')).toContain('STATUS succeeds although HCN is late: ');
      expect(readFileSync(defaultLogFile, 'utf8')).toContain(text);
      rmSync(folder, { recursive: true });
    },
  );

  test.each([
    ['the rest of 10 s', 0, /killed, at the latest after (?:[89]|10) s/],
    ['at least 5 s when HCN has used up the 10 s', 1, /killed, at the latest after 5 s/],
  ])('gives the IPAM plugin %s', async (_, hanging, message) => {
    if (hanging > 0) node.hns.inject({ effect: { hang: true } });
    node.ipam.override.set('STATUS', { exitCode: null, stdout: '' });
    expect(await node.status(config, pod)).toMatchObject({
      json: {
        code: 50,
        msg: expect.stringMatching(message),
      },
    });
  });

  test('requires cniVersion 1.1.0', async () => {
    expect(await node.status({ ...config, cniVersion: '1.0.0' }, pod)).toMatchObject({ json: { code: 1 } });
  });
});

test('GC runs the IPAM plugin even if HNS does not respond', async () => {
  node.hns.inject({ effect: { hresult: 0x800706d9 } });
  const answer = await node.gc({ ...config, 'cni.dev/valid-attachments': [] }, pod);
  expect(answer).toMatchObject({ exitCode: 1, json: { code: 11 } });
  expect(node.ipam.runs.map((run) => run.command)).toEqual(['GC']);
});

describe('GC', () => {
  const attachments = (...ids: readonly string[]) =>
    ids.map((containerID) => ({ containerID, ifname: 'eth0' }));
  const names = () => node.hns.dump().endpoints.map((endpoint) => endpoint['Name']);

  beforeEach(async () => {
    for (const id of ['a', 'b', 'c']) await node.add(config, node.newPod(id));
    await node.cni('ADD', { config, pod: node.newPod('a'), ifname: 'eth1' });
  });

  test('deletes the endpoints of no valid attachment, and runs the IPAM plugin', async () => {
    const valid = { ...config, 'cni.dev/valid-attachments': attachments('a', 'c') };
    expect(await node.gc(valid, pod)).toMatchObject({ exitCode: 0, stdout: '' });
    expect(names()).toEqual(['a_l2bridge_eth0', 'c_l2bridge_eth0']);
    expect(node.ipam.runs.at(-1)).toEqual({ command: 'GC', stdin: JSON.stringify(valid) });
  });

  test.each([[[]], [null]])(
    'deletes all endpoints of win-hcn if the list is %j, and none of other programs',
    async (list) => {
      const HostComputeNetwork = String(node.hns.dump().networks[0]?.['ID']);
      const SchemaVersion = { Major: 2, Minor: 0 };
      for (const id of ['e446032f-bbf7-4b5a-880f-667bebc65501', 'e446032f-bbf7-5b5a-880f-667bebc65501']) {
        await node.hcn.createEndpoint(HostComputeNetwork, id, {
          Name: 'x_eth0_l2bridge',
          HostComputeNetwork,
          SchemaVersion,
        });
      }
      await node.gc({ ...config, 'cni.dev/valid-attachments': list }, pod);
      expect(names()).toEqual(['x_eth0_l2bridge', 'x_eth0_l2bridge']);
    },
  );

  test.each([
    ['absent', {}],
    ['of the wrong type', { 'cni.dev/valid-attachments': 'a' }],
    [
      'with a malformed container',
      { 'cni.dev/valid-attachments': [{ containerID: '../x', ifname: 'eth0' }] },
    ],
  ])('deletes nothing if the list is %s', async (_, changes) => {
    expect(await node.gc({ ...config, ...changes }, pod)).toMatchObject({ exitCode: 1, json: { code: 7 } });
    expect(names()).toHaveLength(4);
  });
});
