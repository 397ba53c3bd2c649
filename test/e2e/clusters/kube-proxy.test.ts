import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { networkId } from '../../../src/model/identity.ts';
import { delegateOf, startVxlan } from '../../cluster/agents/flannel.ts';
import { type KubeProxyOptions, type Service, startKubeProxy } from '../../cluster/agents/kube-proxy.ts';
import { jsonOf, recipeFile } from '../../cluster/recipe-file.ts';
import { runCli } from '../cli/run-cli.ts';
import { type Node, type Pod, startNode } from '../node.ts';

const nodeIP = '10.0.0.4';
const hostMac = '00:15:5d:00:00:04';
const sourceVip = '10.244.3.200';
const remotePod = '10.244.5.7';
const remoteSubnet = {
  Type: 'RemoteSubnetRoute',
  Settings: {
    DestinationPrefix: '10.244.5.0/24',
    IsolationId: 4096,
    ProviderAddress: '10.0.0.5',
    DistributedRouterMacAddress: '00-15-5D-00-00-05',
  },
};
const overlayFile = 'deploy/kube-proxy/overlay.conflist';
const overlay = recipeFile(overlayFile, ['10.244.3.0/24']);
const SchemaVersion = { Major: 2, Minor: 0 };

let node: Node;
beforeEach(async () => {
  const adapter = { name: 'Ethernet', managementIp: nodeIP, mac: '00-15-5D-00-00-04' };
  node = await startNode({ adapters: [adapter] });
  node.ipam.prefix = '10.244.3.';
});
afterEach(() => node.stop());

async function addPod(config: object): Promise<{ readonly pod: Pod; readonly ip: string }> {
  const pod = node.newPod();
  const { json } = await node.add(config, pod);
  return { pod, ip: json.ips[0].address.split('/')[0] };
}

const addRemoteSubnet = () => node.hcn.addNetworkPolicies(networkId('overlay'), [remoteSubnet]);

const start = (network: string, more: Partial<KubeProxyOptions> = {}) =>
  startKubeProxy({ hcn: node.hcn, network, nodeIP, hostMac, sourceVip, dsr: true, ...more });

const service = (...ips: readonly string[]): Service => ({
  clusterIP: '10.96.0.20',
  port: 80,
  targetPort: 8080,
  nodePort: 30080,
  backends: ips.map((ip) => ({ ip, isLocal: ip.startsWith('10.244.3.') })),
});

const idOf = (address: string) =>
  node.hns.dump().endpoints.find((one) => JSON.stringify(one['IpConfigurations']).includes(`"${address}"`))?.[
    'ID'
  ];

/** The endpoints that no plugin created: kube-proxy's. */
const unnamed = () => node.hns.dump().endpoints.filter(({ Name }) => Name === 'Ethernet');

describe('on an Overlay network, kube-proxy', () => {
  test('finds the pods of win-hcn, and creates endpoints for the source VIP, the service and the remote pod', async () => {
    const { ip } = await addPod(overlay);
    await addRemoteSubnet();
    const proxy = await start('overlay');
    await proxy.sync([service(ip, remotePod)]);
    expect(proxy.errors).toEqual([]);
    const remote = (IpAddress: string, MacAddress: string, ProviderAddress: string) => ({
      IpConfigurations: [{ IpAddress }],
      MacAddress,
      Flags: 1,
      Policies: [{ Type: 'ProviderAddress', Settings: { ProviderAddress } }],
    });
    expect(unnamed()).toMatchObject([
      { IpConfigurations: [{ IpAddress: sourceVip, PrefixLength: 24 }], MacAddress: hostMac },
      remote('10.96.0.20', hostMac, nodeIP),
      remote(remotePod, '02-11-0a-f4-05-07', '10.0.0.5'),
    ]);
    const shared = { HostComputeEndpoints: [idOf(ip), idOf(remotePod)], SourceVIP: sourceVip, SchemaVersion };
    const tcp = { Protocol: 6, InternalPort: 8080 };
    expect(node.hns.dump().loadBalancers).toEqual([
      {
        ID: expect.any(String),
        ...shared,
        FrontendVIPs: ['10.96.0.20'],
        PortMappings: [{ ...tcp, ExternalPort: 80 }],
        Flags: 1,
      },
      { ID: expect.any(String), ...shared, PortMappings: [{ ...tcp, ExternalPort: 30080, Flags: 18 }] },
    ]);
  });

  test("uses the source VIP on flannel's network, which the flannel delegate then does not assign", async () => {
    startVxlan(node.hns, '10.244.1.0/24');
    node.ipam.prefix = '10.244.1.';
    const [text = ''] = jsonOf('kubeadm with kube-proxy');
    const system = { ...node.outside, executable: '/opt/cni/bin/win-hcn.exe' };
    const ensured = await runCli(['network', 'ensure', 'vip.conf', '--yes'], {
      system,
      files: { 'vip.conf': text },
    });
    expect(ensured.stdout).toContain('start kube-proxy with --source-vip=10.244.1.10\n');
    const environment = {
      FLANNEL_NETWORK: '10.244.0.0/16',
      FLANNEL_SUBNET: '10.244.1.1/24',
      FLANNEL_IPMASQ: 'true',
    };
    expect((await addPod(delegateOf('vxlan', environment))).ip).toBe('10.244.1.11');
    await (await start('flannel.4096', { sourceVip: '10.244.1.10' })).sync([]);
    expect(unnamed()).toEqual([]);
  });
});

test('the file for kube-proxy names the network of the conflist, and a source VIP in its subnet', () => {
  const { kind, mode, winkernel } = parse(readFileSync('deploy/kube-proxy/kube-proxy.yaml', 'utf8'));
  expect({ kind, mode, winkernel }).toEqual({
    kind: 'KubeProxyConfiguration',
    mode: 'kernelspace',
    winkernel: {
      networkName: overlay['name'],
      sourceVip: expect.stringMatching(/^10\.244\.3\.\d+$/),
      enableDSR: true,
    },
  });
});

describe("GC keeps kube-proxy's endpoints and load balancers", () => {
  let before: ReturnType<typeof unnamed>;
  beforeEach(async () => {
    const { ip } = await addPod(overlay);
    await addRemoteSubnet();
    await (await start('overlay')).sync([service(ip, remotePod)]);
    before = unnamed();
    expect(before).toHaveLength(3);
  });

  test('of a runtime without any pod', async () => {
    const { loadBalancers } = node.hns.dump();
    const config = { ...overlay, cniVersion: '1.1.0', 'cni.dev/valid-attachments': [] };
    expect(await node.gc(config)).toMatchObject({ exitCode: 0 });
    expect(node.hns.dump()).toMatchObject({ endpoints: before, loadBalancers });
  });
});
