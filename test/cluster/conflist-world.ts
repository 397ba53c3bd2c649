// The cluster that a conflist is for: two Windows nodes with its pods, a Linux node, kube-proxy, a router, and what connects the nodes.

import { fillPlaceholders } from '../../src/cli/conflist/placeholders.ts';
import { runCli } from '../e2e/cli/run-cli.ts';
import { type Node, startNode } from '../e2e/node.ts';
import type { Adapter } from '../simulator/state.ts';
import {
  addHostGwRoute,
  addLease,
  type Lease,
  leaseOf,
  merge,
  startHostGw,
  startVxlan,
} from './agents/flannel.ts';
import { startKubeProxy } from './agents/kube-proxy.ts';
import { addOvnNode, ovnNetwork, runHybridOverlay } from './agents/ovn.ts';
import { type Cluster, journey } from './judge.ts';
import { clusterWith, linuxAddress, windowsAddresses } from './segment.ts';

// biome-ignore lint/suspicious/noExplicitAny: the configuration of any type of network
type Config = any;

/** A cluster for a conflist. Node and machine `n` is 0 for Linux, 1 and 2 for Windows. */
interface World {
  readonly nodes: readonly Node[];
  readonly configs: readonly Config[];
  /** The first two octets of the addresses of all pods, each node's in a subnet of its own. */
  readonly base: string;
  readonly isOverlay: boolean;
  readonly isOvn: boolean;
}

/** What the pod that a conflist gives node 1 reaches, and what reaches it: the source that the receiver sees, or the reason if it gets nothing. */
export async function reached(text: string): Promise<Readonly<Record<string, string>>> {
  const world = await start(text);
  try {
    for (const n of [1, 2]) await prepare(world, n);
    const [pod, remote] = [await addPod(world, 1, 1), await addPod(world, 2, 1)];
    const machines = machinesOf(world);
    for (const n of [1, 2]) await connect(world, n, machines);
    const second = await addPod(world, 1, 2);
    const linuxPod = `${world.base}.0.9`;
    const [dns, service] = await startServices(world, [pod, second, remote], linuxPod);
    const connections = {
      'to a pod of its node': [pod, `${second}:80`],
      // Networks that no other node is on have the same addresses on every node.
      ...(remote !== pod && { 'to a pod of another node': [pod, `${remote}:80`] }),
      'to a pod of a Linux node': [pod, `${linuxPod}:80`],
      'to DNS': [pod, `${dns}:53/udp`],
      'to its own service': [pod, `${service}:80`],
      'to its node': [pod, `${windowsAddresses[0]}:80`],
      'to another node': [pod, `${linuxAddress}:6443`],
      'to the internet': [pod, '8.8.8.8:443'],
      'from its node': ['win-1', `${pod}:80`],
      'from a pod of a Linux node': [linuxPod, `${pod}:80`],
    };
    const cluster = clusterOf(world, machines);
    return Object.fromEntries(
      Object.entries(connections).map(([name, [from = '', to = '']]) => [name, resultOf(cluster, from, to)]),
    );
  } finally {
    for (const node of world.nodes) await node.stop();
  }
}

function resultOf(cluster: Cluster, from: string, to: string): string {
  const { outcome, ways, worst } = journey(cluster, from, to);
  if (outcome === 'arrives' && from === 'win-1') return 'as node';
  if (outcome !== 'arrives') return `${outcome}: ${worst.because}`;
  const names = new Map([
    [from, 'pod'],
    [windowsAddresses[0], 'node'],
  ]);
  return `as ${[...new Set(ways.map(({ seenAs = '' }) => names.get(seenAs) ?? seenAs))].toSorted().join(' or ')}`;
}

