import { type Command, Option } from 'commander';
import { newCommand } from '../new-command.ts';
import { formatOption } from '../options.ts';
import type { Session } from '../session.ts';
import { collect, type Flags } from './collect.ts';

const conf = '--conf C:\\etc\\cni\\net.d\\10-win-hcn.conflist';

/** `gc`: what is left over, and its deletion. */
export function gcCommand(session: Session): Command {
  return newCommand('gc', session, {
    summary: 'what pods left behind, and why it is stale; --yes deletes it',
    description:
      'Lists what pods left behind, and why it is stale: endpoints in no namespace or in one that is gone, remote endpoints of ' +
      "win-hcn's without a load balancer, and addresses whose container has neither an endpoint nor a namespace. Nothing changes " +
      'without --yes. With it, each endpoint is looked at again after 5 s (40 s with --ipam), as one of an ADD that is under way is in no ' +
      "namespace for a moment, and deleted if it is still stale. What a pod has, the node's own endpoints and kube-proxy's always stay.\n\n" +
      "host-local's files are under its lock, which only host-local should hold. So gc deletes none of them: it prints the command that " +
      'does, or with --ipam runs DEL for the container, and host-local gives the address back.\n\n' +
      'This is not the GC of a container runtime, which names the pods that are valid: win-hcn cni gc runs that.\n\n' +
      'Without --yes it ends with 1 when something is stale, with --yes when something could not be deleted.',
    examples: [
      'win-hcn gc',
      'win-hcn gc --yes',
      'win-hcn gc --network l2bridge --other-plugins --yes',
      `win-hcn gc ${conf} --ipam --yes`,
    ],
  })
    .addOption(new Option('--dry-run', 'change nothing, as without --yes').conflicts('yes'))
    .option('--yes', 'delete what is stale')
    .option('--network <name>', 'only what is on this network')
    .option('--other-plugins', 'endpoints of other plugins too, which are called CONTAINER_NETWORK')
    .addOption(
      new Option(
        '--conf <file>',
        'only the network of this conflist or plugin configuration; - is stdin',
      ).conflicts('network'),
    )
    .option('--plugin <type>', 'which plugin of the list, where several are for win-hcn')
    .option('--ipam', 'have host-local give addresses back; needs --conf')
    .option('--cni-path <folders>', 'where host-local is, CNI_PATH (default: the folder of win-hcn.exe)')
    .addOption(formatOption())
    .action(async (flags: Flags, command: Command) => {
      if (flags.ipam && flags.conf === undefined)
        command.error('win-hcn: --ipam needs --conf, the configuration that host-local is run with');
      await collect(flags, session);
    });
}
