import type { ObservedNetwork } from '../../hcn/documents.ts';
import type { Inventory } from '../../model/inventory.ts';
import { hasManagementAddress } from '../../model/readiness.ts';
import { isPath, readConfigName } from '../conflist/config-file.ts';
import { openHcn, readAdapters, readInventory } from '../inventory/read-inventory.ts';
import { documentKeys, resolveObject } from '../inventory/resolve-object.ts';
import { isNodeName } from '../nodes/cluster-node.ts';
import { printable, printableIn, serialized } from '../terminal/output.ts';
import { exitCode, type Session } from '../terminal/session.ts';
import { rowsTable } from '../terminal/table.ts';
import { annotateCommand, flannelNodeOf, nodeManifest } from './flannel-node.ts';
import { type NodeSide, nodeSideOf, reachesOtherNodes } from './node-side.ts';

export const describeFormats = ['table', 'json', 'yaml', 'kubectl', 'manifest'] as const;

export interface DescribeFlags {
  readonly nodeName?: string;
  readonly output: (typeof describeFormats)[number];
}

/** Prints how other nodes reach this node's pods. Sets exit code 1 if HNS does not have all of it yet. */
export async function describeNode(
  given: string | undefined,
  { nodeName, output }: DescribeFlags,
  session: Session,
): Promise<void> {
  const networks = selectNetworks(given, await readInventory(session), session);
  if (networks === undefined) return;
  const sides = await readSides(networks, session);
  const missing = sides.flatMap(({ network, missing }) =>
    missing.map((clause) => `network "${network}" ${clause}`),
  );
  for (const text of missing) session.printStderr(`win-hcn: ${printable(text)}`);
  if (missing.length > 0) session.setExitCode(exitCode.problemFound);
  if (output === 'kubectl' || output === 'manifest')
    return printFlannelNode(sides, nodeName, output, session);
  const remoteSubnets = sides.flatMap((side) => side.remoteSubnets);
  session.print(serialized(remoteSubnets, output === 'table' ? undefined : output) ?? table(sides, session));
}

/** The networks to describe; undefined, after reporting why. */
function selectNetworks(
  given: string | undefined,
  { networks }: Inventory,
  session: Session,
): readonly ObservedNetwork[] | undefined {
  if (given === undefined) {
    const all = networks.filter(reachesOtherNodes);
    return all.length > 0 ? all : refuse('HCN has no Overlay or L2Bridge network', session);
  }
  const name = isPath(given) ? readConfigName(given, session) : given;
  if (name === undefined) return undefined;
  const network = resolveObject('network', name, networks, documentKeys, session);
  if (network === undefined || reachesOtherNodes(network)) return network && [network];
  const problem = `network "${network.Name}" is of type ${network.Type}: only pods on Overlay and L2Bridge networks are reached through remote subnets`;
  return refuse(problem, session);
}

function refuse(problem: string, session: Session): undefined {
  session.printStderr(`win-hcn: ${printable(problem)}`);
  session.setExitCode(exitCode.problemFound);
}

async function readSides(
  networks: readonly ObservedNetwork[],
  { system }: Session,
): Promise<readonly NodeSide[]> {
  const hcn = openHcn(system);
  const adapters = networks.some(hasManagementAddress) ? await readAdapters(system) : [];
  return Promise.all(
    networks.map(async (network) => {
      const managementAddress = hasManagementAddress(network)
        ? await hcn.findManagementAddress(network.ID)
        : undefined;
      return nodeSideOf(network, { managementAddress, adapters });
    }),
  );
}

/** A node of flannel has one network. Prints nothing of an incomplete one. */
function printFlannelNode(
  sides: readonly NodeSide[],
  nodeName: string | undefined,
  output: 'kubectl' | 'manifest',
  session: Session,
): void {
  const [side, ...others] = sides;
  if (side === undefined || side.missing.length > 0) return;
  if (others.length > 0) {
    const names = sides.map(({ network }) => network).join(', ');
    session.printStderr(
      `win-hcn: flannel supports one network for each node: specify one of ${printable(names)}`,
    );
    session.setExitCode(exitCode.wrongUsage);
    return;
  }
  const node = nodeName ?? session.terminal.hostName().toLowerCase();
  if (!isNodeName(node)) {
    const problem = `host name "${node}" is not the name of a Kubernetes node: specify it with --node-name`;
    session.printStderr(`win-hcn: ${printable(problem)}`);
    session.setExitCode(exitCode.wrongUsage);
    return;
  }
  const { annotations, omitted } = flannelNodeOf(side);
  const subnets = side.remoteSubnets.map(({ subnet }) => subnet).join(', ');
  session.printStderr(`win-hcn: spec.podCIDRs of node ${node} must be ${subnets}: flannel reads them there`);
  for (const text of omitted) session.printStderr(`win-hcn: left out: ${text}`);
  session.print(
    output === 'kubectl'
      ? annotateCommand(node, annotations)
      : JSON.stringify(nodeManifest(node, annotations), undefined, 2),
  );
}

function table(sides: readonly NodeSide[], session: Session): string {
  const rows = sides.flatMap(({ network, type, remoteSubnets }) =>
    remoteSubnets.map((remote) => ({
      network,
      type,
      subnet: remote.subnet,
      'next hop': 'nextHop' in remote ? remote.nextHop : '',
      'provider address': 'nextHop' in remote ? '' : remote.providerAddress,
      MAC: 'nextHop' in remote ? '' : remote.macAddress,
      VSID: 'nextHop' in remote ? '' : String(remote.vsid),
    })),
  );
  return rowsTable(printableIn(rows), session);
}
