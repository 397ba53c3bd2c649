import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startKubeProxy } from '../../cluster/agents/kube-proxy.ts';
import {
  createVipEndpoint,
  ovnNetwork,
  ovnNetworkId,
  runHybridOverlay,
  vipEndpointId,
  wmcoConf,
} from '../../cluster/agents/ovn.ts';
import { recipeFile } from '../../cluster/recipe-file.ts';
import { runCli, success } from '../cli/run-cli.ts';
import { type Node, startNode } from '../node.ts';

const path = 'deploy/ovn/05-win-hcn.conflist';
const own = recipeFile(path);
const wmco = wmcoConf('10.132.0.0/24', '172.30.0.0/16', '10.0.0.4');
const linux = { subnet: '10.128.2.0/24', address: '10.0.0.6', drMac: '0a:58:0a:80:02:03' };

let node: Node;
beforeEach(async () => {
  node = await startNode();
  node.ipam.prefix = '10.132.0.';
  await runHybridOverlay(node.hcn, { subnet: '10.132.0.0/24', others: [linux], vxlanPort: 9898 });
});
afterEach(() => node.stop());

const podEndpoint = () => node.hns.dump().endpoints.find(({ Name }) => String(Name).startsWith('pod1_'));

test.each([
  ['the file of the recipe', own, ['10.128.0.0/14', '10.132.0.0/14', '172.30.0.0/16']],
  ["WMCO's own file, in the place of win-overlay", wmco, ['172.30.0.0/16']],
])(
  'ADD with %s creates an endpoint on the network of the agent, and changes no network',
  async (_, config, Exceptions) => {
    const { networks } = node.hns.dump();
    expect(networks.map(({ Name, Flags = 0 }) => [Name, Flags])).toEqual([
      ['BaseOVNKubernetesHybridOverlayNetwork', 0],
      [ovnNetwork, 8],
    ]);
    const { exitCode, log } = await node.add(config);
    expect({ exitCode, log }).toEqual({ exitCode: 0, log: '' });
    expect(node.hns.dump().networks).toEqual(networks);
    expect(podEndpoint()).toMatchObject({
      HostComputeNetwork: ovnNetworkId,
      IpConfigurations: [{ IpAddress: expect.stringMatching(/^10\.132\.0\./), PrefixLength: 24 }],
      Routes: [{ NextHop: '10.132.0.1', DestinationPrefix: '0.0.0.0/0' }],
      Policies: expect.arrayContaining([
        { Type: 'OutBoundNAT', Settings: { Exceptions } },
        { Type: 'SDNRoute', Settings: { DestinationPrefix: '172.30.0.0/16', NeedEncap: true } },
        { Type: 'ProviderAddress', Settings: { ProviderAddress: '10.0.0.4' } },
      ]),
    });
  },
);

test('HNS assigns the addresses of pods and of VIPEndpoint, so that they differ', async () => {
  const sourceVip = await createVipEndpoint(node.hcn);
  const { json } = await node.add(own);
  expect(json.ips[0].address).not.toBe(`${sourceVip}/24`);
});

test('kube-proxy uses VIPEndpoint as source VIP, and reaches the Linux pod through its node', async () => {
  const sourceVip = await createVipEndpoint(node.hcn);
  const { json } = await node.add(own);
  const [ip = ''] = json.ips[0].address.split('/');
  const options = { network: ovnNetwork, nodeIP: '10.0.0.4', hostMac: '00:15:5d:00:00:04', dsr: true };
  const proxy = await startKubeProxy({ hcn: node.hcn, ...options, sourceVip });
  const backends = [{ ip, isLocal: true }, { ip: '10.128.2.9' }];
  await proxy.sync([{ clusterIP: '172.30.0.20', port: 80, targetPort: 8080, backends }]);
  expect(proxy.errors).toEqual([]);
  const { endpoints, loadBalancers } = node.hns.dump();
  const holders = endpoints.filter((one) => JSON.stringify(one['IpConfigurations']).includes(sourceVip));
  expect(holders).toMatchObject([{ ID: vipEndpointId, Name: 'VIPEndpoint' }]);
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

test.each([
  [path, readFileSync(path, 'utf8'), ': /plugins/0: win-hcn configuration, network type Overlay'],
  ['cni.conf', JSON.stringify(wmco), ': win-overlay configuration, network type Overlay'],
])('validate finds no problem in %s', async (name, text, described) => {
  expect(await runCli(['validate', name], { files: { [name]: text } })).toEqual(
    success(`${name}${described}`, `${name}: no problems`),
  );
});
