import { describe, expect, test } from 'vitest';
import { attachmentOf } from '../../../src/cni/request.ts';
import type { Result } from '../../../src/cni/result.ts';
import { add } from '../../../src/commands/add.ts';
import { check } from '../../../src/commands/check.ts';
import { readNetworkConfig } from '../../../src/config/read-config.ts';
import { endpointId, networkId } from '../../../src/model/identity.ts';
import { example } from '../../e2e/example.ts';
import { smallNode } from './small-node.ts';

const namespaceId = '2d203c8e-8c70-4e74-9b2e-9f9b3e8c4b32';
const request = {
  command: 'CHECK',
  containerId: 'pod1',
  ifname: 'eth0',
  netns: namespaceId,
  namespaceId,
} as const;
const config = readNetworkConfig(example('nat'));
const id = endpointId(attachmentOf(request, config.name));

/** A node with one attachment, and the result of its ADD. HNS gives the endpoint an address. */
async function attached() {
  const node = smallNode({
    namespaces: [
      {
        ID: namespaceId,
        Type: 'HostDefault',
        Resources: [{ Type: 'Endpoint', Data: { Id: id } }],
      },
    ],
    adds: { IpConfigurations: [{ IpAddress: '172.19.208.5', PrefixLength: 20 }] },
  });
  const prevResult = await add(request, config, node.context, (result: Result) => result);
  return { node, prevResult };
}

describe('CHECK', () => {
  test('without the result of ADD is code 7', async () => {
    await expect(check(request, config, smallNode().context)).rejects.toMatchObject({
      code: 7,
      message: '/prevResult is missing, expected the result of the ADD to check against',
      details: 'runtimes keep it; when you run CHECK yourself, use what ADD printed',
    });
  });

  test('changes nothing, and does not query the network if nothing depends on it', async () => {
    const { node, prevResult } = await attached();
    const from = node.calls.length;
    await check(request, { ...config, prevResult }, node.context);
    expect(node.calls.slice(from).filter((call) => /^(create|modify|delete)|Network/.test(call))).toEqual([]);
  });

  test('of a deleted endpoint is code 102 with every difference and the next step', async () => {
    const { node, prevResult } = await attached();
    await node.hcn.deleteEndpoint(id);
    await expect(check(request, { ...config, prevResult }, node.context)).rejects.toMatchObject({
      code: 102,
      message: expect.stringMatching(/^the attachment differs from the result of ADD: ./),
      details: expect.stringMatching(/delete the pod, so that it is recreated$/),
    });
  });

  test('of a deleted network is code 102 if the endpoint depends on it', async () => {
    const { node, prevResult } = await attached();
    await node.hcn.deleteNetwork(networkId(config.name));
    const dependent = { ...config, prevResult, mtu: 1400 };
    await expect(check(request, dependent, node.context)).rejects.toMatchObject({ code: 102 });
    await check(request, { ...config, prevResult }, node.context);
  });

  test('runs CHECK of the IPAM plugin, after HCN', async () => {
    const runs: string[] = [];
    const { node, prevResult } = await attached();
    const context = {
      ...node.context,
      locateIpam: () => ({
        type: 'host-local',
        check: async () => void runs.push('CHECK'),
        status: async () => undefined,
      }),
    };
    await check(request, { ...config, prevResult }, context);
    expect(runs).toEqual(['CHECK']);
    await node.hcn.deleteEndpoint(id);
    await expect(check(request, { ...config, prevResult }, context)).rejects.toMatchObject({ code: 102 });
    expect(runs).toEqual(['CHECK']);
  });
});
