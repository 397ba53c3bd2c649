import type { Command } from 'commander';
import { newCommand } from '../new-command.ts';
import { withAddress, withContainer, withPlugin, yesOption } from '../options.ts';
import type { Session } from '../session.ts';
import { attachEndpoint } from './attach.ts';
import { type CreateFlags, createEndpoint } from './create.ts';
import { deleteEndpoint } from './delete.ts';
import { detachEndpoint } from './detach.ts';

interface Yes {
  readonly yes?: boolean;
}

const create = 'win-hcn endpoint create --conf 10-win-hcn.conflist --container pod1 --address 10.244.1.7/24';
const endpointKey = 'its id or the beginning of it, or its name';

/** `endpoint`: HCN endpoints by hand. */
export function endpointCommand(session: Session): Command {
  return newCommand('endpoint', session, {
    summary: 'make the endpoint of an attachment; attach, detach or delete an endpoint',
    description: 'HCN endpoints by hand. win-hcn ls endpoints -o wide shows those there are.',
    examples: [
      create,
      'win-hcn endpoint attach 5efcf8b5 7c806792',
      'win-hcn endpoint detach 5efcf8b5 --yes',
      'win-hcn endpoint delete 5efcf8b5 --yes',
    ],
  })
    .helpCommand('help [command]', 'show the help of a command')
    .addCommand(createCommand(session))
    .addCommand(attachCommand(session))
    .addCommand(detachCommand(session))
    .addCommand(deleteCommand(session));
}

function createCommand(session: Session): Command {
  const command = newCommand('endpoint create', session, {
    summary: 'make the endpoint of an attachment, in no namespace, and print its id',
    description:
      'Makes the endpoint that ADD would make for an attachment, in no namespace, and prints its id. Its network has to be there. No ' +
      'IPAM plugin is asked: --address says what it would assign. A later ADD for the attachment takes the endpoint for a leftover ' +
      'while it is in no namespace, and makes it anew; win-hcn cni del deletes it as well.',
    examples: [create],
  }).requiredOption('--conf <file>', 'a conflist or the configuration of one plugin; - is stdin');
  return withPlugin(withAddress(withContainer(command))).action((flags: CreateFlags) =>
    createEndpoint(flags, session),
  );
}

function attachCommand(session: Session): Command {
  return newCommand('endpoint attach', session, {
    summary: 'put an endpoint into a namespace',
    description: 'Puts an endpoint that is in no namespace into one, which may have others.',
    examples: ['win-hcn endpoint attach 5efcf8b5 7c806792'],
  })
    .argument('<endpoint>', endpointKey)
    .argument('<namespace>', 'its id or the beginning of it')
    .action((endpoint: string, namespace: string) => attachEndpoint(endpoint, namespace, session));
}

function detachCommand(session: Session): Command {
  return newCommand('endpoint detach', session, {
    summary: 'take an endpoint out of its namespace; it stays, in none',
    description:
      'Takes an endpoint out of its namespace. It stays, in none. HNS lets none out of a namespace in which a container runs, and ' +
      'Windows Server 2019 attaches an endpoint once in its life.',
    examples: ['win-hcn endpoint detach 5efcf8b5', 'win-hcn endpoint detach 5efcf8b5 7c806792 --yes'],
  })
    .argument('<endpoint>', endpointKey)
    .argument('[namespace]', 'the namespace it has to be in, by its id or the beginning of it')
    .option(...yesOption)
    .action((endpoint: string, namespace: string | undefined, { yes = false }: Yes) =>
      detachEndpoint(endpoint, namespace, yes, session),
    );
}

function deleteCommand(session: Session): Command {
  return newCommand('endpoint delete', session, {
    summary: 'delete an endpoint, whoever made it',
    description:
      'Deletes an endpoint, whoever made it. No IPAM plugin is told: win-hcn cni del also gives back the addresses of an endpoint ' +
      'that ADD made.',
    examples: ['win-hcn endpoint delete 5efcf8b5', 'win-hcn endpoint delete 5efcf8b5 --yes'],
  })
    .argument('<endpoint>', endpointKey)
    .option(...yesOption)
    .action((endpoint: string, { yes = false }: Yes) => deleteEndpoint(endpoint, yes, session));
}
