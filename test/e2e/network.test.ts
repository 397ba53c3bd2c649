import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { networkId } from '../../src/model/identity.ts';
import { hastyClock } from './clock.ts';
import { example } from './example.ts';
import { type Node, startNode } from './node.ts';

let node: Node;
beforeEach(async () => {
  node = await startNode();
});
afterEach(() => node.stop());

test.each(['overlay', 'l2bridge'])(
  'a network of the %s example that HNS does not finish in time is error 11 and stays for the next ADD',
  async (name) => {
    await node.stop();
    node = await startNode({ providerAddressDelayMs: 1500 }, () => hastyClock(100));
    const pod = node.newPod();
    expect(await node.add(example(name, { ipam: undefined }), pod)).toMatchObject({
      exitCode: 1,
      json: { code: 11, msg: `network "${name}" has no usable address of the node after 20 s` },
    });
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect(await node.add(example(name, { ipam: undefined }), pod)).toMatchObject({ exitCode: 0 });
  },
);

describe('a response of HCN', () => {
  const object = (members: object) => JSON.stringify({ ID: networkId('l2bridge'), ...members });

  test.each([
    ['text that is not JSON', 'HcnEnumerateNetworks', '{'],
    ['an object for a list', 'HcnEnumerateNetworks', '{}'],
    ['a network without an id', 'HcnQueryNetworkProperties', '{}'],
    ['a number for a type', 'HcnQueryNetworkProperties', object({ Type: 5 })],
    ['an invalid address', 'HcnQueryEndpointProperties', object({ IpConfigurations: [{}] })],
  ])('with %s is an error and never means absent', async (_, name, answer) => {
    await node.add(example('l2bridge'));
    const before = node.hns.dump().endpoints;
    node.hns.clearCalls();
    node.hns.inject({ function: name, effect: { answer } });
    const added = await node.add(example('l2bridge', { createNetwork: 'never' }));
    expect(added).toMatchObject({
      exitCode: 1,
      json: { code: 11, msg: expect.stringContaining('HCN returned') },
    });
    expect(node.hns.calls.map((call) => call.function)).not.toContain('HcnCreateNetwork');
    expect(node.hns.dump().endpoints).toEqual(before);
  });
});
