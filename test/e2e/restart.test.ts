import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { example } from './example.ts';
import { type Node, type Pod, startNode } from './node.ts';

const ipam = { type: 'test-ipam' };
const config = example('l2bridge', { ipam });
const volatile = example('l2bridge', { ipam, networkFlags: ['EnableNonPersistent'] });

let node: Node;
beforeEach(async () => {
  node = await startNode();
});
afterEach(() => node.stop());

const names = () => node.hns.dump().endpoints.map(({ Name }) => Name);
const holders = () => [...node.ipam.leases.keys()];

const gc = (given: object) => ({ ...given, cniVersion: '1.1.0', 'cni.dev/valid-attachments': [] });

/** Creates two attachments and restarts the node. IPAM plugins keep their leases. */
async function restartWithTwo(given: object) {
  const one = node.newPod('one');
  for (const pod of [one, node.newPod('two')])
    expect(await node.add(given, pod)).toMatchObject({ exitCode: 0 });
  node.hns.reboot();
  expect(holders()).toEqual(['one eth0', 'two eth0']);
  return one;
}

describe('after a restart of the node', () => {
  test('DEL releases the address on a lost non-persistent network, and ADD creates the network again', async () => {
    const one = await restartWithTwo(volatile);
    expect(node.hns.dump()).toMatchObject({ networks: [], endpoints: [] });
    expect(await node.del(volatile, one)).toMatchObject({ exitCode: 0 });
    expect(holders()).toEqual(['two eth0']);
    expect(await node.add(volatile, node.newPod('next'))).toMatchObject({
      exitCode: 0,
      json: { ips: [{ address: '10.244.1.10/24' }] },
    });
    expect([names(), holders()]).toEqual([['next_l2bridge_eth0'], ['two eth0', 'next eth0']]);
  });

  test('DEL and GC delete the endpoints of former pods and release their addresses', async () => {
    const one = await restartWithTwo(config);
    expect(await node.del(config, one)).toMatchObject({ exitCode: 0 });
    expect([names(), holders()]).toEqual([['two_l2bridge_eth0'], ['two eth0']]);
    expect(await node.gc(gc(config))).toMatchObject({ exitCode: 0 });
    expect([names(), holders()]).toEqual([[], []]);
  });
});

describe('after a restart of the service that loses the endpoints of pods', () => {
  let pod: Pod;
  let prevResult: unknown;
  beforeEach(async () => {
    await node.stop();
    node = await startNode({ switches: { objectsAfterRestart: 'lost in part' } });
    pod = node.newPod('one');
    prevResult = (await node.add(config, pod)).json;
    node.hns.attachContainer(pod.netns, 'one');
    node.hns.restart();
    expect([names(), holders()]).toEqual([[], ['one eth0']]);
  });

  test('CHECK reports the missing endpoint', async () => {
    expect(await node.check({ ...config, prevResult }, pod)).toMatchObject({
      exitCode: 1,
      json: { code: 102, msg: expect.stringContaining('endpoint') },
    });
  });
});