async function start(text: string): Promise<World> {
  const { networkType, outboundNat, subnets, name, adapter }: Config = configOf(text, '10.244', 1);
  const [, except] = /^(\d+\.\d+)\.0\.0\/16$/.exec(outboundNat?.exceptions[0]) ?? [];
  const isOvn = name === ovnNetwork;
  const base = isOvn ? '10.132' : (except ?? '10.244');
  const nodes: Node[] = [];
  for (const [index, managementIp] of windowsAddresses.entries()) {
    const n = index + 1;
    const lans: Readonly<Record<string, readonly [pods: string, Partial<Adapter>]>> = {
      Transparent: ['10.42.0.', { mac: adapter, otherAddresses: [`10.42.0.${n}/24`] }],
      L2Tunnel: [`10.0.${n}.`, { prefixLength: 16 }],
    };
    const [prefix, own] = lans[networkType] ?? [`${base}.${n}.`, {}];
    const inLan = subnets?.length > 1 ? { otherAddresses: [`fd00:10:244:3::a${n}/64`] } : {};
    const node = await startNode({
      adapters: [{ name: 'Ethernet', managementIp, gateway: '10.0.0.1', ...own, ...inLan }],
    });
    node.ipam.prefix = prefix;
    node.ipam.prefix6 = subnets?.length > 1 ? `fd00:10:244:3::${n}:` : undefined;
    nodes.push(node);
  }
  const configs = nodes.map((_, index) => configOf(text, base, index + 1));
  return { nodes, configs, base, isOverlay: networkType === 'Overlay', isOvn };
}

/** The plugin's configuration as libcni or flannel derives it on node `n`, whose pods have a subnet of their own if the file's have one. */
function configOf(text: string, base: string, n: number): Config {
  const filled = fillPlaceholders(text, [`${base}.${n}.0/24`]);
  const [, own] = /"subnet": "(10\.2\d\d\.\d+\.)0\/24"/.exec(filled) ?? [];
  const moved =
    own === undefined ? filled : filled.replaceAll(`"${own}`, `"${own.replace(/\d+\.$/, `${n}.`)}`);
  const { plugins, cniVersion, name } = JSON.parse(moved);
  const config = { ...plugins[0], cniVersion, name };
  if (config.type !== 'flannel') return config;
  const environment = { FLANNEL_NETWORK: `${base}.0.0/16`, FLANNEL_IPMASQ: 'true' };
  return merge(config, { ...environment, FLANNEL_SUBNET: `${base}.${n}.1/24` });
}

/** Creates the network as the cluster's agent does, if ADD must not. */
async function prepare({ nodes, configs, base, isOverlay, isOvn }: World, n: number): Promise<void> {
  const { hns, hcn } = nodes[n - 1] as Node;
  const subnet = `${base}.${n}.0/24`;
  if (configs[n - 1].createNetwork !== 'never') return;
  if (isOvn) await runHybridOverlay(hcn, { subnet, vxlanPort });
  else if (isOverlay) startVxlan(hns, subnet);
  else startHostGw(hns, subnet, windowsAddresses[n - 1] ?? '');
}

/** ADD for a pod of node `n`. Returns its IPv4 address. */
async function addPod({ nodes, configs }: World, n: number, number: number): Promise<string> {
  const { capabilities, remoteSubnets, ...config }: Config = configs[n - 1];
  const ips = [`10.42.0.${n}${number}/24`];
  const { json } = await (nodes[n - 1] as Node).add({
    ...config,
    ...(remoteSubnets && { remoteSubnets: [] }),
    ...(capabilities?.ips && { runtimeConfig: { ips } }),
  });
  if (json.ips === undefined) throw new Error(json.msg);
  return json.ips.map((ip: Config) => ip.address.split('/')[0]).find((ip: string) => !ip.includes(':'));
}

/** Of OVN: one that is not the default. */
const vxlanPort = 9898;

const linuxMac = 'ba:c1:6f:91:17:c7';

/** Linux, then both Windows nodes, with the MAC addresses of their VXLAN devices. */
function machinesOf({ nodes, base, isOverlay, isOvn }: World): readonly Lease[] {
  const macs = isOverlay ? nodes.map(({ hns }) => leaseOf(hns, '', '').vtepMac) : [];
  return [linuxAddress, ...windowsAddresses].map((publicIp, n) => {
    const vtepMac = macs[n - 1] ?? linuxMac;
    return { subnet: `${base}.${n}.0/24`, publicIp, vtepMac, vni: isOvn ? 4097 : 4096 };
  });
}

