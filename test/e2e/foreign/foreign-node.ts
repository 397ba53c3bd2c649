import type { HostComputeEndpoint, Policy } from '../../../src/hcn/documents.ts';
import { type KubeProxyOptions, startKubeProxy } from '../../cluster/agents/kube-proxy.ts';
import { doctorEnvironment, file, healthy } from '../cli/doctor-node.ts';
import { libcniFile } from '../cli/libcni-files.ts';
import { type Printed, runCli } from '../cli/run-cli.ts';
import { type Node, startNode } from '../node.ts';

/** What another plugin than win-hcn and its cluster leave on a node. */
export interface Fixture {
  readonly plugin: string;
  readonly nodeIp: string;
  readonly prefixLength?: number;
  /** containerd's folders of plugins and configurations. */
  readonly folders: readonly [bin: string, conf: string];
  /** Whether these are its defaults, without a config.toml. */
  readonly hasNoToml?: true;
  readonly confs: Readonly<Record<string, object>>;
  readonly programs: readonly string[];
  /** The name of the pods' network. */
  readonly network: string;
  /** Creates networks, the node's endpoints and routes. */
  prepare(node: Node): unknown;
  /** The addresses of the pods shop/web and kube-system/dns. */
  readonly addresses: readonly [string, string];
  /** The endpoint that the plugin creates for a container. */
  endpoint(container: string, address: string): Partial<HostComputeEndpoint> & { readonly Name: string };
  /** Undefined without Kubernetes. */
  readonly kubeProxy?: Pick<KubeProxyOptions, 'dsr' | 'sourceVip'>;
  /** How many endpoints the node has, with those of kube-proxy. */
  readonly endpoints: number;
  /** Findings of doctor that only this node has, by check. */
  readonly findings: Readonly<Record<string, string>>;
}

export interface ForeignNode extends Node {
  /** Starts a pod, and returns its namespace. */
  startPod(name: string, address: string, changes?: Partial<HostComputeEndpoint>): Promise<string>;
  /** Runs win-hcn, which is in no folder of containerd. */
  run(...words: readonly string[]): Promise<Printed>;
}

export const SchemaVersion = { Major: 2, Minor: 0 };
export const services = '10.96.0.0/12';
const mac = '00-15-5D-00-00-04';

/** A policy of HCN. */
export const policy = (Type: string, Settings: object): Policy => ({ Type, Settings: { ...Settings } });

/** The members of a pod's endpoint that all plugins set. */
export function podEndpoint(address: string, NextHop: string, ...Policies: readonly Policy[]) {
  return {
    IpConfigurations: [{ IpAddress: address }],
    Dns: { ServerList: ['10.96.0.10'], Search: ['shop.svc.cluster.local'] },
    Routes: [{ NextHop, DestinationPrefix: '0.0.0.0/0' }],
    Policies,
  };
}

/** Starts a node with two pods and their services. */
export async function startForeignNode(fixture: Fixture): Promise<ForeignNode> {
  const { nodeIp, prefixLength = 24, folders, network, kubeProxy, addresses } = fixture;
  const [bin, conf] = folders;
  const node = await startNode({ adapters: [{ name: 'Ethernet', managementIp: nodeIp, prefixLength, mac }] });
  await fixture.prepare(node);
  const networkId = (await node.hcn.findNetwork(network))?.ID ?? '';
  const toml = `version = 2\n[plugins."io.containerd.grpc.v1.cri".cni]\nbin_dir = '${bin}'\nconf_dir = '${conf}'\n`;
  const own: Record<string, string> = {};
  for (const name of fixture.programs) own[`${bin}\\${name}.exe`] = '';
  for (const [name, one] of Object.entries(fixture.confs)) own[`${conf}\\${name}`] = JSON.stringify(one);
  const files: Record<string, string> = {
    ...own,
    ...(!fixture.hasNoToml && { 'C:\\Program Files\\containerd\\config.toml': toml }),
  };
  let pods = 0;
  const startPod: ForeignNode['startPod'] = async (name, address, changes = {}) => {
    const containerId = `${++pods}f`.repeat(32);
    const id = `${pods}fe6032f-bbf7-4b5a-880f-667bebc65500`;
    const document = {
      HostComputeNetwork: networkId,
      SchemaVersion,
      ...fixture.endpoint(containerId, address),
    };
    const namespace = node.hns.createNamespace();
    await node.hcn.createEndpoint(networkId, id, { ...document, ...changes });
    await node.hcn.addEndpoint(namespace, id);
    node.hns.attachContainer(namespace, containerId);
    if (fixture.programs.includes('host-local'))
      files[`C:\\var\\lib\\cni\\networks\\${network}\\${address}`] = `${containerId}\r\neth0`;
    if (kubeProxy) Object.assign(files, libcniFile('/var/lib/cni/results', { containerId, network }, name));
    return namespace;
  };
  await startPod('shop/web', addresses[0]);
  await startPod('kube-system/dns', addresses[1]);
  if (kubeProxy !== undefined) await createServices(node, fixture, kubeProxy);
  const run: ForeignNode['run'] = (...words) => {
    const access = { files: [bin, conf, ...Object.keys(own)].map((path) => file(path)) };
    const interfaces = node.hns.hostInterfaces().map((one) => ({ ...one, isIPv6: false }));
    const outputs = { ...healthy, files: access, forwarding: { interfaces } };
    const environment = doctorEnvironment(node, outputs, files);
    const executable = 'C:\\Users\\Administrator\\win-hcn.exe';
    return runCli(words, { ...environment, system: { ...environment.system, executable } });
  };
  return { ...node, startPod, run };
}

const dnsService = { clusterIP: '10.96.0.10', port: 53, targetPort: 53 };

/** kube-proxy's objects for the services of the pods and of the API server. */
async function createServices({ hcn }: Node, { network, nodeIp, addresses }: Fixture, flags: object) {
  const hostMac = mac.replaceAll('-', ':');
  const proxy = await startKubeProxy({ hcn, network, nodeIP: nodeIp, hostMac, ...flags });
  const [web, dns] = addresses.map((ip) => ({ ip, isLocal: true }));
  await proxy.sync([
    { clusterIP: '10.96.0.1', port: 443, targetPort: 6443, backends: [{ ip: '10.0.0.20' }] },
    ...[6, 17].map((protocol) => ({ ...dnsService, protocol, backends: dns ? [dns] : [] })),
    { clusterIP: '10.96.0.20', port: 80, targetPort: 8080, nodePort: 30080, backends: web ? [web] : [] },
  ]);
}
