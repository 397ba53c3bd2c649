import { createHash } from 'node:crypto';
import type { HostComputeEndpoint, HostComputeNetwork } from '../../../src/hcn/documents.ts';
import type { EndpointId } from '../../../src/hcn/guid.ts';
import { endpointId, networkId } from '../../../src/model/identity.ts';
import type { Adapter } from '../../simulator/state.ts';
import { doctorEnvironment, healthy, type ScriptOutputs } from '../cli/doctor-node.ts';
import { type CliEnvironment, type Printed, runCli } from '../cli/run-cli.ts';
import { type Node, type Pod, startNode } from '../node.ts';
import { startKubeProxy } from './kube-proxy.ts';

const SchemaVersion = { Major: 2, Minor: 0 };
export const confFolder = 'C:\\etc\\cni\\net.d';
export const conflistPath = `${confFolder}\\10-win-hcn.conflist`;
export const storeFolder = 'C:\\var\\lib\\cni\\networks\\l2bridge';
export const network = networkId('l2bridge');

export const plugin = {
  type: 'win-hcn',
  networkType: 'L2Bridge',
  adapter: 'Ethernet',
  subnets: [{ subnet: '10.244.1.0/24', gateway: '10.244.1.1' }],
  hostEndpoint: {},
  remoteSubnets: [
    { subnet: '10.244.2.0/24', nextHop: '10.0.0.5' },
    { subnet: '10.244.4.0/24', nextHop: '10.0.0.6' },
  ],
  ipam: {
    type: 'host-local',
    ranges: [[{ subnet: '10.244.1.0/24', rangeStart: '10.244.1.10', rangeEnd: '10.244.1.29' }]],
  },
  dns: { nameservers: ['10.96.0.10'] },
  outboundNat: { exceptions: ['10.244.0.0/16', '10.96.0.0/12'] },
  acls: [{ action: 'Block', direction: 'Out', remoteAddresses: ['10.0.3.0/24'], priority: 200 }],
  defaultAction: 'Allow',
  capabilities: { portMappings: true },
};

/** The ID of a pod's container, as containerd chooses it. */
export function containerOf(pod: string): string {
  return createHash('sha256').update(pod).digest('hex');
}

/** A node with two running pods and a service, whose parts faults change. */
export interface FaultyNode extends Node {
  /** The files of the node, by path. */
  readonly files: Record<string, string>;
  /** What PowerShell returns. */
  scripts: ScriptOutputs;
  /** Changes the plugin of the conflist, and the network's name. */
  configure(change: (plugin: Record<string, unknown>) => object, name?: string): void;
  /** Starts a pod, such as `shop/web`, with a configuration like that of the others. */
  startPod(pod: string, changes?: object): Promise<void>;
  /** Starts a pod with an endpoint that another program created, or without one. */
  startForeignPod(pod: string, endpoint?: Partial<HostComputeEndpoint>): Promise<void>;
  createNetwork(id: string, document: Partial<HostComputeNetwork>): Promise<void>;
  /** The endpoint of a started pod. */
  endpointOf(pod: string): EndpointId;
  /** Ends a pod and its containers. */
  stopPod(pod: string): Promise<void>;
  /** Replaces an endpoint by one with changes, in the same namespace. */
  changeEndpoint(
    id: EndpointId,
    change: (document: HostComputeEndpoint) => Partial<HostComputeEndpoint>,
  ): Promise<void>;
  /** Changes a physical adapter. */
  changeAdapter(name: string, changes: Partial<Adapter>): void;
  /** Changes members of what a PowerShell script returns. */
  report(script: keyof ScriptOutputs, changes: object): void;
  /** Runs a command that starts HNS or renames a file. Throws for other commands. */
  powershell(command: string): void;
  /** Runs win-hcn with arguments. */
  run(
    words: readonly string[],
    terminal?: Pick<CliEnvironment, 'width' | 'stdin' | 'listener'>,
  ): Promise<Printed>;
}

