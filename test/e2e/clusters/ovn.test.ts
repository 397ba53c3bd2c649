import { afterEach, beforeEach, expect, test } from 'vitest';
import { startKubeProxy } from '../../cluster/agents/kube-proxy.ts';
import {
  addOvnNode,
  createVipEndpoint,
  ovnNetwork,
  ovnNetworkId,
  runHybridOverlay,
} from '../../cluster/agents/ovn.ts';
import { recipeFile } from '../../cluster/recipe-file.ts';
import { runCli } from '../cli/run-cli.ts';
import { type Node, startNode } from '../node.ts';

const path = 'deploy/ovn/05-win-hcn.conflist';
const own = recipeFile(path);
const vxlanPort = 9898;
const linux = { subnet: '10.128.2.0/24', address: '10.0.0.6', drMac: '0a:58:0a:80:02:03' };

let node: Node;
beforeEach(async () => {
  node = await startNode();
  node.ipam.prefix = '10.132.0.';
  await runHybridOverlay(node.hcn, { subnet: '10.132.0.0/24', vxlanPort });
  await addOvnNode(node.hcn, linux);
});
afterEach(() => node.stop());

const podEndpoint = () => node.hns.dump().endpoints.find(({ Name }) => String(Name).startsWith('pod1_'));

test('ADD creates an endpoint on the network of the agent, and changes no network', async () => {
  const { networks } = node.hns.dump();
  expect(networks.map(({ Name, Flags = 0 }) => [Name, Flags])).toEqual([
    ['BaseOVNKubernetesHybridOverlayNetwork', 0],
    [ovnNetwork, 8],
  ]);
  const { exitCode, log } = await node.add(own);
  expect({ exitCode, log }).toEqual({ exitCode: 0, log: '' });
  expect(node.hns.dump().networks).toEqual(networks);
  expect(podEndpoint()).toMatchObject({
    HostComputeNetwork: ovnNetworkId,
    IpConfigurations: [{ IpAddress: expect.stringMatching(/^10\.132\.0\./), PrefixLength: 24 }],
    Routes: [{ NextHop: '10.132.0.1', DestinationPrefix: '0.0.0.0/0' }],
    Policies: expect.arrayContaining([
      { Type: 'OutBoundNAT', Settings: { Exceptions: ['10.128.0.0/14', '10.132.0.0/14', '172.30.0.0/16'] } },
      { Type: 'SDNRoute', Settings: { DestinationPrefix: '172.30.0.0/16', NeedEncap: true } },
      { Type: 'ProviderAddress', Settings: { ProviderAddress: '10.0.0.4' } },
    ]),
  });
});

test('kube-proxy uses VIPEndpoint as source VIP, and reaches the Linux pod through its node', async () => {
  const sourceVip = createVipEndpoint(node.hns);
  const { json } = await node.add(own);
  const [ip = ''] = json.ips[0].address.split('/');
  const options = { network: ovnNetwork, nodeIP: '10.0.0.4', hostMac: '00:15:5d:00:00:04', dsr: true };
  const proxy = await startKubeProxy({ hcn: node.hcn, ...options, sourceVip });
  const backends = [{ ip, isLocal: true }, { ip: '10.128.2.9' }];
  await proxy.sync([{ clusterIP: '172.30.0.20', port: 80, targetPort: 8080, backends }]);
  expect(proxy.errors).toEqual([]);
  const { endpoints, loadBalancers } = node.hns.dump();
  const holders = endpoints.filter((one) => JSON.stringify(one['IpConfigurations']).includes(sourceVip));
  expect(holders).toMatchObject([{ Name: 'VIPEndpoint' }]);
  const remote = endpoints.find((one) => JSON.stringify(one['IpConfigurations']).includes('10.128.2.9'));
  expect(remote?.['Policies']).toEqual([
    { Type: 'ProviderAddress', Settings: { ProviderAddress: '10.0.0.6' } },
  ]);
  expect(loadBalancers).toMatchObject([
    { HostComputeEndpoints: [podEndpoint()?.['ID'], remote?.['ID']], SourceVIP: sourceVip, Flags: 1 },
  ]);
});

test('ADD fails, and creates nothing, until the agent has created the network', async () => {
  const { networks } = node.hns.dump();
  await node.hcn.deleteNetwork(ovnNetworkId);
  expect(await node.add(own)).toMatchObject({
    exitCode: 1,
    json: { code: 11, msg: expect.stringContaining(`"${ovnNetwork}"`) },
  });
  expect(node.hns.dump().networks).toEqual(networks.filter(({ Name }) => Name !== ovnNetwork));
});

test('network sync refuses the network, because the agent owns its remote subnets', async () => {
  const { networks } = node.hns.dump();
  const remoteSubnets = [
    { subnet: '10.132.1.0/24', vsid: 4097, providerAddress: '10.0.0.5', macAddress: '00-15-5D-00-00-05' },
  ];
  const files = { 'net.conf': JSON.stringify({ ...own, remoteSubnets }) };
  const words = ['network', 'sync', 'net.conf', '--yes'];
  const { exitCode, stderr } = await runCli(words, { system: node.outside, files });
  expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: expect.stringContaining('OVN-Kubernetes') });
  expect(node.hns.dump().networks).toEqual(networks);
});
