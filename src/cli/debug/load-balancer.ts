import type { Command } from 'commander';
import * as commands from '../../commands/load-balancer.ts';
import { type LoadBalancerConfig, readLoadBalancer } from '../../config/load-balancer-config.ts';
import { describeProblem, InvalidConfig } from '../../config/problems.ts';
import { spellerOf } from '../../config/source-paths.ts';
import { isObject } from '../../json/members.ts';
import { loadBalancerId } from '../../model/identity.ts';
import type { Inventory } from '../../model/inventory.ts';
import {
  type Diagnostic,
  inFileOrder,
  isPath,
  readConfigFile,
  readConfigName,
} from '../conflist/config-file.ts';
import { printFileReport } from '../conflist/print.ts';
import { type LoadBalancerRow, loadBalancerRows } from '../inventory/object-rows.ts';
import { readInventory } from '../inventory/read-inventory.ts';
import { resolveObject } from '../inventory/resolve-object.ts';
import { confirmChange, describeLoadBalancerImpact, openContext } from '../plugin/change.ts';
import { newCommand } from '../terminal/new-command.ts';
import { aliasesOf, type YesFlag, yesOption } from '../terminal/options.ts';
import { exitCode, type Session } from '../terminal/session.ts';

const example = JSON.stringify({
  name: 'dns',
  network: 'l2bridge',
  frontendVIPs: ['10.96.0.10'],
  ports: [{ protocol: 'udp', port: 53 }],
  backends: ['10.244.1.2'],
});

/** `loadbalancer`: creates and deletes HCN load balancers. */
export function loadBalancerCommand(session: Session): Command {
  return newCommand('debug loadbalancer', session, {
    summary: 'create or delete a load balancer',
    description: 'Creates and deletes HCN load balancers. List them with win-hcn ls loadbalancers.',
    examples: ['win-hcn debug loadbalancer apply dns.json', 'win-hcn debug loadbalancer delete dns'],
    subcommands: [
      newCommand('debug loadbalancer apply', session, {
        summary: 'create a load balancer from a file',
        description:
          'Creates a load balancer from a configuration file, with remote endpoints for backends on other nodes. ' +
          'Rolls back on failure. Does not change an existing load balancer. Problems in the file are reported with line and column; its schema is ' +
          'schemas/load-balancer.schema.json. HCN does not store its name. kube-proxy adopts a load balancer that matches the VIP, protocol, ports and ' +
          'backends of a Service, and deletes it when that Service changes: choose a VIP that no Service uses.',
        examples: [
          'win-hcn debug loadbalancer apply dns.json',
          `'${example}' | win-hcn debug loadbalancer apply -`,
        ],
      })
        .argument('<file>', 'load balancer configuration file, or - for stdin')
        .action((file: string) => applyLoadBalancer(file, session)),
      newCommand('debug loadbalancer delete', session, {
        summary: 'delete a load balancer and its unused remote endpoints',
        description:
          'Deletes a load balancer and the remote endpoints that win-hcn created and that no other load balancer uses. If ' +
          'you specify a configuration file and its load balancer does not exist, the exit code is 0.',
        examples: [
          'win-hcn debug loadbalancer delete dns',
          'win-hcn debug loadbalancer delete dns.json --yes',
        ],
      })
        .argument('<file-or-name>', 'configuration file, name (only if win-hcn created it), ID or ID prefix')
        .option(...yesOption)
        .action((given: string, { yes = false }: YesFlag) => deleteLoadBalancer(given, yes, session)),
    ],
  }).aliases(aliasesOf('loadbalancer'));
}

const outcomes = {
  created: 'was created',
  unchanged: 'exists as configured',
} as const;

/** Creates the load balancer of a file. Throws HCN's refusal. */
export async function applyLoadBalancer(file: string, session: Session): Promise<void> {
  const read = readLoadBalancerFile(session.read(file));
  if ('problems' in read) {
    const validation = { problems: read.problems, warnings: [], notes: [], plugins: [] };
    printFileReport(file, validation, { ...session, print: session.printStderr });
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
  const { id } = row;
  const done = await confirmChange(
    (context) => commands.deleteLoadBalancer(id, context),
    { impact: describeLoadBalancerImpact(row), yes },
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
  if (name === undefined) return resolveObject('load balancer', given, rows, session);
  session.print(`HCN has no load balancer "${name}": nothing to delete`);
  return undefined;
}

/** The load balancer that a file configures, or all that is wrong with the file. */
export type LoadBalancerFile =
  | { readonly config: LoadBalancerConfig }
  | { readonly problems: readonly Diagnostic[] };

export function readLoadBalancerFile(bytes: Uint8Array): LoadBalancerFile {
  const { value, positionOf, problems } = readConfigFile(bytes);
  if (value !== undefined && !isObject(value))
    return {
      problems: [...problems, { line: 1, column: 1, path: '', text: 'the file is not a JSON object' }],
    };
  if (value === undefined) return { problems };
  try {
    const config = readLoadBalancer(value);
    return problems.length > 0 ? { problems } : { config };
  } catch (error) {
    if (!(error instanceof InvalidConfig)) throw error;
    const spell = spellerOf(value);
    const refused = error.problems.map((problem) => {
      const path = spell(problem.path);
      const position = positionOf(path, problem.kind === 'unknown key');
      return { ...position, path, text: describeProblem({ ...problem, path }) };
    });
    return { problems: inFileOrder([...problems, ...refused]) };
  }
}
