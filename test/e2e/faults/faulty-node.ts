import type { HostComputeEndpoint, HostComputeNetwork } from '../../../src/hcn/documents.ts';
import { networkId } from '../../../src/model/identity.ts';
import { doctorEnvironment, healthy, type ScriptOutputs } from '../cli/doctor-node.ts';
import { type CliEnvironment, type Printed, runCli } from '../cli/run-cli.ts';
import { type Node, startNode } from '../node.ts';

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

/** The IDs of the containers of the running pods. */
export const containers = {
  web: '0e12d1d5a8cfb5cbc1a91a9b4dd33b6fb8b0ee5d1c7f4a2f6f1f1e9e5c3a7b21',
  api: '4b7d90c2e6f1a8355d0b9c47e2f86a1d3c5e7f90b2d4a6c8e0f1a3b5c7d9e1f3',
} as const;

/** A node with two running pods and a service, whose parts faults change. */
export interface FaultyNode extends Node {
  /** The files of the node, by path. */
  readonly files: Record<string, string>;
  /** What PowerShell returns. */
  scripts: ScriptOutputs;
  /** Changes the plugin of the conflist, and the network's name. */
  configure(change: (plugin: Record<string, unknown>) => object, name?: string): void;
  /** Starts a pod with a configuration like that of the others. */
  startPod(container: string, changes?: object): Promise<void>;
  /** Starts a pod with an endpoint that another program created. */
  startForeignPod(container: string, endpoint: Partial<HostComputeEndpoint>): Promise<void>;
  createNetwork(id: string, document: Partial<HostComputeNetwork>): Promise<void>;
  /** Runs a command that doctor prints as a fix. Throws for other commands. */
  powershell(command: string): void;
  /** Runs win-hcn with arguments. */
  run(words: readonly string[], terminal?: Pick<CliEnvironment, 'width' | 'stdin'>): Promise<Printed>;
}

/** Starts a node without faults. */
export async function startHealthyNode(): Promise<FaultyNode> {
  const node = await startNode({
    adapters: [
      { name: 'Ethernet', managementIp: '10.0.0.4' },
      { name: 'Ethernet 2', managementIp: '192.168.7.4' },
    ],
  });
  const { files: _files, ...rest } = doctorEnvironment(node);
  const files: Record<string, string> = {
    'C:\\Program Files\\containerd\\config.toml': containerdToml,
    'C:\\opt\\cni\\bin\\win-hcn.exe': '',
    'C:\\opt\\cni\\bin\\host-local.exe': '',
    'C:\\ProgramData\\win-hcn\\logs\\win-hcn.log': '',
    [conflistPath]: listed(plugin, 'l2bridge'),
  };
  let conf: Record<string, unknown> = plugin;
  let networkName = 'l2bridge';
  const result: FaultyNode = {
    ...node,
    files,
    scripts: healthy,
    configure: (change, name = networkName) => {
      conf = { ...change(conf) };
      networkName = name;
      files[conflistPath] = listed(conf, name);
    },
    startPod: async (container, changes = {}) => {
      const pod = node.newPod(container);
      const config = { cniVersion: '1.1.0', name: 'l2bridge', ...plugin, ...changes };
      const { exitCode, stdout, json } = await node.add(config, pod);
      if (exitCode !== 0) throw new Error(`cannot start ${container}: ${stdout}`);
      node.hns.attachContainer(pod.netns, container);
      reserve(files, String(json.ips[0].address).replace(/\/.*/, ''), container);
    },
    startForeignPod: async (container, endpoint) => {
      const pod = node.newPod(container);
      const { ID = '', ...document } = endpoint;
      await node.hcn.createEndpoint(network, ID, {
        Name: `${container}_l2bridge`,
        HostComputeNetwork: network,
        SchemaVersion,
        ...document,
      });
      await node.hcn.addEndpoint(pod.netns, ID);
      node.hns.attachContainer(pod.netns, container);
      for (const { IpAddress } of endpoint.IpConfigurations ?? []) reserve(files, IpAddress, container);
    },
    createNetwork: (id, document) => node.hcn.createNetwork(id, { Name: '', SchemaVersion, ...document }),
    powershell: (command) => {
      if (!isHnsFix(command)) throw new Error(`not simulated: ${command}`);
      node.hns.clearFaults();
      node.hns.restart();
      result.scripts = { ...result.scripts, service: healthy.service ?? {} };
    },
    run: async (words, terminal = {}) =>
      runCli(words, {
        ...rest,
        ...doctorEnvironment(node, withForwarding(result), files),
        ...terminal,
      }).finally(() => node.hns.release()),
  };
  for (const container of Object.values(containers)) await result.startPod(container);
  return result;
}

/** Whether a PowerShell command starts or restarts HNS, the only fixes that the node simulates. */
export function isHnsFix(command: string): boolean {
  return /^(Start-Service hns|Restart-Service hns( -Force)?)$/.test(command);
}

/** Reserves an address as host-local does. */
export function reserve(files: Record<string, string>, address: string, container: string): void {
  files[`${storeFolder}\\${address}`] = `${container}\r\neth0`;
}

/** The scripts' outputs with the current state of the interfaces. */
function withForwarding({ hns, scripts }: FaultyNode): ScriptOutputs {
  const interfaces = hns.hostInterfaces().map(({ index, forwarding }) => ({ index, forwarding }));
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