/** Connects node `n` to the others: with `network sync` if the file has remote subnets, otherwise as the cluster's agent does. */
async function connect(world: World, n: number, machines: readonly Lease[]): Promise<void> {
  const { nodes, configs, isOverlay, isOvn } = world;
  const { hns, hcn, outside: system } = nodes[n - 1] as Node;
  const config = configs[n - 1];
  const others = machines.filter((_, other) => other !== n);
  if (config.remoteSubnets !== undefined) {
    const remoteSubnets = others.map(({ subnet, publicIp, vtepMac: macAddress }) =>
      isOverlay ? { subnet, providerAddress: publicIp, macAddress } : { subnet, nextHop: publicIp },
    );
    const files = { 'net.conf': JSON.stringify({ ...config, remoteSubnets }) };
    await runCli(['network', 'sync', 'net.conf', '--yes'], { files, system });
    return;
  }
  const network = hns.dump().networks.find(({ Name }) => Name === config.name)?.['ID'];
  for (const lease of others) {
    const { subnet, publicIp: address, vtepMac: drMac = '' } = lease;
    if (isOvn) await addOvnNode(hcn, { subnet, address, drMac });
    else if (isOverlay) addLease(hns, String(network), lease);
    else if (config.networkType === 'L2Bridge') addHostGwRoute(hns, lease);
  }
}

/** kube-proxy on node 1: cluster DNS on Linux, and a service of all pods. Returns their addresses. */
async function startServices(
  { nodes, configs, base }: World,
  pods: readonly string[],
  linuxPod: string,
): Promise<readonly [dns: string, service: string]> {
  const [{ hcn, hns }] = nodes as [Node];
  const [{ name: network, networkType, sdnRoutes = [] }] = configs;
  const range = sdnRoutes[0]?.destinationPrefix.replace(/0\/\d+$/, '') ?? '10.96.0.';
  const hostMac = hns.hostInterfaces().find(({ gateways }) => gateways.length > 0)?.mac ?? '';
  if (!['L2Bridge', 'Overlay'].includes(networkType)) return [`${range}10`, `${range}20`];
  const options = {
    hcn,
    network,
    nodeIP: windowsAddresses[0],
    hostMac,
    sourceVip: `${base}.1.200`,
    dsr: true,
  };
  const proxy = await startKubeProxy(options);
  const backends = pods.map((ip) => ({ ip, isLocal: ip.startsWith(`${base}.1.`) }));
  await proxy.sync([
    { clusterIP: `${range}10`, port: 53, protocol: 17, targetPort: 53, backends: [{ ip: linuxPod }] },
    { clusterIP: `${range}20`, port: 80, targetPort: 8080, backends: [...backends, { ip: linuxPod }] },
  ]);
  if (proxy.errors.length > 0) throw new Error(proxy.errors.join('\n'));
  return [`${range}10`, `${range}20`];
}

function clusterOf({ nodes, base, isOverlay, isOvn, configs }: World, machines: readonly Lease[]): Cluster {
  const [linux, ...windows] = machines;
  const remotes = windows.map(({ subnet, publicIp, vtepMac: mac = '' }) => ({ subnet, publicIp, mac }));
  const routes = windows.map(({ subnet: prefix, publicIp: nextHop }) => ({ prefix, nextHop }));
  const vtep = {
    address: `${base}.0.0`,
    mac: linuxMac,
    vni: linux?.vni ?? 0,
    remotes,
    ...(isOvn && { port: vxlanPort }),
  };
  const { networkType } = configs[0];
  const routers = networkType === 'Transparent' ? ['10.42.0.254/24'] : [];
  const addresses = [`${linuxAddress}/${networkType === 'L2Tunnel' ? 16 : 24}`];
  return clusterWith(
    nodes,
    { addresses, podSubnets: [`${base}.0.0/24`], ...(isOverlay ? { vtep } : { routes }) },
    routers,
  );
}
