import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { settingsOf } from '../../../src/model/network-document.ts';
import { type Service, startKubeProxy } from '../../cluster/agents/kube-proxy.ts';
import { type Cluster, expectReach, journey } from '../../cluster/judge.ts';
import { linuxNode } from '../../cluster/linux-node.ts';
import { recipeFile } from '../../cluster/recipe-file.ts';
import { router } from '../../cluster/router.ts';
import { windowsNode } from '../../cluster/windows-node.ts';
import { runCli } from '../cli/run-cli.ts';
import { type Node, startNode } from '../node.ts';

/** Windows nodes 10.0.0.3 and 10.0.0.5 with pods in 10.244.3.0/24 and 10.244.5.0/24. */
const numbers = [3, 5] as const;
const address = (n: number) => `10.0.0.${n}`;
const subnet = (n: number) => `10.244.${n}.0/24`;
const isOn = (n: number, ip: string) => ip.startsWith(`10.244.${n}.`);

const linux = { subnet: subnet(6), address: address(6), mac: '86:1b:2c:3d:4e:5f' };
const linuxPod = '10.244.6.9';
const outside = '8.8.8.8';
const vsid = 4096;

interface Started {
  readonly cluster: Cluster;
  /** Two pods on the first node, the first with host port 8443, and one on the second node. */
  readonly pods: readonly [string, string, string];
  /** The source VIP of the first node. */
  readonly sourceVip: string;
}

const nodes: Node[] = [];

async function runOn(node: Node, config: object, ...words: readonly string[]): Promise<string> {
  const files = { 'net.conf': JSON.stringify(config) };
  const system = { ...node.outside, executable: '/opt/cni/bin/win-hcn.exe' };
  const { exitCode, stdout, stderr } = await runCli([...words, 'net.conf', '--yes'], { system, files });
  expect(exitCode, stdout + stderr).toBe(0);
  return stdout;
}

/** The recipe "kubeadm with kube-proxy": network ensure, network sync, pods, kube-proxy. */
async function startCluster(file: string, dsr: boolean): Promise<Started> {
  const machines = [];
  for (const n of numbers) {
    const adapter = { name: 'Ethernet', managementIp: address(n), mac: `00-15-5D-00-00-0${n}` };
    const node = await startNode({ adapters: [adapter] });
    nodes.push(node);
    node.ipam.prefix = `10.244.${n}.`;
    const config = recipeFile(file, [subnet(n)]);
    const [, sourceVip = ''] =
      /--source-vip=(\S+)/.exec(await runOn(node, config, 'network', 'ensure')) ?? [];
    const [network] = node.hns.dump().networks;
    const policies = JSON.parse(JSON.stringify(network?.['Policies'] ?? []));
    const mac = String(settingsOf(policies, 'DrMacAddress')?.['Address'] ?? '');
    machines.push({ n, node, config, sourceVip, mac, subnet: subnet(n), address: address(n) });
  }
  const isOverlay = machines.every(({ sourceVip }) => sourceVip !== '');
  const pods: string[] = [];
  for (const { n, node, config } of machines) {
    const remoteSubnets = [...machines.filter((other) => other.n !== n), linux].map((other) =>
      isOverlay
        ? { subnet: other.subnet, vsid, providerAddress: other.address, macAddress: other.mac }
        : { subnet: other.subnet, nextHop: other.address },
    );
    await runOn(node, { ...config, remoteSubnets }, 'network', 'sync');
    const hostPort = { hostPort: 8443, containerPort: 443, protocol: 'tcp' };
    for (const portMappings of n === 3 ? [[hostPort], []] : [[]]) {
      const { json } = await node.add({ ...config, runtimeConfig: { portMappings } });
      pods.push(json.ips[0].address.split('/')[0]);
    }
  }
  const [first = '', second = '', third = ''] = pods;
  for (const { n, node, config, sourceVip } of machines) {
    const backends = (...ips: readonly string[]) => ips.map((ip) => ({ ip, isLocal: isOn(n, ip) }));
    const services: readonly Service[] = [
      { clusterIP: '10.96.0.20', port: 80, targetPort: 8080, nodePort: 30080, backends: backends(...pods) },
      {
        ...{ clusterIP: '10.96.0.21', port: 80, targetPort: 8080, nodePort: 30081 },
        externalTrafficPolicy: 'Local',
        backends: backends(first, third),
      },
      { clusterIP: '10.96.0.22', port: 80, targetPort: 8080, backends: backends(linuxPod) },
    ];
    const proxy = await startKubeProxy({
      hcn: node.hcn,
      network: String(config['name']),
      nodeIP: address(n),
      hostMac: `00:15:5d:00:00:0${n}`,
      ...(sourceVip !== '' && { sourceVip }),
      dsr,
    });
    await proxy.sync(services);
    expect(proxy.errors).toEqual([]);
  }
  const vtep = {
    address: '10.244.6.0',
    mac: linux.mac,
    vni: vsid,
    remotes: machines.map(({ mac, ...other }) => ({ subnet: other.subnet, mac, publicIp: other.address })),
  };
  const routes = machines.map((other) => ({ prefix: other.subnet, nextHop: other.address }));
  const cluster = {
    nodes: [
      ...machines.map(({ n, node }) => windowsNode(`win-${n}`, node.hns)),
      linuxNode({
        name: 'linux',
        addresses: [`${linux.address}/24`],
        gateways: ['10.0.0.1'],
        podSubnets: [linux.subnet],
        ...(isOverlay ? { vtep } : { routes }),
      }),
      router({ addresses: ['10.0.0.1/24'], outside: [outside] }),
    ],
  };
  return { cluster, pods: [first, second, third], sourceVip: machines[0]?.sourceVip ?? '' };
}

