import type { Command } from 'commander';
import { newCommand } from '../new-command.ts';
import { yesOption } from '../options.ts';
import type { Session } from '../session.ts';
import { createNamespace } from './create.ts';
import { deleteNamespace } from './delete.ts';

/** `namespace`: HCN namespaces by hand. */
export function namespaceCommand(session: Session): Command {
  return newCommand('namespace', session, {
    summary: 'make an HCN namespace as a container runtime does, or delete one',
    description: 'HCN namespaces by hand. Run win-hcn ls namespaces to list namespaces.',
    examples: ['win-hcn namespace create', 'win-hcn namespace delete 7c806792'],
  })
    .helpCommand('help [command]', 'show the help of a command')
    .addCommand(createCommand(session))
    .addCommand(deleteCommand(session));
}

function createCommand(session: Session): Command {
  return newCommand('namespace create', session, {
    summary: 'make a namespace, and print its id',
    description:
      'Makes a namespace for the endpoints of a pod, as a container runtime does before ADD, and prints its id. One that exists ' +
      'already stays as it is.',
    examples: [
      'win-hcn namespace create',
      'win-hcn cni add --conf 10-win-hcn.conflist --container pod1 --netns (win-hcn namespace create)',
    ],
  })
    .option('--id <guid>', 'its id (default: a new one)')
    .action(({ id }: { readonly id?: string }) => createNamespace(id, session));
}

function deleteCommand(session: Session): Command {
  return newCommand('namespace delete', session, {
    summary: 'delete a namespace; its endpoints stay, in none',
    description:
      'Deletes a namespace. Its endpoints stay, in none. HNS deletes none in which a container runs: they are named.',
    examples: ['win-hcn namespace delete 7c806792', 'win-hcn namespace delete 7c806792 --yes'],
  })
    .argument('<namespace>', 'its id or the beginning of it')
    .option(...yesOption)
    .action((key: string, { yes = false }: { readonly yes?: boolean }) => deleteNamespace(key, yes, session));
}
