import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { example } from './example.ts';
import { type Node, startNode } from './node.ts';

let node: Node;
beforeEach(async () => {
  node = await startNode();
});
afterEach(() => node.stop());

describe('ADD', () => {
  test('a second time is refused and changes nothing, with and without an IPAM plugin', async () => {
    for (const changes of [{}, { ipam: { type: 'test-ipam' } }]) {
      const pod = node.newPod();
      const config = example('l2bridge', changes);
      const { json: prevResult } = await node.add(config, pod);
      const before = node.hns.dump().endpoints;
      const leases = new Map(node.ipam.leases);
      expect(await node.add(config, pod)).toMatchObject({ exitCode: 1, json: { code: 101 } });
      expect(node.hns.dump().endpoints).toEqual(before);
      expect(node.ipam.leases).toEqual(leases);
      expect(await node.check({ ...config, prevResult }, pod)).toMatchObject({ exitCode: 0 });
    }
  });

  test('adds two interfaces of one container to a network, and DEL of one keeps the other', async () => {
    const pod = node.newPod();
    const config = example('l2bridge');
    await node.cni('ADD', { config, pod, ifname: 'eth0' });
    expect(await node.cni('ADD', { config, pod, ifname: 'eth1' })).toMatchObject({
      json: { interfaces: [{ name: 'eth1' }] },
    });
    await node.cni('DEL', { config, pod, ifname: 'eth0' });
    expect(node.hns.dump().endpoints).toMatchObject([{ Name: `${pod.containerId}_l2bridge_eth1` }]);
  });
});

describe('DEL', () => {
  test.each([
    ['an unknown key', { colour: 'red' }],
    ['a bad policy', { acls: [{ action: 'Maybe' }] }],
    ['an edited subnet', { subnets: [{ subnet: '10.9.0.0/16' }] }],
    ['another network type', { networkType: 'NAT' }],
    ['an invalid prevResult', { prevResult: 'x' }],
    ['only a name', { networkType: undefined, subnets: undefined, acls: undefined }],
  ])('deletes the endpoint with %s in the configuration', async (_, changes) => {
    const pod = node.newPod();
    await node.add(example('l2bridge'), pod);
    expect(await node.del(example('l2bridge', changes), pod)).toMatchObject({ exitCode: 0 });
    expect(node.hns.dump().endpoints).toEqual([]);
  });
});
