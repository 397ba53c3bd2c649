import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { endpointId, networkId } from '../../src/model/identity.ts';
import { example } from './example.ts';
import { type Node, type Pod, startNode } from './node.ts';

const config = example('l2bridge', { ipam: { type: 'test-ipam' } });
const network = networkId('l2bridge');
const schemaVersion = { Major: 2, Minor: 0 };

let node: Node;
beforeEach(async () => {
  node = await startNode();
  await node.add(config, node.newPod('neighbour'));
});
afterEach(() => node.stop());

const idOf = (containerId: string) => endpointId({ containerId, ifname: 'eth0', network: 'l2bridge' });

/** Creates an endpoint without the IPAM plugin. */
async function plant(id: string, address: string, more: object = {}): Promise<void> {
  const Name = 'by-hand';
  const document = {
    Name,
    HostComputeNetwork: network,
    IpConfigurations: [{ IpAddress: address }],
    SchemaVersion: schemaVersion,
    ...more,
  };
  await node.hcn.createEndpoint(network, id, document);
}

/** Creates an endpoint of win-hcn without a pod and without a lease. */
async function plantOurs(): Promise<Pod> {
  const pod = node.newPod('gone');
  await plant(idOf('gone'), '10.244.1.11', { Name: 'gone_l2bridge_eth0' });
  return pod;
}

const names = () => node.hns.dump().endpoints.map(({ Name }) => Name);

const other = '0b5e1c9a-5e1f-4d8e-9a55-3d3c1a2b4c5d';

describe('an address in use is reclaimed, and the ADD succeeds, if it is held', () => {
  test.each<[string, () => Promise<unknown>]>([
    ['by an endpoint of win-hcn without a namespace', plantOurs],
    [
      'by an endpoint of win-hcn whose namespace was deleted',
      async () => {
        const pod = await plantOurs();
        await node.hcn.addEndpoint(pod.netns, idOf('gone'));
        await node.hcn.deleteNamespace(pod.netns);
      },
    ],
    [
      'by an endpoint of win-hcn that still names a deleted namespace',
      async () => {
        await plantOurs();
        const endpoint = node.hns.dump().endpoints.find(({ ID }) => ID === idOf('gone'));
        const HostComputeNamespace = 'c08cb7b8-9b3c-408e-8e30-5e16a3aeb444';
        const answer = JSON.stringify({ ...endpoint, HostComputeNamespace });
        node.hns.inject({ function: 'HcnQueryEndpointProperties', ordinal: 2, effect: { answer } });
      },
    ],
    [
      "by kube-proxy's remote endpoint that no load balancer references",
      () => plant(other, '10.244.1.11', { Flags: 1 }),
    ],
  ])('%s', async (_, prepare) => {
    await prepare();
    const added = await node.add(config, node.newPod('next'));
    expect(added).toMatchObject({ exitCode: 0, json: { ips: [{ address: '10.244.1.11/24' }] } });
    expect(names()).toEqual(['neighbour_l2bridge_eth0', 'next_l2bridge_eth0']);
  });

  test('by a leftover of another plugin, if the configuration is in its dialect', async () => {
    await plant(other, '10.244.1.11', { Name: 'gone_l2bridge' });
    const dropIn = { cniVersion: '1.0.0', name: 'l2bridge', type: 'win-bridge', ipam: { type: 'test-ipam' } };
    expect(await node.add(dropIn, node.newPod('next'))).toMatchObject({ exitCode: 0 });
    expect(names()).not.toContain('gone_l2bridge');
  });
});

describe('an address in valid use fails the ADD, which names the holder and changes nothing', () => {
  test.each<[string, () => Promise<string>]>([
    [
      'an endpoint of win-hcn in an existing namespace: a starting pod has no container yet',
      async () => {
        const pod = await plantOurs();
        await node.hcn.addEndpoint(pod.netns, idOf('gone'));
        return `endpoint "gone_l2bridge_eth0" (${idOf('gone')}) has address 10.244.1.11 and is in namespace ${pod.netns}: delete its pod first, or repair the records of the IPAM plugin`;
      },
    ],
    [
      'an endpoint of another program without a namespace',
      async () => {
        await plant(other, '10.244.1.11');
        return `endpoint "by-hand" (${other}) has address 10.244.1.11 and was not created by win-hcn. If it is unused, run win-hcn debug endpoint delete ${other} --yes`;
      },
    ],
    [
      "kube-proxy's endpoint for a pod on another node, which a load balancer refers to",
      async () => {
        await plant(other, '10.244.1.11', { Flags: 1 });
        const id = '7f9f2c8e-4f53-4a1e-8a52-52b6b2a3c9d1';
        await node.hcn.createLoadBalancer(id, {
          HostComputeEndpoints: [other],
          FrontendVIPs: ['10.96.0.10'],
          PortMappings: [{ Protocol: 6, InternalPort: 80, ExternalPort: 80 }],
          SchemaVersion: schemaVersion,
        });
        return `remote endpoint "by-hand" (${other}) has address 10.244.1.11 and is a backend of load balancers: kube-proxy deletes it when the pod on the other node is gone`;
      },
    ],
  ])('%s', async (_, prepare) => {
    const details = await prepare();
    const before = { endpoints: node.hns.dump().endpoints, leases: new Map(node.ipam.leases) };
    const answer = await node.add(config, node.newPod('next'));
    expect(answer).toMatchObject({
      exitCode: 1,
      json: { code: 100, msg: expect.stringContaining('HCN_E_ADDR_INVALID_OR_RESERVED (0x803b002f)') },
    });
    expect(answer.json.details).toContain(details);
    expect({ endpoints: node.hns.dump().endpoints, leases: node.ipam.leases }).toEqual(before);
  });
});
