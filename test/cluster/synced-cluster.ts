// Two simulated Windows nodes whose networks win-hcn creates and synchronizes with kubectl's list of nodes, and Linux nodes.

import { expect } from 'vitest';
import type { Policy } from '../../src/hcn/documents.ts';
import { runCli } from '../e2e/cli/run-cli.ts';
import { example } from '../e2e/example.ts';
import type { Node } from '../e2e/node.ts';
import { nodeList, nodeObject, vxlanNode } from '../unit/cli/network/node-list.ts';
import { type Service, startKubeProxy } from './agents/kube-proxy.ts';
import type { Cluster } from './judge.ts';
import { linuxNode } from './linux-node.ts';
import { router } from './router.ts';
import { startWindowsNodes, windowsAddresses } from './segment.ts';
import { windowsNode } from './windows-node.ts';

type NetworkType = 'Overlay' | 'L2Bridge';

/** A Linux node: pods in 10.244.n.0/24, and flannel's annotations if the network is Overlay. */
export interface LinuxNode {
  readonly n: number;
  readonly address: string;
  readonly mac: string;
}

export interface SyncedCluster {
  readonly nodes: readonly Node[];
  /** Runs network sync on each Windows node with the list of nodes that kubectl would print. Returns what it prints. */
  sync(linux: readonly LinuxNode[]): Promise<readonly string[]>;
  /** Adds a pod on each Windows node: 10.244.1.10 and 10.244.2.10, and the next address on each further call. */
  addPods(): Promise<void>;
  /** Runs kube-proxy with direct server return on each Windows node. */
  addService(service: Omit<Service, 'backends'> & { readonly backends: readonly string[] }): Promise<void>;
  /** The cluster for the judge, as it is now. */
  now(linux: readonly LinuxNode[]): Cluster;
  stop(): Promise<void>;
}

const vni = 4096;
const routerAddress = '10.0.0.1';
export const outside = '8.8.8.8';
/** With VXLAN, other nodes have no route to the pods of a node: pods reach nodes as the address of their own one. */
const clusterPrefixes = ['10.244.0.0/16', '10.96.0.0/12'];
const nodePrefix = '10.0.0.0/24';

/** Starts the Windows nodes 10.0.0.11 with pods in 10.244.1.0/24, and 10.0.0.12 with 10.244.2.0/24, and creates their networks. */
export async function startSyncedCluster(type: NetworkType): Promise<SyncedCluster> {
  const nodes = await startWindowsNodes();
  for (const [index, node] of nodes.entries()) await run(node, type, index, 'network ensure net.conf --yes');
  const windows = await windowsObjects(nodes, type);
  return {
    nodes,
    sync: async (linux) => {
      const list = nodeList(...windows, ...linux.map((one) => linuxObject(one, type)));
      const files = { 'nodes.json': list };
      const printed: string[] = [];
      for (const [index, node] of nodes.entries())
        printed.push(await run(node, type, index, 'network sync net.conf --nodes nodes.json --yes', files));
      return printed;
    },
    addPods: async () => {
      for (const [index, node] of nodes.entries())
        expect(await node.add(configOf(type, index))).toMatchObject({ exitCode: 0 });
    },
    addService: async (service) => {
      for (const [index, node] of nodes.entries()) {
        const own = `10.244.${index + 1}.`;
        const proxy = await startKubeProxy({
          hcn: node.hcn,
          network: String(configOf(type, index)['name']),
          nodeIP: windowsAddresses[index] ?? '',
          hostMac: node.hns.hostInterfaces()[0]?.mac ?? '',
          sourceVip: `${own}200`,
          dsr: true,
        });
        await proxy.sync([
          { ...service, backends: service.backends.map((ip) => ({ ip, isLocal: ip.startsWith(own) })) },
        ]);
        expect(proxy.errors).toEqual([]);
      }
    },
    now: (linux) => ({
      nodes: [
        ...nodes.map(({ hns }, index) => windowsNode(`win-${index + 1}`, hns)),
        ...linux.map((one) => judgedLinux(one, type, linux, windows)),
        router({ addresses: [`${routerAddress}/24`], outside: [outside] }),
      ],
    }),
    stop: async () => {
      for (const node of nodes) await node.stop();
    },
  };
}

/** What a node has of a remote subnet: policies and routes. */
export function remotesTo({ hns }: Node, subnet: string): readonly string[] {
  const policies = hns.dump().networks.flatMap(({ Policies }): readonly Policy[] => Object(Policies));
  return [
    ...policies
      .filter(({ Settings }) => Settings?.['DestinationPrefix'] === subnet)
      .map(({ Type, Settings }) => `${Type} ${Settings?.['ProviderAddress']}`),
    ...hns
      .nodeRoutes()
      .filter(({ prefix }) => prefix === subnet)
      .map(({ nextHop }) => `route ${nextHop}`),
  ];
}

