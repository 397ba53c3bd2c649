import type { Command } from 'commander';
import { newCommand } from '../terminal/new-command.ts';
import { aliasesOf, cniPathOption, configFileText, yesOption } from '../terminal/options.ts';
import type { Session } from '../terminal/session.ts';
import { type DeleteFlags, deleteNetwork } from './delete-network.ts';
import { describeCommand } from './describe-node.ts';
import { type EnsureFlags, ensureNetwork } from './ensure-network.ts';
import { type SyncFlags, syncNetwork } from './sync.ts';

const file = 'C:\\etc\\cni\\net.d\\10-win-hcn.conflist';

/** `network`: creates and deletes HCN networks, and sets their remote subnets. */
export function networkCommand(session: Session): Command {
  return newCommand('network', session, {
    summary: 'create, connect, describe or delete an HCN network',
    description: 'Creates, connects and deletes HCN networks. List them with win-hcn ls networks.',
    examples: [
      `win-hcn network ensure ${file} --yes`,
      `win-hcn network sync ${file} --nodes nodes.json`,
      'win-hcn network delete l2bridge',
    ],
    subcommands: [
      newCommand('network ensure', session, {
        summary: 'create the network and node endpoints of a configuration',
        description:
          'Creates the network of a configuration and its host endpoint as the first ADD does, and enables IP forwarding for that. With ' +
          'sourceVip, it also reserves the address that kube-proxy sends from, creates its endpoint, and prints it. An existing network is ' +
          'not changed; its differences from the configuration are shown. Creating an L2Bridge, L2Tunnel, Overlay or Transparent ' +
          "network interrupts its adapter's connections for a few seconds. The exit code is 0 if nothing is missing.",
        examples: [`win-hcn network ensure ${file}`, `win-hcn network ensure ${file} --yes`],
      })
        .argument('<file>', configFileText)
        .option(...cniPathOption)
        .option(...yesOption)
        .action((path: string, flags: EnsureFlags) => ensureNetwork(path, flags, session)),
      syncCommand(session),
      describeCommand(session),
      newCommand('network delete', session, {
        summary: 'delete a network that has no pod endpoints',
        description:
          'Deletes a network with its host endpoint, its source VIP and the load balancers of its endpoints, including those of ' +
          'kube-proxy. A network that has other endpoints is kept. With a configuration file, the IPAM plugin releases the ' +
          'address of the source VIP, and the exit code is 0 if the network does not exist.',
        examples: [
          'win-hcn network delete l2bridge',
          'win-hcn network delete l2bridge --yes',
          `win-hcn network delete ${file} --yes`,
        ],
      })
        .argument('<file-or-name>', 'configuration file, or name, ID or ID prefix of the network')
        .option(...cniPathOption)
        .option(...yesOption)
        .action((given: string, flags: DeleteFlags) => deleteNetwork(given, flags, session)),
    ],
  }).aliases(aliasesOf('network'));
}

function syncCommand(session: Session): Command {
  const command = newCommand('network sync', session, {
    summary: 'set the remote subnets of an existing network',
    description:
      'Sets the remote subnets of an existing network: RemoteSubnetRoute policies on Overlay, routes of this node on L2Bridge. ' +
      'It changes only what differs, rolls back a change that fails, continues with the others, and keeps the routes of other ' +
      'programs. --nodes adds the pod subnets of the other nodes to remoteSubnets of the file, which has priority. Overlay ' +
      "requires flannel's annotations on the nodes, L2Bridge their PodCIDR and InternalIP; if a node lacks them, no remote " +
      'subnet is removed. Networks of flanneld, Calico and OVN-Kubernetes are refused. Run it regularly as a scheduled task of ' +
      'SYSTEM.',
    examples: [
      `win-hcn network sync ${file} --yes`,
      `kubectl get nodes -o json | win-hcn network sync ${file} --yes --nodes -`,
    ],
  })
    .argument('<file>', configFileText)
    .option(
      '--nodes <file>',
      'also add the nodes in this file, or - for stdin: the output of kubectl get nodes -o json',
    )
    .option(...yesOption);
  return command.action((path: string, flags: SyncFlags) => {
    if (path === '-' && flags.nodes === '-')
      command.error('win-hcn: only one of the two files can be read from stdin');
    return syncNetwork(path, flags, session);
  });
}
