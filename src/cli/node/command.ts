import { type Command, InvalidArgumentError, Option } from 'commander';
import { isNodeName } from '../nodes/cluster-node.ts';
import { newCommand } from '../terminal/new-command.ts';
import type { Session } from '../terminal/session.ts';
import { type DescribeFlags, describeFormats, describeNode } from './describe-node.ts';

/** `node`: shows this node as other nodes need to know it. */
export function nodeCommand(session: Session): Command {
  return newCommand('node', session, {
    summary: 'describe this node for other nodes',
    description: 'Describes how other nodes reach the pods of this node.',
    examples: ['win-hcn node describe', 'win-hcn node describe vxlan0 -o kubectl'],
    subcommands: [
      newCommand('node describe', session, {
        summary: 'show how other nodes reach the pods of this node',
        description:
          'Shows how other nodes reach the pods on each Overlay and L2Bridge network of this node: the pod subnets; for ' +
          'Overlay the provider address, the MAC address of the distributed router and the VSID (VNI); for L2Bridge the next ' +
          'hop.\n\n' +
          '-o json and -o yaml print entries for remoteSubnets in the configuration of the other nodes. -o kubectl prints the ' +
          'command that annotates this node for flannel on the other nodes; it works in sh and in PowerShell 7.3 and later. ' +
          'Windows PowerShell 5.1 drops the double quotes in arguments: there, pipe -o manifest to ' +
          'kubectl apply --server-side --force-conflicts -f -.\n\n' +
          'HNS sets some of the values only seconds after it creates a network. If a value is missing, the exit code is 1.',
        examples: [
          'win-hcn node describe',
          'win-hcn node describe C:\\etc\\cni\\net.d\\10-win-hcn.conflist -o yaml',
          'win-hcn node describe vxlan0 -o kubectl --node-name win1',
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
        .addOption(
          new Option('-o, --output <format>', 'output format').choices(describeFormats).default('table'),
        )
        .action((given: string | undefined, flags: DescribeFlags) => describeNode(given, flags, session)),
    ],
  });
}

function parseNodeName(text: string): string {
  if (isNodeName(text)) return text;
  throw new InvalidArgumentError('expected the name of a Kubernetes node, such as win1');
}
