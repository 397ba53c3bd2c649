import * as commands from '../../commands/load-balancer.ts';
import { loadBalancerId } from '../../model/identity.ts';
import type { Inventory } from '../../model/inventory.ts';
import { confirmChange, foreignObjectWarning, openContext } from '../change.ts';
import { isPath, readConfigName } from '../config-file.ts';
import { type LoadBalancerRow, loadBalancerRows } from '../inventory/load-balancer-row.ts';
import { readInventory } from '../inventory/read-inventory.ts';
import { resolveObject } from '../resolve-object.ts';
import { exitCode, type Session } from '../session.ts';
import { printValidation } from '../validate/print-validation.ts';
import { readLoadBalancerFile } from './read-file.ts';

const outcomes = {
  created: 'was created',
  updated: 'was updated',
  unchanged: 'exists as configured',
} as const;

/** Creates or updates the load balancer of a file. Throws HCN's refusal. */
export async function applyLoadBalancer(file: string, session: Session): Promise<void> {
  const read = readLoadBalancerFile(session.read(file));
  if ('problems' in read) {
    const validation = { problems: read.problems, warnings: [], notes: [], plugins: [] };
    printValidation(file, validation, { ...session, print: session.printStderr });
    return session.setExitCode(exitCode.problemFound);
  }
  const { config } = read;
  const outcome = await commands.applyLoadBalancer(config, openContext(session.system));
  session.print(`load balancer "${config.name}" ${loadBalancerId(config.name)} ${outcomes[outcome]}`);
}

/** Deletes the load balancer of a file, or with a name or an id. */
export async function deleteLoadBalancer(given: string, yes: boolean, session: Session): Promise<void> {
  const name = isPath(given) ? readConfigName(given, session) : undefined;
  if (isPath(given) && name === undefined) return;
  const row = findLoadBalancer(given, name, await readInventory(session), session);
  if (row === undefined) return;
  const { id, frontends, ports, owner } = row;
  const at = frontends.join(', ') || 'the addresses of the node';
  const impact = [
    `${at} no longer accepts connections: ${ports.join(', ')}.`,
    ...(owner === 'win-hcn' ? [] : [foreignObjectWarning]),
  ];
  const done = await confirmChange(
    (context) => commands.deleteLoadBalancer(id, context),
    { impact },
    yes,
    session,
  );
  if (done !== undefined)
    session.print(`load balancer ${id} ${done.result ? 'was deleted' : 'is gone already'}`);
}

/**
 * Returns undefined, after reporting why, if there is no such load balancer. HCN does not name them: the ids of ours are derived from
 * their names.
 */
function findLoadBalancer(
  given: string,
  name: string | undefined,
  inventory: Inventory,
  session: Session,
): LoadBalancerRow | undefined {
  const rows = loadBalancerRows(inventory);
  const named = rows.find(({ id }) => id === loadBalancerId(name ?? given));
  if (named !== undefined) return named;
  if (name === undefined) {
    const objects = rows.map((value) => ({ value, id: value.id, names: [] }));
    return resolveObject('load balancer', given, objects, session);
  }
  session.print(`HCN has no load balancer "${name}": nothing to delete`);
  return undefined;
}
