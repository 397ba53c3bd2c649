import type { Command } from 'commander';
import { newCommand } from '../new-command.ts';
import { withPlugin, yesOption } from '../options.ts';
import type { Session } from '../session.ts';
import { deleteNetwork } from './delete.ts';
import { ensureNetwork } from './ensure.ts';

const file = 'C:\\etc\\cni\\net.d\\10-win-hcn.conflist';

/** `network`: HCN networks by hand. */
export function networkCommand(session: Session): Command {
  return newCommand('network', session, {
    summary: 'make the network of a configuration, or delete one',
    description: 'HCN networks by hand, with what that interrupts. Run win-hcn ls networks to list networks.',
    examples: [`win-hcn network ensure ${file}`, 'win-hcn network delete l2bridge'],
  })
    .helpCommand('help [command]', 'show the help of a command')
    .addCommand(ensureCommand(session))
    .addCommand(deleteCommand(session));
}

function ensureCommand(session: Session): Command {
  const command = newCommand('network ensure', session, {
    summary: "make the network of a configuration, and the node's endpoint on it, as ADD does",
    description:
      "Makes the network of a configuration, and the node's endpoint on it where one is configured, as the first ADD would: before " +
      'there are pods to wait for it. What exists stays as it is; where it is not as configured, the differences are shown. With an ' +
      "endpoint of the node, the node's interfaces are set to forward, and what an interrupted ADD left of it is made anew. Creating " +
      'an L2Bridge, L2Tunnel, Overlay or Transparent network takes its adapter away for some seconds, and interrupts the connections ' +
      'to the node. What is awaited is shown meanwhile.',
    examples: [`win-hcn network ensure ${file}`],
  }).argument('<file>', 'a .conflist or .conf file; - is stdin');
  return withPlugin(command).action((path: string, { plugin }: { readonly plugin?: string }) =>
    ensureNetwork(path, plugin, session),
  );
}

function deleteCommand(session: Session): Command {
  return newCommand('network delete', session, {
    summary: "delete a network on which nothing is but the node's own endpoint",
    description:
      "Deletes a network, and the node's endpoint on it. While other endpoints are on the network it stays, and they are shown. " +
      'A file whose network is not there is fine.',
    examples: [
      'win-hcn network delete l2bridge',
      'win-hcn network delete l2bridge --yes',
      `win-hcn network delete ${file} --yes`,
    ],
  })
    .argument(
      '<file-or-name>',
      'a .conflist or .conf file, or the name of a network, its id or the beginning of it',
    )
    .option(...yesOption)
    .action((given: string, { yes = false }: { readonly yes?: boolean }) =>
      deleteNetwork(given, yes, session),
    );
}
