import type { Command } from 'commander';
import { newCommand } from '../new-command.ts';
import { configFileText, pluginOption, withAddress, withContainer, yesOption } from '../options.ts';
import type { Session } from '../session.ts';
import {
  attachEndpoint,
  type CreateFlags,
  createEndpoint,
  deleteEndpoint,
  detachEndpoint,
} from './endpoints.ts';

interface Yes {
  readonly yes?: boolean;
}

const create = 'win-hcn endpoint create --conf 10-win-hcn.conflist --container pod1 --address 10.244.1.7/24';
const endpointKey = 'name, ID or ID prefix of the endpoint';

/** `endpoint`: creates, attaches, detaches and deletes HCN endpoints. */
export function endpointCommand(session: Session): Command {
  return newCommand('endpoint', session, {
    summary: 'create, attach, detach or delete an HCN endpoint',
    description:
      'Creates, attaches, detaches and deletes HCN endpoints. List them with win-hcn ls endpoints -o wide.',
    examples: [
      create,
      'win-hcn endpoint attach 5efcf8b5 7c806792',
      'win-hcn endpoint detach 5efcf8b5 --yes',
      'win-hcn endpoint delete 5efcf8b5 --yes',
    ],
    subcommands: [
      createCommand(session),
      attachCommand(session),
      detachCommand(session),
      deleteCommand(session),
    ],
  });
}

function createCommand(session: Session): Command {
  const command = newCommand('endpoint create', session, {
    summary: 'create an unattached endpoint and print its ID',
    description:
      'Creates the endpoint that ADD would create, but in no namespace, and prints its ID. Its network must exist. Runs ' +
      'no IPAM plugin: --address replaces its result. A later ADD of the same attachment deletes the endpoint as a ' +
      'leftover, if it is still in no namespace, and creates a new one. win-hcn cni del deletes it too.',
    examples: [create],
  }).requiredOption('--conf <file>', configFileText);
  return withAddress(withContainer(command))
    .option(...pluginOption)
    .action((flags: CreateFlags) => createEndpoint(flags, session));
}

function attachCommand(session: Session): Command {
  return newCommand('endpoint attach', session, {
    summary: 'attach an endpoint to a namespace',
    description: 'Attaches an endpoint that is in no namespace. The namespace may contain other endpoints.',
    examples: ['win-hcn endpoint attach 5efcf8b5 7c806792'],
  })
    .argument('<endpoint>', endpointKey)
    .argument('<namespace>', 'ID or ID prefix of the namespace')
    .action((endpoint: string, namespace: string) => attachEndpoint(endpoint, namespace, session));
}

function detachCommand(session: Session): Command {
  return newCommand('endpoint detach', session, {
    summary: 'detach an endpoint from its namespace',
    description:
      'Detaches an endpoint from its namespace and does not delete it. HNS refuses this while a container runs in the ' +
      'namespace. Windows Server 2019 can attach an endpoint only once.',
    examples: ['win-hcn endpoint detach 5efcf8b5', 'win-hcn endpoint detach 5efcf8b5 7c806792 --yes'],
  })
    .argument('<endpoint>', endpointKey)
    .argument('[namespace]', 'ID or ID prefix of the namespace that it must be in')
    .option(...yesOption)
    .action((endpoint: string, namespace: string | undefined, { yes = false }: Yes) =>
      detachEndpoint(endpoint, namespace, yes, session),
    );
}

function deleteCommand(session: Session): Command {
  return newCommand('endpoint delete', session, {
    summary: 'delete an endpoint of any owner',
    description:
      'Deletes an endpoint of any owner. Runs no IPAM plugin: win-hcn cni del also releases the addresses of an endpoint ' +
      'that ADD created.',
    examples: ['win-hcn endpoint delete 5efcf8b5', 'win-hcn endpoint delete 5efcf8b5 --yes'],
  })
    .argument('<endpoint>', endpointKey)
    .option(...yesOption)
    .action((endpoint: string, { yes = false }: Yes) => deleteEndpoint(endpoint, yes, session));
}
