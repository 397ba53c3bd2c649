import type { Command } from 'commander';
import { newCommand } from '../terminal/new-command.ts';
import { configFileText, formatOption, parsePause, pluginOption, yesOption } from '../terminal/options.ts';
import type { Session } from '../terminal/session.ts';
import { keepSynced } from './keep-synced.ts';
import { type SyncFlags, syncNetwork } from './sync-network.ts';

const file = 'C:\\etc\\cni\\net.d\\10-win-hcn.conflist';

/** `network sync`: sets the remote subnets of a network. */
export function syncCommand(session: Session): Command {
  const command = newCommand('network sync', session, {
    summary: 'set the remote subnets of an existing network',
    description:
      'Sets the remote subnets of an existing network, from its configuration and the nodes of the cluster: on an Overlay network its ' +
      'RemoteSubnetRoute policies, on an L2Bridge network the routes of this node. win-hcn changes only what differs, one remote subnet ' +
      'at a time. It rolls back a change that fails, and continues with the others. Ctrl+C finishes the current change and skips the others. ' +
      'On L2Bridge it leaves the routes of other programs alone. --nodes adds the pod subnets of all other nodes to ' +
      "the remoteSubnets of the file, which have priority. Overlay requires flannel's annotations on the nodes, L2Bridge only their PodCIDR and InternalIP. Nodes that " +
      'lack these are skipped with the reason, and their existing remote subnets stay. Networks of flanneld, Calico and ' +
      'OVN-Kubernetes are refused without --force. Without --yes, win-hcn shows the steps and does not perform them. Requires an administrator; with --watch, run it as a scheduled task of SYSTEM or in a HostProcess container.',
    examples: [
      `win-hcn network sync ${file} --yes`,
      `kubectl get nodes -o json | win-hcn network sync ${file} --yes --nodes -`,
      `win-hcn network sync ${file} --nodes C:\\k\\nodes.json --yes --watch 10`,
    ],
  })
    .argument('<file>', configFileText)
    .option(
      '--nodes <file>',
      'also add the nodes in this file, or - for stdin: the output of kubectl get nodes -o json',
    )
    .option(
      '--force',
      'also change a network that another program manages, remove routes that another network may need, and accept a list in which this node has another pod subnet',
    )
    .option(
      '--watch <seconds>',
      'keep running, read the files again each time, and log the changes',
      parsePause,
    )
    .option(...pluginOption)
    .option(...yesOption)
    .addOption(formatOption());
  return command.action((path: string, flags: SyncFlags & { readonly watch?: number }) => {
    const problem = problemIn(path, flags);
    if (problem !== undefined) command.error(`win-hcn: ${problem}`);
    const { watch, ...given } = flags;
    return watch === undefined ? syncNetwork(path, given, session) : keepSynced(watch, path, given, session);
  });
}

function problemIn(
  path: string,
  { nodes, watch, yes, output }: SyncFlags & { readonly watch?: number },
): string | undefined {
  if (path === '-' && nodes === '-') return 'only one of the two files can be read from stdin';
  if (watch === undefined) return undefined;
  if (yes !== true) return '--watch requires --yes';
  if (output === 'json' || output === 'yaml') return `--watch does not support -o ${output}`;
  return path === '-' || nodes === '-' ? '--watch cannot read from stdin: specify files' : undefined;
}
