import { type Command, InvalidArgumentError, Option } from 'commander';
import { CniError, code, invalidConfig } from '../../cni/error.ts';
import type { ObservedNetwork } from '../../hcn/documents.ts';
import type { Inventory } from '../../model/inventory.ts';
import { hasManagementAddress } from '../../model/readiness.ts';
import { isPath, readConfigName } from '../conflist/config-file.ts';
import { openHcn, readAdapters, readInventory } from '../inventory/read-inventory.ts';
import { resolveObject } from '../inventory/resolve-object.ts';
import { newCommand } from '../terminal/new-command.ts';
import { printable, printableIn, serialized } from '../terminal/output.ts';
import { exitCode, type Session, wrongUsage } from '../terminal/session.ts';
import { rowsTable } from '../terminal/table.ts';
import { isNodeName } from './cluster-node.ts';
import { flannelAnnotationsOf, type NodeSide, nodeSideOf, reachesOtherNodes } from './node-side.ts';

const formats = ['table', 'json', 'manifest'] as const;

interface Flags {
  readonly nodeName?: string;
  readonly output: (typeof formats)[number];
}

/** `network describe`: shows this node as other nodes need to know it. */
export function describeCommand(session: Session): Command {
  return newCommand('network describe', session, {
    summary: 'show how other nodes reach the pods of this node',
    description:
      'Shows how other nodes reach the pods on each Overlay and L2Bridge network of this node. -o json prints the entries for ' +
      "remoteSubnets on the other nodes; -o manifest prints this node's annotations for flannel: kubectl apply --server-side " +
      '--force-conflicts -f FILE. HNS sets some values only seconds after it creates a network. If a value is missing, the exit ' +
      'code is 1.',
    examples: [
      'win-hcn network describe',
      'win-hcn network describe C:\\etc\\cni\\net.d\\10-win-hcn.conflist -o json',
      'win-hcn network describe vxlan0 -o manifest --node-name win1',
    ],
  })
    .argument(
      '[network-or-file]',
      'name, ID or ID prefix of the network, or its configuration file (default: all Overlay and L2Bridge networks)',
    )
    .option(
      '--node-name <name>',
      "name of the Kubernetes node (default: this node's host name in lower case)",
      parseNodeName,
    )
    .addOption(new Option('-o, --output <format>', 'output format').choices(formats).default('table'))
    .action((given: string | undefined, flags: Flags) => describeNode(given, flags, session));
}

function parseNodeName(text: string): string {
  if (isNodeName(text)) return text;
  throw new InvalidArgumentError('expected the name of a Kubernetes node, such as win1');
}

async function describeNode(
  given: string | undefined,
  { nodeName, output }: Flags,
  session: Session,
): Promise<void> {
  const networks = selectNetworks(given, await readInventory(session), session);
  if (networks === undefined) return;
  const sides = await readSides(networks, session);
  const missing = sides.flatMap(({ network, missing }) =>
    missing.map((text) => `network "${network}" ${text}`),
  );
  for (const text of missing) session.printStderr(`win-hcn: ${printable(text)}`);
  if (missing.length > 0) session.setExitCode(exitCode.problemFound);
  if (output !== 'manifest') {
    const remoteSubnets = sides.flatMap((side) => side.remoteSubnets);
    const data = serialized({ remoteSubnets }, output === 'table' ? undefined : output);
    return session.print(data ?? rowsTable(printableIn(sides.flatMap(tableRows)), session));
  }
  if (missing.length === 0)
    printManifest(sides, nodeName ?? session.terminal.hostName().toLowerCase(), session);
}

/** The networks to describe; undefined, after reporting why, if a file has no name. Throws CniError if there is none. */
function selectNetworks(
  given: string | undefined,
  { networks }: Inventory,
  session: Session,
): readonly ObservedNetwork[] | undefined {
  const all = networks.filter(reachesOtherNodes);
  if (given === undefined && all.length > 0) return all;
  if (given === undefined) throw new CniError(code.hcnFailure, 'HCN has no Overlay or L2Bridge network');
  const name = isPath(given) ? readConfigName(given, session) : given;
  if (name === undefined) return undefined;
  const network = resolveObject('network', name, networks);
  if (reachesOtherNodes(network)) return [network];
  throw invalidConfig(
    `network "${network.Name}" is of type ${network.Type}: only pods on Overlay and L2Bridge networks are reached through remote subnets`,
  );
}

async function readSides(networks: readonly ObservedNetwork[], { system }: Session) {
  const hcn = openHcn(system);
  const adapters = networks.some(hasManagementAddress) ? await readAdapters(system) : [];
  return Promise.all(
    networks.map(async (network) => {
      const isManaged = hasManagementAddress(network);
      const managementAddress = isManaged ? await hcn.findManagementAddress(network.ID) : undefined;
      return nodeSideOf(network, managementAddress, adapters);
    }),
  );
}

/** Prints the node's annotations for flannel, for which a node has one network. */
function printManifest(sides: readonly NodeSide[], name: string, session: Session): void {
  const [side] = sides;
  if (side === undefined) return;
  const names = sides.map(({ network }) => network).join(', ');
  if (sides.length > 1)
    throw wrongUsage(`flannel supports one network for each node: specify one of ${names}`);
  if (!isNodeName(name))
    throw wrongUsage(`host name "${name}" is not the name of a Kubernetes node: specify it with --node-name`);
  const { annotations, omitted } = flannelAnnotationsOf(side);
  const subnets = side.remoteSubnets.map(({ subnet }) => subnet).join(', ');
  session.printStderr(`win-hcn: spec.podCIDRs of node ${name} must be ${subnets}: flannel reads them there`);
  for (const subnet of omitted)
    session.printStderr(`win-hcn: left out: ${subnet}: flannel requires a public address of its family`);
  const manifest = { apiVersion: 'v1', kind: 'Node', metadata: { name, annotations } };
  session.print(JSON.stringify(manifest, undefined, 2));
}

function tableRows({ network, type, remoteSubnets }: NodeSide): readonly Readonly<Record<string, string>>[] {
  return remoteSubnets.map((remote) => ({
    network,
    type,
    subnet: remote.subnet,
    'next hop': 'nextHop' in remote ? remote.nextHop : '',
    'provider address': 'nextHop' in remote ? '' : remote.providerAddress,
    MAC: 'nextHop' in remote ? '' : remote.macAddress,
    VSID: 'nextHop' in remote ? '' : String(remote.vsid),
  }));
}
