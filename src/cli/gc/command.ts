import { type Command, Option } from 'commander';
import { longestAddSeconds } from '../../commands/leases.ts';
import type { Owner } from '../../model/ownership.ts';
import { newCommand } from '../terminal/new-command.ts';
import { cniPathOption, formatOption, pluginOption } from '../terminal/options.ts';
import { type Format, formatted, printableIn, serialized } from '../terminal/output.ts';
import { exitCode, type Session } from '../terminal/session.ts';
import {
  type Deletion,
  endpointDeletions,
  exitCodeFor,
  reservationReleases,
  runDeletions,
} from './deletions.ts';
import { findLeftovers, type Leftovers, readScope, type Scope, type ScopeFlags } from './find-leftovers.ts';
import { expectedReport, notices, reportText, reservationsText, withResults } from './report.ts';
import { quietSeconds, releaseReservation } from './reservations.ts';

interface Flags extends ScopeFlags {
  readonly yes?: true;
  readonly otherPlugins?: true;
  readonly cniPath?: string;
  readonly output?: Format;
}

const conf = '--conf C:\\etc\\cni\\net.d\\10-win-hcn.conflist';

/** `gc`: finds and deletes leftovers. */
export function gcCommand(session: Session): Command {
  return newCommand('gc', session, {
    summary: 'find and delete leftover endpoints and addresses',
    description:
      'Finds leftover objects of deleted pods and shows why each is a leftover:\n' +
      '- endpoints that are not attached to a namespace, or whose namespace does not exist\n' +
      '- remote endpoints that win-hcn created and that no load balancer uses\n' +
      '- reserved addresses whose container has no endpoint and no namespace\n\n' +
      'gc is a dry run without --yes. With --yes, gc waits 5 s before it deletes endpoints, because the endpoint of an ADD in ' +
      'progress looks like a leftover for a moment. Then it checks each endpoint again and deletes it. gc never ' +
      'deletes endpoints that are in use, host endpoints, or endpoints that kube-proxy created.\n\n' +
      `gc keeps addresses that were reserved in the last ${quietSeconds / 60} minutes, because an ADD in progress may need them. An ADD ` +
      `that takes more than ${longestAddSeconds / 60} minutes fails.\n\n` +
      "gc does not delete host-local's reservation files, because this is safe only while host-local's lock is held. " +
      "Instead, it prints commands that you can run while no pod is starting. With --ipam, gc runs host-local's DEL for the container, and " +
      'host-local releases the address.\n\n' +
      'To run the CNI command GC as a container runtime does, use win-hcn debug cni gc.\n\n' +
      'Exit code: 1 if there are leftovers (without --yes), if a deletion failed (with --yes), or if data cannot be read.',
    examples: [
      'win-hcn gc',
      'win-hcn gc --yes',
      'win-hcn gc --network l2bridge --other-plugins --yes',
      `win-hcn gc ${conf} --ipam --yes`,
    ],
  })
    .option('--yes', 'delete the leftovers')
    .option('--network <name>', 'only leftovers on this network (default: all networks)')
    .option(
      '--other-plugins',
      'include endpoints that other plugins created (with names of the form CONTAINER_NETWORK)',
    )
    .addOption(
      new Option(
        '--conf <file>',
        'only the network of this conflist or plugin configuration file, or - for stdin',
      ).conflicts('network'),
    )
    .option(...pluginOption)
    .option('--ipam', 'release addresses through host-local; requires --conf')
    .option(...cniPathOption)
    .addOption(formatOption())
    .action(async (flags: Flags, command: Command) => {
      if (flags.ipam && flags.conf === undefined)
        command.error('win-hcn: --ipam requires --conf: the configuration to run host-local with');
      await collectGarbage(flags, session);
    });
}

/** Prints the leftovers; with --yes, deletes those that still are leftovers after a moment. Throws what HCN's client throws. */
async function collectGarbage(flags: Flags, session: Session): Promise<void> {
  const scope = readScope(flags, session);
  if (scope === undefined) return;
  const { yes = false, ipam = false, output } = flags;
  const owners: readonly Owner[] = flags.otherPlugins ? ['win-hcn', 'another plugin'] : ['win-hcn'];
  const leftovers = await findLeftovers(scope, owners, session);
  const problems = [...unknownNetwork(flags, leftovers), ...leftovers.problems];
  for (const problem of problems) session.printStderr(`win-hcn: ${problem}`);
  const report = expectedReport(leftovers, ipam);
  const wide = output === 'wide';
  const printNotices = () => notices(leftovers).forEach(session.printStderr);
  if (!yes) {
    session.print(formatted(report, output, (shown) => reportText(shown, wide, session)));
    printNotices();
    const count = report.endpoints.length + report.reservations.length + problems.length;
    return session.setExitCode(count === 0 ? exitCode.success : exitCode.problemFound);
  }
  const deletions = deletionsFor(leftovers, scope, flags, session);
  const results = await runDeletions(deletions, serialized(report, output) === undefined, session);
  const kept = report.reservations.filter(({ outcome }) => outcome === 'kept');
  const data = serialized(withResults(report, results), output);
  if (data !== undefined) session.print(data);
  else if (kept.length > 0) session.print(`\n${reservationsText(printableIn(kept), wide, session)}`);
  printNotices();
  const ended = exitCodeFor(results);
  session.setExitCode(problems.length > 0 && ended === exitCode.success ? exitCode.problemFound : ended);
}

function deletionsFor(
  leftovers: Leftovers,
  scope: Scope,
  flags: Flags,
  session: Session,
): readonly Deletion[] {
  const { config, store } = scope;
  const endpoints = endpointDeletions(leftovers, session);
  if (!flags.ipam || config === undefined || store === undefined) return endpoints;
  const findAgain = () => findLeftovers(scope, [], session);
  return [
    ...endpoints,
    ...reservationReleases(leftovers, findAgain, (one) => releaseReservation(one, config, flags, session)),
  ];
}

/** The name of the network may be misspelled. */
function unknownNetwork({ network }: Flags, { inventory }: Leftovers): readonly string[] {
  if (network === undefined || inventory.networks.some(({ Name }) => Name === network)) return [];
  return [`HCN has no network "${network}". List networks with win-hcn ls networks.`];
}
