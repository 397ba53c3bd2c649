import type { Policy } from '../../../src/hcn/documents.ts';
import { nodeList, nodeObject, vxlanNode } from '../../unit/cli/network/node-list.ts';
import { type CliEnvironment, type Printed, runCli } from '../cli/run-cli.ts';
import type { Node } from '../node.ts';

/** A configuration of an Overlay network of node 1. */
export const overlay = (more: object = {}) => ({
  cniVersion: '1.0.0',
  name: 'pods',
  type: 'win-hcn',
  networkType: 'Overlay',
  subnets: [{ subnet: '10.244.1.0/24', vsid: 4096 }],
  ...more,
});

/** A configuration of an L2Bridge network of node 1. */
export const l2bridge = (more: object = {}) => ({
  cniVersion: '1.0.0',
  name: 'pods',
  type: 'win-hcn',
  networkType: 'L2Bridge',
  subnets: [{ subnet: '10.244.1.0/24' }],
  ...more,
});

/** How node `n` differs from the usual one. */
export interface Changed {
  readonly address?: string;
  readonly mac?: string | null;
  readonly podCIDRs?: readonly string[];
}

const hex = (n: number) => n.toString(16).padStart(2, '0');
const usual = (n: number) => ({
  name: `node-${n}`,
  podCIDRs: [`10.244.${n}.0/24`],
  // The simulated node, which is node 1, has 10.0.0.4.
  address: `10.0.0.${n + 3}`,
});

/** Node `n` of a cluster with flannel's annotations: 10.244.n.0/24 on 10.0.0.(n + 3). */
export const tunnelNode = (n: number, changed: Changed = {}) =>
  vxlanNode({ ...usual(n), mac: `00:15:5d:00:00:${hex(n)}`, ...changed });

/** The same node without an agent. */
export const plainNode = (n: number, changed: Changed = {}) => nodeObject({ ...usual(n), ...changed });

/** Runs network sync with a configuration, and nodes if they are given. */
export function sync(
  node: Node,
  config: object,
  nodes: readonly object[] | undefined,
  options: readonly string[] = ['--yes'],
  more: CliEnvironment = {},
): Promise<Printed> {
  const files: Record<string, string> = { 'net.conf': JSON.stringify(config) };
  if (nodes !== undefined) files['nodes.json'] = nodeList(...nodes);
  const ofNodes = nodes === undefined ? [] : ['--nodes', 'nodes.json'];
  const words = ['network', 'sync', 'net.conf', ...ofNodes, ...options];
  return runCli(words, { files, system: node.outside, ...more });
}

/** Creates the network of a configuration as win-hcn does. */
export async function createNetwork(node: Node, config: object): Promise<void> {
  const files = { 'net.conf': JSON.stringify(config) };
  const words = ['network', 'ensure', 'net.conf', '--yes'];
  const { exitCode, stderr } = await runCli(words, { files, system: node.outside });
  if (exitCode !== 0) throw new Error(stderr);
}

/** The settings of the network's RemoteSubnetRoute policies, in order. */
export function remoteSubnets(node: Node): readonly Readonly<Record<string, unknown>>[] {
  const network = node.hns.dump().networks.find(({ Name }) => Name === 'pods');
  const policies: unknown = network?.['Policies'];
  return (policies as readonly Policy[])
    .filter(({ Type }) => Type === 'RemoteSubnetRoute')
    .map(({ Settings = {} }) => Settings);
}

/** The remote subnets of the Overlay network, as `10.244.2.0/24 via 10.0.0.5`, sorted. */
export function tunnels(node: Node): readonly string[] {
  return remoteSubnets(node)
    .map((settings) => `${settings['DestinationPrefix']} via ${settings['ProviderAddress']}`)
    .toSorted();
}

/** The routes to pods of other nodes, as `10.244.2.0/24 via 10.0.0.5`, sorted. */
export function routes(node: Node): readonly string[] {
  return node.hns
    .nodeRoutes()
    .filter(({ prefix }) => prefix.startsWith('10.244.') && !prefix.startsWith('10.244.1.'))
    .map(({ prefix, nextHop }) => `${prefix} via ${nextHop}`)
    .toSorted();
}

/** Creates a route on the interface with the node's address, as an administrator does. */
export function addForeignRoute(node: Node, prefix: string, nextHop: string): void {
  const isNodes = ({ addresses }: { readonly addresses: readonly string[] }) =>
    addresses.includes('10.0.0.4/24');
  const interfaceIndex = node.hns.hostInterfaces().find(isNodes)?.index ?? 0;
  node.hns.addNodeRoute({ interfaceIndex, prefix, nextHop, metric: 256, protocol: 3 });
}
