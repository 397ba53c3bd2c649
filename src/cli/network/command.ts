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
    description:
      'Creates and deletes HCN networks, and connects them to the pods of other nodes. List them with win-hcn ls networks.',
    examples: [
      `win-hcn network ensure ${file} --yes`,
      `win-hcn network sync ${file} --nodes nodes.json`,
      'win-hcn network delete l2bridge',
    ],
    subcommands: [
      newCommand('network ensure', session, {
        summary: 'create the network and node endpoints of a configuration',
        description:
          'Creates the network of a configuration, and its host endpoint if configured, in the same way as the first ADD. ' +
          'If the network exists, win-hcn does not change it but shows how it differs from the configuration. If the ' +
          "configuration has a host endpoint, win-hcn also enables IP forwarding on the node's interfaces and replaces a " +
          'leftover host endpoint of an interrupted ADD. If the configuration has sourceVip, network ' +
          'ensure reserves an address with the IPAM plugin, creates an endpoint with it, and prints it for kube-proxy. Creating an L2Bridge, L2Tunnel, Overlay or Transparent network ' +
          'disconnects its adapter for a few seconds and interrupts connections to the node. Without --yes, win-hcn shows ' +
          'the steps and does not perform them. Progress is written to stderr. If nothing is missing, the exit code is 0.',
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
          'Deletes a network, its host endpoint, its source VIP and the load balancers of its endpoints, including those of kube-proxy. If you specify a configuration file, the IPAM plugin ' +
          'releases the address of the source VIP. If the network has other endpoints, win-hcn does not delete it. ' +
          'If you specify a configuration file and its network does not exist, the exit code is 0.',
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
      'Sets the remote subnets of an existing network, from its configuration and the nodes of the cluster: on an Overlay network its ' +
      'RemoteSubnetRoute policies, on an L2Bridge network the routes of this node. win-hcn changes only what differs, one remote subnet ' +
      'at a time. It rolls back a change that fails, and continues with the others. ' +
      'On L2Bridge it leaves the routes of other programs alone. --nodes adds the pod subnets of all other nodes to ' +
      "the remoteSubnets of the file, which have priority. Overlay requires flannel's annotations on the nodes, L2Bridge only their PodCIDR and InternalIP. Nodes that " +
      'lack these are skipped with the reason, and then no remote subnet is removed. Networks of flanneld, Calico and ' +
      'OVN-Kubernetes are refused. Without --yes, win-hcn shows the steps and does not perform them. Requires an administrator; run it regularly as a scheduled task of SYSTEM.',
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
