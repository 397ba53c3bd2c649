import type { Command } from 'commander';
import { newCommand } from '../new-command.ts';
import { yesOption } from '../options.ts';
import type { Session } from '../session.ts';
import { createNamespace, deleteNamespace } from './namespaces.ts';

/** `namespace`: creates and deletes HCN namespaces. */
export function namespaceCommand(session: Session): Command {
  return newCommand('namespace', session, {
    summary: 'create or delete an HCN namespace',
    description: 'Creates and deletes HCN namespaces. List them with win-hcn ls namespaces.',
    examples: ['win-hcn namespace create', 'win-hcn namespace delete 7c806792'],
    subcommands: [createCommand(session), deleteCommand(session)],
  });
}

function createCommand(session: Session): Command {
  return newCommand('namespace create', session, {
    summary: 'create a namespace and print its ID',
    description:
      'Creates a namespace for the endpoints of a pod, as a container runtime does before ADD, and prints its ID. An ' +
      'existing namespace is not changed.',
    examples: [
      'win-hcn namespace create',
      'win-hcn cni add --conf 10-win-hcn.conflist --container pod1 --netns (win-hcn namespace create)',
    ],
  })
    .option('--id <guid>', 'ID of the namespace (default: a new GUID)')
    .action(({ id }: { readonly id?: string }) => createNamespace(id, session));
}

function deleteCommand(session: Session): Command {
  return newCommand('namespace delete', session, {
    summary: 'delete a namespace but not its endpoints',
    description:
      'Deletes a namespace. Its endpoints remain, in no namespace. HNS refuses to delete a namespace in which containers ' +
      'run; they are listed.',
    examples: ['win-hcn namespace delete 7c806792', 'win-hcn namespace delete 7c806792 --yes'],
  })
    .argument('<namespace>', 'ID or ID prefix of the namespace')
    .option(...yesOption)
    .action((key: string, { yes = false }: { readonly yes?: boolean }) => deleteNamespace(key, yes, session));
}