/** Everything that a node has, other than a remote subnet. */
export function allBut({ hns }: Node, subnet: string): object {
  const { networks, endpoints, namespaces, loadBalancers } = hns.dump();
  const isOther = ({ Settings }: Policy) => Settings?.['DestinationPrefix'] !== subnet;
  return {
    networks: networks.map((network) => ({
      ...network,
      Policies: Object(network['Policies']).filter(isOther),
    })),
    endpoints,
    namespaces,
    loadBalancers,
    interfaces: hns.hostInterfaces(),
    routes: hns.nodeRoutes().filter(({ prefix }) => prefix !== subnet),
  };
}

/** win-hcn's configuration of a Windows node. */
function configOf(type: NetworkType, index: number): Readonly<Record<string, unknown>> {
  const subnet = `10.244.${index + 1}.0/24`;
  const ipam = { type: 'test-ipam' };
  return type === 'Overlay'
    ? example('overlay', {
        ipam,
        outboundNat: { exceptions: clusterPrefixes },
        subnets: [{ subnet, gateway: `10.244.${index + 1}.1`, vsid: vni }],
        sdnRoutes: [],
        loopbackDSR: true,
      })
    : example('l2bridge-host-endpoint', {
        ipam,
        outboundNat: { exceptions: [...clusterPrefixes, nodePrefix] },
        subnets: [{ subnet }],
        hostEndpoint: { address: `10.244.${index + 1}.2` },
      });
}

async function run(
  node: Node,
  type: NetworkType,
  index: number,
  words: string,
  more: Readonly<Record<string, string>> = {},
): Promise<string> {
  const files = { 'net.conf': JSON.stringify(configOf(type, index)), ...more };
  const { exitCode, stdout, stderr } = await runCli(words.split(' '), { system: node.outside, files });
  expect({ words, exitCode, stderr: exitCode === 0 ? '' : stderr }).toEqual({
    words,
    exitCode: 0,
    stderr: '',
  });
  return stdout;
}

/** The Windows nodes in kubectl's list: on Overlay with the annotations that network describe prints. */
async function windowsObjects(nodes: readonly Node[], type: NetworkType): Promise<readonly object[]> {
  const objects: object[] = [];
  for (const [index, node] of nodes.entries()) {
    const podCIDRs = [`10.244.${index + 1}.0/24`];
    const about = { name: `win-${index + 1}`, podCIDRs, address: windowsAddresses[index] ?? '' };
    const manifest =
      type === 'Overlay' && JSON.parse(await run(node, type, index, 'network describe -o manifest'));
    objects.push(nodeObject({ ...about, ...(manifest && { annotations: manifest.metadata.annotations }) }));
  }
  return objects;
}

function linuxObject({ n, address, mac }: LinuxNode, type: NetworkType): object {
  const about = { name: `linux-${n}`, podCIDRs: [`10.244.${n}.0/24`], address };
  return type === 'Overlay' ? vxlanNode({ ...about, mac, vni }) : nodeObject(about);
}

/** A Linux node as flannel sets it up: with vxlan from the annotations of the others, with host-gw from their addresses. */
function judgedLinux(
  { n, address, mac }: LinuxNode,
  type: NetworkType,
  linux: readonly LinuxNode[],
  windows: readonly object[],
) {
  const others = [
    ...windows.map(remoteOf),
    ...linux
      .filter((other) => other.n !== n)
      .map((other) => ({ subnet: `10.244.${other.n}.0/24`, mac: other.mac, publicIp: other.address })),
  ];
  return linuxNode({
    name: `linux-${n}`,
    addresses: [`${address}/24`],
    gateways: [routerAddress],
    podSubnets: [`10.244.${n}.0/24`],
    masqueradeExcept: clusterPrefixes,
    ...(type === 'Overlay'
      ? { vtep: { address: `10.244.${n}.0`, mac, vni, remotes: others } }
      : { routes: others.map(({ subnet, publicIp }) => ({ prefix: subnet, nextHop: publicIp })) }),
  });
}

/** What flannel reads of a Windows node. */
function remoteOf(node: object): {
  readonly subnet: string;
  readonly mac: string;
  readonly publicIp: string;
} {
  const { metadata, spec, status } = Object(node);
  const data = JSON.parse(metadata.annotations['flannel.alpha.coreos.com/backend-data'] ?? '{}');
  return { subnet: spec.podCIDR, mac: data.VtepMAC ?? '', publicIp: status.addresses[0].address };
}
