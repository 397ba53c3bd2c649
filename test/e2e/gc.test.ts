import { afterEach, beforeEach, expect, test } from 'vitest';
import { example } from './example.ts';
import { type Node, startNode } from './node.ts';

const config = example('l2bridge', { cniVersion: '1.1.0' });
const gc = { ...config, 'cni.dev/valid-attachments': [] };

let node: Node;
beforeEach(async () => {
  node = await startNode();
  for (const name of ['one', 'two', 'three']) await node.add(config, node.newPod(name));
});
afterEach(() => node.stop());

const names = () => node.hns.dump().endpoints.map(({ Name }) => Name);

test('GC continues with the other endpoints if one cannot be deleted', async () => {
  node.hns.inject({ function: 'HcnDeleteEndpoint', effect: { hresult: 0x80004005 } });
  const answer = await node.gc(gc);
  expect(answer).toMatchObject({ exitCode: 1, json: { code: 100, msg: expect.stringContaining('E_FAIL') } });
  expect(names()).toEqual(['one_l2bridge_eth0']);
});

test('GC stops when HCN hangs, and reports the number of unchecked endpoints', async () => {
  node.hns.inject({ function: 'HcnDeleteEndpoint', effect: { hang: true } });
  const answer = await node.gc(gc);
  expect(answer).toMatchObject({
    exitCode: 1,
    json: {
      code: 11,
      msg: expect.stringContaining('HcnDeleteEndpoint did not respond within 30 s'),
      details: '2 more endpoints were not checked',
    },
  });
  expect(answer.calls.filter((name) => name === 'HcnDeleteEndpoint')).toHaveLength(1);
});
