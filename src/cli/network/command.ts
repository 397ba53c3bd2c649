import type { Command } from 'commander';
import { newCommand } from '../new-command.ts';
import { configFileText, pluginOption, yesOption } from '../options.ts';
import type { Session } from '../session.ts';
import { deleteNetwork } from './delete.ts';
import { ensureNetwork } from './ensure.ts';

const file = 'C:\\etc\\cni\\net.d\\10-win-hcn.conflist';

/** `network`: creates and deletes HCN networks. */
export function networkCommand(session: Session): Command {
  return newCommand('network', session, {
    summary: 'create or delete an HCN network',
    description: 'Creates and deletes HCN networks. List them with win-hcn ls networks.',
    examples: [`win-hcn network ensure ${file}`, 'win-hcn network delete l2bridge'],
    subcommands: [ensureCommand(session), deleteCommand(session)],
  });
}

function ensureCommand(session: Session): Command {
  return newCommand('network ensure', session, {
    summary: 'create the network and host endpoint of a configuration',
    description:
      "Creates the network of a configuration, and the node's endpoint on it if configured, as the first ADD would. An " +
      'existing network is not changed; its differences from the configuration are shown. With a host endpoint, enables ' +
      "forwarding on the node's interfaces and replaces the remains of an interrupted ADD. Creating an L2Bridge, " +
      'L2Tunnel, Overlay or Transparent network disconnects its adapter for some seconds, which interrupts connections to ' +
      'the node. Shows progress on stderr.',
    examples: [`win-hcn network ensure ${file}`],
  })
    .argument('<file>', configFileText)
    .option(...pluginOption)
    .action((path: string, { plugin }: { readonly plugin?: string }) => ensureNetwork(path, plugin, session));
}

function deleteCommand(session: Session): Command {
  return newCommand('network delete', session, {
    summary: 'delete a network that has no pod endpoints',
    description:
      "Deletes a network, and the node's endpoint on it. A network with other endpoints is not deleted; they are listed. " +
      'If the network of a configuration file does not exist, the exit code is 0.',
    examples: [
      'win-hcn network delete l2bridge',
      'win-hcn network delete l2bridge --yes',
      `win-hcn network delete ${file} --yes`,
    ],
  })
    .argument('<file-or-name>', 'configuration file, or name, ID or ID prefix of the network')
    .option(...yesOption)
    .action((given: string, { yes = false }: { readonly yes?: boolean }) =>
      deleteNetwork(given, yes, session),
    );
}