/** Starts a node without faults. */
export async function startHealthyNode(): Promise<FaultyNode> {
  const adapters: readonly Adapter[] = [
    { name: 'Ethernet', managementIp: '10.0.0.4' },
    { name: 'Ethernet 2', managementIp: '192.168.7.4' },
  ];
  const node = await startNode({ adapters });
  const windows = { outside: { ...node.outside, windows: true } };
  const files: Record<string, string> = {
    'C:\\Program Files\\containerd\\config.toml': containerdToml,
    'C:\\opt\\cni\\bin\\win-hcn.exe': '',
    'C:\\opt\\cni\\bin\\host-local.exe': '',
    'C:\\ProgramData\\win-hcn\\logs\\win-hcn.log': '',
    [`${storeFolder}\\last_reserved_ip.0`]: '10.244.1.11',
    [`${storeFolder}\\lock`]: '',
    [conflistPath]: listed(plugin, 'l2bridge'),
  };
  let conf: Record<string, unknown> = plugin;
  let networkName = 'l2bridge';
  const sandbox = (pod: string): Pod => {
    const containerId = containerOf(pod);
    Object.assign(files, attachmentFile(pod, containerId));
    return node.newPod(containerId);
  };
  const pods = new Map<string, Pod>();
  const endpointOf = (pod: string) =>
    endpointId({ containerId: containerOf(pod), ifname: 'eth0', network: 'l2bridge' });
  const result: FaultyNode = {
    ...node,
    endpointOf,
    files,
    scripts: healthy,
    configure: (change, name = networkName) => {
      conf = { ...change(conf) };
      networkName = name;
      files[conflistPath] = listed(conf, name);
    },
    startPod: async (pod, changes = {}) => {
      const { netns, containerId } = sandbox(pod);
      pods.set(pod, { netns, containerId });
      const config = { cniVersion: '1.1.0', name: 'l2bridge', ...plugin, ...changes };
      const { exitCode, stdout, json } = await node.add(config, { netns, containerId });
      if (exitCode !== 0) throw new Error(`cannot start ${pod}: ${stdout}`);
      node.hns.attachContainer(netns, containerId);
      reserve(files, String(json.ips[0].address).replace(/\/.*/, ''), containerId);
    },
    startForeignPod: async (pod, endpoint) => {
      const { netns, containerId } = sandbox(pod);
      node.hns.attachContainer(netns, containerId);
      if (endpoint === undefined) return;
      const { ID = '', ...document } = endpoint;
      const Name = `${containerId}_l2bridge`;
      const given = { Name, HostComputeNetwork: network, SchemaVersion, ...document };
      await node.hcn.createEndpoint(network, ID, given);
      await node.hcn.addEndpoint(netns, ID);
      for (const { IpAddress } of endpoint.IpConfigurations ?? []) reserve(files, IpAddress, containerId);
    },
    createNetwork: (id, document) => node.hcn.createNetwork(id, { Name: '', SchemaVersion, ...document }),
    stopPod: async (pod) => {
      const { netns, containerId } = pods.get(pod) ?? node.newPod();
      node.hns.detachContainer(netns, containerId);
      await node.del({ cniVersion: '1.1.0', name: 'l2bridge', ...plugin }, { netns, containerId });
      await node.hcn.deleteNamespace(netns);
      for (const [path, content] of Object.entries(files))
        if (`${path}${content}`.includes(containerId)) delete files[path];
    },
    changeEndpoint: async (id, change) => {
      const observed = await node.hcn.findEndpoint(id);
      if (observed === undefined) throw new Error(`HCN has no endpoint ${id}`);
      const { Health: _, State: __, HostComputeNamespace: namespace = '', ...document } = observed;
      await node.hcn.deleteEndpoint(id);
      await node.hcn.createEndpoint(network, id, { ...document, ...change(document) });
      await node.hcn.addEndpoint(namespace, id);
    },
    changeAdapter: (name, changes) => {
      Object.assign(adapters.find((adapter) => adapter.name === name) ?? {}, changes);
    },
    report: (script, changes) => {
      const before = result.scripts[script];
      result.scripts = { ...result.scripts, [script]: { ...Object(before), ...changes } };
    },
    powershell: (command) => {
      const [, from = '', to = ''] = /^Rename-Item (\S+) (\S+)$/.exec(command) ?? [];
      if (isHnsFix(command)) {
        node.hns.clearFaults();
        node.hns.restart();
        result.scripts = { ...result.scripts, service: healthy.service ?? {} };
      } else if (files[from] !== undefined) {
        files[from.replace(/[^\\]+$/, to)] = files[from];
        delete files[from];
      } else throw new Error(`not simulated: ${command}`);
    },
    run: async (words, terminal = {}) =>
      runCli(words, {
        ...doctorEnvironment(windows, withForwarding(result), files),
        ...terminal,
      }).finally(() => node.hns.release()),
  };
  for (const pod of ['shop/web', 'shop/api']) await result.startPod(pod);
  await startKubeProxy(node.hcn, network);
  return result;
}

/** Whether a PowerShell command starts or restarts HNS. */
export function isHnsFix(command: string): boolean {
  return /^(Start-Service hns|Restart-Service hns( -Force)?)$/.test(command);
}

/** The file that libcni keeps for an attached container. */
function attachmentFile(pod: string, containerId: string): Readonly<Record<string, string>> {
  const [namespace = '', name = ''] = pod.split('/');
  const content = {
    kind: 'cniCacheV1',
    containerId,
    config: 'e30=',
    ifName: 'eth0',
    networkName: 'l2bridge',
    cniArgs: [
      ['K8S_POD_NAMESPACE', namespace],
      ['K8S_POD_NAME', name],
    ],
  };
  return { [`C:\\var\\lib\\cni\\results\\l2bridge-${containerId}-eth0`]: JSON.stringify(content) };
}

/** Reserves an address as host-local does. */
export function reserve(files: Record<string, string>, address: string, container: string): void {
  files[`${storeFolder}\\${address}`] = `${container}\r\neth0`;
}

/** The scripts' outputs with the current state of the interfaces. */
function withForwarding({ hns, scripts }: FaultyNode): ScriptOutputs {
  const interfaces = hns
    .hostInterfaces()
    .map(({ index, forwarding }) => ({ index, isIPv6: false, forwarding }));
  return { ...scripts, forwarding: { interfaces } };
}

function listed(config: object, name: string): string {
  return `${JSON.stringify({ cniVersion: '1.1.0', name, plugins: [config] }, undefined, 2)}\n`;
}

const containerdToml = `version = 2
[plugins."io.containerd.grpc.v1.cri".cni]
  bin_dir = 'C:\\opt\\cni\\bin'
  conf_dir = 'C:\\etc\\cni\\net.d'
`;