/** The sources that the receivers see; the outcome instead if a packet or its reply may be lost. */
function seenBy({ cluster }: Started, from: string, to: string): readonly string[] {
  const { ways } = journey(cluster, from, to);
  return [...new Set(ways.map(({ outcome, seenAs = '' }) => (outcome === 'arrives' ? seenAs : outcome)))];
}

describe.each([
  { network: 'Overlay', file: 'deploy/kube-proxy/overlay.conflist', dsr: true },
  { network: 'Overlay', file: 'deploy/kube-proxy/overlay.conflist', dsr: false },
  { network: 'L2Bridge', file: 'deploy/l2bridge/10-win-hcn.conflist', dsr: true },
])('beside kube-proxy on $network networks, with DSR $dsr,', ({ file, dsr, network }) => {
  let started: Started;
  beforeAll(async () => {
    started = await startCluster(file, dsr);
  });
  afterAll(async () => {
    for (const node of nodes.splice(0)) await node.stop();
  });
  const isOverlay = network === 'Overlay';

  test('pods of all nodes reach each other from their own addresses', () => {
    const { cluster, pods } = started;
    const all = [...pods, linuxPod];
    for (const from of all) for (const to of all) if (from !== to) expectReach(cluster, from, to);
  });

  test('a pod reaches a service with pods of all nodes, which see its address only with DSR', () => {
    const [pod, , remote] = started.pods;
    const source = dsr ? pod : started.sourceVip;
    // The pod itself is one of the backends: loopbackDSR gives it the address of the node.
    expect(seenBy(started, pod, '10.96.0.20:80')).toEqual([address(3), source]);
    expect(seenBy(started, pod, '10.96.0.22:80')).toEqual([source]);
    expect(seenBy(started, remote, '10.96.0.22:80')).not.toContain('lost');
  });

  test('an outside host reaches a host port of a pod, and the pod sees its address', () => {
    expect(seenBy(started, outside, `${address(3)}:8443`)).toEqual([outside]);
  });

  test('an outside host reaches a node port with pods of all nodes from an address of the node', () => {
    const source = isOverlay ? started.sourceVip : address(3);
    expect(seenBy(started, outside, `${address(3)}:30080`)).toEqual([source]);
  });

  test('with externalTrafficPolicy Local, the pod sees the address of the outside host', () => {
    for (const from of [outside, 'linux'])
      expect(seenBy(started, from, `${address(3)}:30081`)).toEqual([from === 'linux' ? address(6) : from]);
  });

  test('the node reaches its own pods', () => {
    expectReach(started.cluster, 'win-3', started.pods[0]);
  });

  test('a pod reaches the outside from the address of its node', () => {
    expect(seenBy(started, started.pods[0], `${outside}:443`)).toEqual([address(3)]);
  });
});
