import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { example } from './example.ts';
import { type Node, startNode } from './node.ts';

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

/** Two attachments, and then the node starts anew; IPAM plugins keep their leases. */
async function restartWithTwo(given: object) {
  const one = node.newPod('one');
  for (const pod of [one, node.newPod('two')])
    expect(await node.cni('ADD', { config: given, pod })).toMatchObject({ exitCode: 0 });
  node.hns.reboot();
  expect(holders()).toEqual(['one eth0', 'two eth0']);
  return one;
}

describe('after a restart of the node', () => {
  test('a network that does not persist is gone with its endpoints: DEL gives back the address, and the next ADD makes both', async () => {
    const one = await restartWithTwo(volatile);
    expect(node.hns.dump()).toMatchObject({ networks: [], endpoints: [] });
    expect(await node.cni('DEL', { config: volatile, pod: one })).toMatchObject({ exitCode: 0 });
    expect(holders()).toEqual(['two eth0']);
    expect(await node.cni('ADD', { config: volatile, pod: node.newPod('next') })).toMatchObject({
      exitCode: 0,
      json: { ips: [{ address: '10.244.1.10/24' }] },
    });
    expect([names(), holders()]).toEqual([['next_l2bridge_eth0'], ['two eth0', 'next eth0']]);
  });

  test('GC gives back the addresses of a network that is gone', async () => {
    await restartWithTwo(volatile);
    expect(await node.cni('GC', { config: gc(volatile), pod: node.newPod() })).toMatchObject({ exitCode: 0 });
    expect(holders()).toEqual([]);
  });

  test('the endpoints of pods that were go with DEL, and with GC, and so do their addresses', async () => {
    const one = await restartWithTwo(config);
    expect(await node.cni('DEL', { config, pod: one })).toMatchObject({ exitCode: 0 });
    expect([names(), holders()]).toEqual([['two_l2bridge_eth0'], ['two eth0']]);
    expect(await node.cni('GC', { config: gc(config), pod: node.newPod() })).toMatchObject({ exitCode: 0 });
    expect([names(), holders()]).toEqual([[], []]);
  });
});

describe('after a restart of the service between ADD and CHECK', () => {
  test('CHECK finds what HNS kept', async () => {
    const pod = node.newPod();
    const { json: prevResult } = await node.cni('ADD', { config, pod });
    node.hns.restart();
    expect(await node.cni('CHECK', { config: { ...config, prevResult }, pod })).toMatchObject({
      exitCode: 0,
    });
  });

  test('CHECK says what a network that does not persist took along', async () => {
    const pod = node.newPod();
    const { json: prevResult } = await node.cni('ADD', { config: volatile, pod });
    node.hns.restart();
    expect(await node.cni('CHECK', { config: { ...volatile, prevResult }, pod })).toMatchObject({
      exitCode: 1,
      json: { code: 102, msg: expect.stringContaining('endpoint') },
    });
  });
});
