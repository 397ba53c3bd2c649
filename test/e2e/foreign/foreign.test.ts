import { afterEach, expect, test } from 'vitest';
import { azure } from './azure.ts';
import { calico } from './calico.ts';
import { flannel } from './flannel.ts';
import { type Fixture, type ForeignNode, policy, services, startForeignNode } from './foreign-node.ts';
import { nerdctl } from './nerdctl.ts';
import { winBridge } from './win-bridge.ts';

let node: ForeignNode;
afterEach(() => node.stop());

/** The exit code of doctor, and its findings by check. */
async function diagnose() {
  const { exitCode, stdout } = await node.run('doctor');
  const rows = stdout.split('\n').flatMap((line) => /^([A-Z]+) +(.{18}) {2}(.+)$/.exec(line) ?? []);
  const found: Record<string, string> = {};
  for (const [index, check] of rows.entries())
    if (index % 4 === 2) found[check.trim()] = `${rows[index - 1]} ${rows[index + 1]}`;
  return { exitCode, found };
}

/** Checks that do not depend on the plugin. */
const ofWindows = ['elevation', 'Windows', 'HNS service', 'HCN', 'ports'];

/** The findings on a healthy node of a plugin. */
function passes({ plugin, folders: [bin, conf], confs, network, programs, ...fixture }: Fixture) {
  const [first] = Object.keys(confs);
  const { endpoints, findings, kubeProxy } = fixture;
  const count = Object.keys(confs).length + programs.length + 2;
  return {
    ...Object.fromEntries(ofWindows.map((check) => [check, expect.stringMatching(/^PASS /)])),
    containerd: `PASS plugins in ${bin}, configurations in ${conf}; C:\\Program Files\\containerd\\config.toml`,
    'active conf': `PASS ${conf}\\${first}: network "${network}", plugin ${plugin}; no file configures win-hcn: nothing is compared with a configuration`,
    plugins: `PASS ${programs.map((name) => `${bin}\\${name}.exe`).join(', ')}`,
    access: `PASS only administrators and SYSTEM can modify the CNI plugins and configurations (${count} paths checked)`,
    'default route': 'PASS via 10.0.0.1 on "vEthernet (Ethernet)"',
    'leftover endpoints': 'PASS 0 of 2 local endpoints',
    'endpoint health': `PASS 0 of ${endpoints} degraded`,
    addresses: `PASS ${endpoints} addresses and local MAC addresses, no duplicates`,
    'running pods': 'PASS 2 namespaces with containers, all with endpoints',
    ...(kubeProxy && {
      paths: 'PASS no predicted loss on this node for 2 endpoints: to DNS server 10.96.0.10',
      'DNS service': 'PASS load balancers have DNS server 10.96.0.10, UDP and TCP port 53',
      'load balancers': 'PASS 5 load balancers: backends and sources exist, no frontend is of a pod',
    }),
    ...findings,
  };
}

const plugins = [calico, flannel, azure, winBridge, nerdctl];

test.each(plugins)('doctor and gc find nothing on a healthy node of $plugin', async (fixture) => {
  node = await startForeignNode(fixture);
  expect(await diagnose()).toEqual({ exitCode: 0, found: passes(fixture) });
  const collected = await node.run('gc', '--other-plugins');
  expect(collected).toEqual({ exitCode: 0, stdout: 'No leftovers found.\n', stderr: '' });
});

test.each(plugins)('trace follows a pod of $plugin to a service and outside', async (fixture) => {
  node = await startForeignNode(fixture);
  const { nodeIp, kubeProxy } = fixture;
  const trace = async (to: string) => {
    const { exitCode, stdout } = await node.run('trace', kubeProxy ? 'shop/web' : '1f1f1f1f', to);
    return `${exitCode} ${stdout.split('\n', 1)}`;
  };
  const router = nodeIp.replace(/4$/, '1');
  const outside = `0 Leaves this node to next hop ${router}, as ${nodeIp} -> 8.8.8.8:443/tcp.`;
  expect(await trace('8.8.8.8:443')).toBe(outside);
  if (kubeProxy) expect(await trace('10.96.0.10:53/udp')).toMatch(/^0 Arrives at pod kube-system\/dns/);
});

const block = { Action: 'Block', Direction: 'Out', Priority: 950, RuleType: 'Switch' };
const dnsPort = { Protocols: '17', RemotePorts: '53' };

test.each<readonly [string, Fixture, () => unknown, string]>([
  [
    'an ACL of felix blocks DNS, which its Host ACL allows',
    calico,
    () => node.hcn.addPolicies(idOf('10.244.213.196'), [policy('ACL', { ...block, ...dnsPort })]),
    'paths: WARN 1fe6032f (pod shop/web): packets to DNS server 10.96.0.10 are lost: Out ACL with priority 950 (udp, remote port 53) blocks it.',
  ],
  [
    "flannel's host endpoint is gone",
    flannel,
    () => node.hcn.deleteEndpoint(idOf('10.244.1.2')),
    'pod gateways: FAIL 2 endpoints: nothing on this node has gateway 10.244.1.2 (1fe6032f (pod shop/web), 2fe6032f (pod kube-system/dns))',
  ],
  [
    'IP forwarding is off',
    winBridge,
    () => node.hns.disableForwarding(),
    'IP forwarding: FAIL IPv4 forwarding is off on "vEthernet (cbr0)" and "vEthernet (Ethernet)": pods cannot reach other hosts',
  ],
  [
    'azure-vnet left an endpoint',
    azure,
    async () => {
      const namespace = await node.startPod('shop/late', '10.224.0.23');
      node.hns.detachContainer(namespace, '3f'.repeat(32));
      await node.hcn.deleteNamespace(namespace);
    },
    'leftover endpoints: WARN 3fe6032f: leftover of another plugin, in no namespace',
  ],
  [
    'a pod of win-bridge has no default route',
    winBridge,
    () =>
      node.startPod('shop/late', '10.244.1.5', {
        Routes: [{ NextHop: '10.244.1.2', DestinationPrefix: services }],
      }),
    'pod gateways: FAIL 3fe6032f (pod shop/late): no default route',
  ],
  [
    'a container of nerdctl lost its endpoint',
    nerdctl,
    () => node.hcn.deleteEndpoint(idOf('172.19.208.2')),
    'running pods: WARN 1f1f1f1f1f1f1: without an endpoint and so without network: recreate the pod',
  ],
])('doctor finds only that %s', async (_, fixture, plant, finding) => {
  node = await startForeignNode(fixture);
  await plant();
  const { exitCode, found } = await diagnose();
  const others = Object.entries(found).filter(([, text]) => !text.startsWith('PASS'));
  expect(others.map(([check, text]) => `${check}: ${text}`)).toEqual([finding]);
  expect(exitCode).toBe(finding.includes('FAIL') ? 1 : 0);
});

/** The endpoint with an address. */
function idOf(address: string): string {
  const found = node.hns.dump().endpoints.find((one) => JSON.stringify(one).includes(`"${address}"`));
  return String(found?.['ID']);
}
