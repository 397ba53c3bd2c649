import { type Command, Option } from 'commander';
import { longestAddSeconds } from '../../commands/leases.ts';
import { newCommand } from '../terminal/new-command.ts';
import { formatOption } from '../terminal/options.ts';
import { type Format, printable, printableIn, serialized } from '../terminal/output.ts';
import { type ExitCode, exitCode, type Session } from '../terminal/session.ts';
import { deleteLeftovers } from './delete-leftovers.ts';
import { findLeftovers, type Report, readScope, type ScopeFlags } from './find-leftovers.ts';
import { reportText, reservationsText } from './report.ts';
import { quietSeconds } from './reservations.ts';

interface Flags extends ScopeFlags {
  readonly yes?: true;
  readonly output?: Format;
}

/** `gc`: finds and deletes leftovers. */
export function gcCommand(session: Session): Command {
  return newCommand('gc', session, {
    summary: 'find and delete leftover endpoints and addresses',
    description:
      'Finds leftovers of deleted pods and shows why each is one: endpoints without a namespace or whose namespace does not exist, and ' +
      'addresses that host-local has reserved for a container without endpoint and namespace.\n\n' +
      'With --yes, gc waits 5 s, checks each endpoint again and deletes it: the endpoint of an ADD in progress looks like a leftover for ' +
      'a moment. It never deletes endpoints in use, host endpoints, or endpoints of kube-proxy. It leaves out addresses that were ' +
      `reserved in the last ${quietSeconds / 60} minutes; an ADD that takes more than ${longestAddSeconds / 60} minutes fails. ` +
      'To release an address, run win-hcn debug cni del for the container: gc cannot hold the lock of host-local.\n\n' +
      'Exit code: 1 if there are leftovers (without --yes), if a deletion failed (with --yes), or if data cannot be read.',
    examples: [
      'win-hcn gc',
      'win-hcn gc --yes',
      'win-hcn gc --network l2bridge --other-plugins --yes',
      'win-hcn gc --conf C:\\etc\\cni\\net.d\\10-win-hcn.conflist',
    ],
  })
    .option('--yes', 'delete the leftovers')
    .option('--network <name>', 'only leftovers on this network (default: all networks)')
    .option('--other-plugins', 'include endpoints that other plugins created (recognized by their names)')
    .addOption(
      new Option(
        '--conf <file>',
        'only the network of this conflist or plugin configuration file, or - for stdin',
      ).conflicts('network'),
    )
    .addOption(formatOption())
    .action((flags: Flags) => collectGarbage(flags, session));
}

/** Prints the leftovers; with --yes, deletes those that still are leftovers after a moment. Throws what HCN's client throws. */
async function collectGarbage(flags: Flags, session: Session): Promise<void> {
  const scope = readScope(flags, session);
  if (scope === undefined) return;
  const { yes = false, network, output } = flags;
  const leftovers = await findLeftovers(scope, flags, session);
  const { endpoints, reservations, inventory } = leftovers;
  // The name of the network may be misspelled.
  const isKnown = network === undefined || inventory.networks.some(({ Name }) => Name === network);
  const problems = [
    ...(isKnown ? [] : [`HCN has no network "${network}". List networks with win-hcn ls networks.`]),
    ...leftovers.problems,
  ];
  for (const problem of problems) session.printStderr(`win-hcn: ${printable(problem)}`);
  if (!isKnown && endpoints.length + reservations.length === 0 && output !== 'json')
    return session.setExitCode(exitCode.problemFound);
  const expected: Report = { endpoints, reservations };
  const wide = output === 'wide';
  let code: ExitCode = problems.length === 0 ? exitCode.success : exitCode.problemFound;
  if (yes) {
    const isText = serialized(expected, output) === undefined;
    const done = await deleteLeftovers(leftovers, isText, session);
    if (!isText) session.print(serialized({ endpoints: done.endpoints, reservations }, output) ?? '');
    else if (reservations.length > 0)
      session.print(`\n${reservationsText(printableIn(reservations), wide, session)}`);
    code = done.exitCode || code;
  } else {
    session.print(serialized(expected, output) ?? reportText(printableIn(expected), wide, session));
    if (endpoints.length + reservations.length > 0) code = exitCode.problemFound;
  }
  leftovers.notices.forEach(session.printStderr);
  session.setExitCode(code);
}
