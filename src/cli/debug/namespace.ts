import type { Command } from 'commander';
import { CniError, code } from '../../cni/error.ts';
import { parseNamespaceId } from '../../cni/request.ts';
import * as namespaces from '../../commands/namespaces.ts';
import { selectHostNamespace } from '../../model/ownership.ts';
import { endpointRows } from '../inventory/endpoint-row.ts';
import { namespaceRows } from '../inventory/object-rows.ts';
import { readInventory } from '../inventory/read-inventory.ts';
import { resolveObject } from '../inventory/resolve-object.ts';
import { confirmChange, describeImpact, openContext } from '../plugin/change.ts';
import { newCommand } from '../terminal/new-command.ts';
import { aliasesOf, type YesFlag, yesOption } from '../terminal/options.ts';
import { type Session, wrongUsage } from '../terminal/session.ts';

/** `namespace`: creates and deletes HCN namespaces. */
export function namespaceCommand(session: Session): Command {
  return newCommand('debug namespace', session, {
    summary: 'create or delete an HCN namespace',
    description: 'Creates and deletes HCN namespaces. List them with win-hcn ls namespaces.',
    examples: ['win-hcn debug namespace create', 'win-hcn debug namespace delete 7c806792'],
    subcommands: [
      newCommand('debug namespace create', session, {
        summary: 'create a namespace and print its ID',
        description:
          'Creates a namespace for the endpoints of a pod, as a container runtime does before ADD, and prints its ID.',
        examples: [
          'win-hcn debug namespace create',
          'win-hcn debug cni add --conf 10-win-hcn.conflist --container pod1 --netns (win-hcn debug namespace create)',
        ],
      })
        .option('--id <guid>', 'ID of the namespace (default: a new GUID)')
        .action(({ id }: { readonly id?: string }) => createNamespace(id, session)),
      newCommand('debug namespace delete', session, {
        summary: 'delete a namespace but not its endpoints',
        description:
          'Deletes a namespace. Its endpoints are detached, not deleted. HNS refuses if containers run in it; win-hcn lists ' +
          'them.',
        examples: [
          'win-hcn debug namespace delete 7c806792',
          'win-hcn debug namespace delete 7c806792 --yes',
        ],
      })
        .argument('<namespace>', 'ID or ID prefix of the namespace')
        .option(...yesOption)
        .action((key: string, { yes = false }: YesFlag) => deleteNamespace(key, yes, session)),
    ],
  }).aliases(aliasesOf('namespace'));
}

/** Creates a namespace with this id or a new one, and prints only the id that it has on stdout. */
export async function createNamespace(given: string | undefined, session: Session): Promise<void> {
  const id = parseNamespaceId(given ?? session.terminal.newGuid());
  if (id === undefined) throw wrongUsage(`--id ${given} is not a GUID`);
  const created = await namespaces.createNamespace(id, openContext(session.system));
  if (created === undefined) session.printStderr(`win-hcn: namespace ${id} already exists; no changes made`);
  session.print(created ?? id);
}

/** Deletes a namespace other than the host namespace. Throws HCN's refusal while a container runs in it. */
export async function deleteNamespace(key: string, yes: boolean, session: Session): Promise<void> {
  const inventory = await readInventory(session);
  const { id, containers } = resolveObject('namespace', key, namespaceRows(inventory));
  if (id === selectHostNamespace(inventory.namespaces)?.ID)
    throw new CniError(code.hcnFailure, `namespace ${id} is the host namespace and is not deleted`);
  const endpoints = endpointRows(inventory).filter((row) => row.namespace === id);
  const impact = [
    ...endpoints.flatMap((row) => [
      ...describeImpact(row),
      `Endpoint "${row.name}" (${row.id}) remains, in no namespace.`,
    ]),
    ...containers.map((one) => `Container ${one} is running: HNS refuses this until it stops.`),
  ];
  const done = await confirmChange(
    (context) => namespaces.deleteNamespace(id, context),
    { impact, yes },
    session,
  );
  if (done !== undefined) session.print(`namespace ${id} ${done.result ? 'was deleted' : 'is gone already'}`);
}
