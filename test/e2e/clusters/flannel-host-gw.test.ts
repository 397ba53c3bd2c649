import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { addHostGwRoute, delegateOf, startHostGw } from '../../cluster/agents/flannel.ts';
import { runCli } from '../cli/run-cli.ts';
import { example } from '../example.ts';
import { type Node, startNode } from '../node.ts';

const environment = {
  FLANNEL_NETWORK: '10.244.0.0/16',
  FLANNEL_SUBNET: '10.244.1.1/24',
  FLANNEL_IPMASQ: 'false',
};
const config = delegateOf('host-gw', environment);

let node: Node;
beforeEach(async () => {
  node = await startNode();
  startHostGw(node.hns, '10.244.1.0/24', '10.0.0.4');
});
afterEach(() => node.stop());

const network = () => node.hns.dump().networks;
const hostEndpoint = () => node.hns.dump().endpoints.find(({ Name }) => Name === 'cbr0_ep');

describe("a pod on flannel's network cbr0", () => {
  test("has flannel's endpoint as its gateway, and keeps its address toward pods and services", async () => {
    expect((await node.add(config)).json.ips).toEqual([
      { interface: 0, address: '10.244.1.10/24', gateway: '10.244.1.2' },
    ]);
    const pod = node.hns.dump().endpoints.find(({ Name }) => Name === 'pod1_cbr0_eth0');
    expect(pod).toMatchObject({
      IpConfigurations: [{ IpAddress: '10.244.1.10', PrefixLength: 24 }],
      Routes: [{ NextHop: '10.244.1.2', DestinationPrefix: '0.0.0.0/0' }],
      Policies: [
        { Type: 'OutBoundNAT', Settings: { Exceptions: ['10.96.0.0/12', '10.244.0.0/16'] } },
        { Type: 'OutBoundNAT', Settings: { Destinations: ['10.244.1.10'] } },
        { Type: 'SDNRoute', Settings: { DestinationPrefix: '10.96.0.0/12', NeedEncap: true } },
      ],
    });
  });

  test("comes and goes without a change to flannel's network and endpoint", async () => {
    const before = { network: network(), hostEndpoint: hostEndpoint() };
    const pod = node.newPod();
    const added = await node.add(config, pod);
    expect(await node.check({ ...config, prevResult: added.json }, pod)).toMatchObject({ exitCode: 0 });
    expect(await node.del(config, pod)).toMatchObject({ exitCode: 0, stdout: '' });
    expect({ network: network(), hostEndpoint: hostEndpoint() }).toEqual(before);
    expect(node.hns.dump().endpoints).toHaveLength(1);
    expect(node.ipam.leases.size).toBe(0);
  });

  test('works if HNS lists an endpoint that flannel has attached in the namespace of the host', async () => {
    const { ID: endpoint } = hostEndpoint() ?? {};
    const { NamespaceId, ID: namespace } = node.hns.dump().namespaces[0] ?? {};
    expect(NamespaceId).toBe(1);
    node.hns.others.detachHostEndpoint(String(endpoint));
    await node.hcn.addEndpoint(String(namespace), String(endpoint));
    const { exitCode, json, calls } = await node.add(config);
    expect({ exitCode, gateway: json.ips[0].gateway }).toEqual({ exitCode: 0, gateway: '10.244.1.2' });
    expect(calls.filter((name) => name === 'HcnModifyNamespace')).toHaveLength(1);
  });
});

test('before flanneld has created cbr0, ADD asks the runtime to retry and creates nothing', async () => {
  await node.stop();
  node = await startNode();
  expect(await node.add(config)).toMatchObject({
    exitCode: 1,
    json: { code: 11, msg: 'network "cbr0" does not exist and "createNetwork" is "never"' },
  });
  expect(node.hns.dump()).toMatchObject({ networks: [], endpoints: [] });
  expect(node.ipam.leases.size).toBe(0);
});

test("without flannel's plugin, l2bridge-host-endpoint.conflist gives win-hcn the same network", async () => {
  await node.stop();
  node = await startNode();
  node.ipam.prefix = '10.244.2.';
  startHostGw(node.hns, '10.244.2.0/24', '10.0.0.4');
  const before = network();
  const { exitCode, json } = await node.add(example('l2bridge-host-endpoint'));
  expect({ exitCode, ips: json.ips }).toEqual({
    exitCode: 0,
    ips: [{ interface: 0, address: '10.244.2.10/24', gateway: '10.244.2.2' }],
  });
  expect(network()).toEqual(before);
});

test("network sync leaves flanneld's routes alone", async () => {
  addHostGwRoute(node.hns, { subnet: '10.244.2.0/24', publicIp: '10.0.0.5' });
  const before = node.hns.nodeRoutes();
  const own = { cniVersion: '1.0.0', name: 'cbr0', type: 'win-hcn', networkType: 'L2Bridge' };
  for (const remoteSubnets of [[], [{ subnet: '10.244.2.0/24', nextHop: '10.0.0.5' }]]) {
    const files = { 'net.conf': JSON.stringify({ ...own, createNetwork: 'never', remoteSubnets }) };
    const words = ['network', 'sync', 'net.conf', '--yes'];
    expect(await runCli(words, { files, system: node.outside })).toMatchObject({ exitCode: 0 });
  }
  expect(node.hns.nodeRoutes()).toEqual(before);
});
