import type { Command } from 'commander';
import { loadBalancersUsing } from '../../model/leftovers.ts';
import { attachedTo } from '../../model/readiness.ts';
import { endpointRow } from '../inventory/endpoint-row.ts';
import { readInventory } from '../inventory/read-inventory.ts';
import { resolveObject } from '../inventory/resolve-object.ts';
import { confirmChange, describeImpact, foreignObjectWarning } from '../plugin/change.ts';
import { newCommand } from '../terminal/new-command.ts';
import { aliasesOf, type YesFlag, yesOption } from '../terminal/options.ts';
import { printable } from '../terminal/output.ts';
import type { Session } from '../terminal/session.ts';

/** `endpoint`: deletes HCN endpoints. */
export function endpointCommand(session: Session): Command {
  return newCommand('debug endpoint', session, {
    summary: 'delete an HCN endpoint',
    description: 'Deletes HCN endpoints. List them with win-hcn ls endpoints -o wide.',
    examples: ['win-hcn debug endpoint delete 5efcf8b5 --yes'],
    subcommands: [
      newCommand('debug endpoint delete', session, {
        summary: 'delete any endpoint, including those of other plugins',
        description:
          'Detaches and deletes any endpoint, including those of other plugins. Its addresses stay reserved: to release those ' +
          'of an ADD, use win-hcn debug cni del.',
        examples: ['win-hcn debug endpoint delete 5efcf8b5', 'win-hcn debug endpoint delete 5efcf8b5 --yes'],
      })
        .argument('<endpoint>', 'name, ID or ID prefix of the endpoint')
        .option(...yesOption)
        .action((endpoint: string, { yes = false }: YesFlag) => deleteEndpoint(endpoint, yes, session)),
    ],
  }).aliases(aliasesOf('endpoint'));
}

/** Deletes an endpoint of any owner. */
async function deleteEndpoint(key: string, yes: boolean, session: Session): Promise<void> {
  const inventory = await readInventory(session);
  const endpoint = resolveObject('endpoint', key, inventory.endpoints);
  const { ID: id, Name: name } = endpoint;
  const row = endpointRow(endpoint, inventory);
  const impact = [
    ...describeImpact(row),
    ...(row.owner === 'kube-proxy' || row.owner === 'unknown' ? [foreignObjectWarning] : []),
    ...loadBalancersUsing(id, inventory.loadBalancers).map(
      (user) => `Load balancer ${user} loses a backend.`,
    ),
    ...(row.container === undefined
      ? []
      : ['The IPAM plugin does not run: use win-hcn debug cni del to release the addresses too.']),
  ];
  const namespace = attachedTo(endpoint);
  const done = await confirmChange(
    ({ changes }) => changes.apply({ do: 'delete endpoint', id, name, namespace }),
    { impact, yes },
    session,
  );
  if (done !== undefined)
    session.print(`endpoint "${printable(name)}" ${id} ${done.result ? 'was deleted' : 'is gone already'}`);
}
