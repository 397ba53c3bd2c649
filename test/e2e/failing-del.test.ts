import { afterEach, beforeEach, expect, test } from 'vitest';
import { example } from './example.ts';
import { type Node, startNode } from './node.ts';

const config = example('l2bridge', { ipam: { type: 'test-ipam' } });

let node: Node;
beforeEach(async () => {
  node = await startNode();
  await node.add(config, node.newPod('neighbour'));
});
afterEach(() => node.stop());

const names = () => node.hns.dump().endpoints.map(({ Name }) => Name);

test('DEL deletes the endpoint even if the IPAM plugin fails, and reports the failure', async () => {
  const pod = node.newPod('doomed');
  await node.add(config, pod);
  node.ipam.override.set('DEL', { exitCode: 1, stdout: '{"code":110,"msg":"the store is locked"}' });
  expect(await node.del(config, pod)).toMatchObject({
    exitCode: 1,
    json: { code: 110, msg: 'the store is locked' },
  });
  expect(names()).toEqual(['neighbour_l2bridge_eth0']);
  node.ipam.override.clear();
  expect(await node.del(config, pod)).toMatchObject({ exitCode: 0 });
  expect([...node.ipam.leases.keys()]).toEqual(['neighbour eth0']);
});
