import { type Command, Option } from 'commander';
import { newCommand } from '../new-command.ts';
import { type FormatFlags, formatOption, repeatable, yesOption } from '../options.ts';
import { serialized } from '../output.ts';
import {
  type ExitCode,
  exitCode,
  exitCodeOf,
  failureMessage,
  isHnsUnavailable,
  type Session,
  sessionFor,
} from '../session.ts';
import { compareReports, readObserved } from './compare.ts';
import { openForParent } from './open-elsewhere.ts';
import { checkNode, probe } from './probe.ts';
import { type Finding, type Report, reportLog } from './report.ts';
import { reportText } from './report-text.ts';
import { rows } from './rows.ts';
import type { Permissions } from './run-rows.ts';

interface Flags extends FormatFlags {
  readonly adapter?: string;
  readonly nat?: boolean;
  readonly restartHns?: boolean;
  readonly yes?: boolean;
  readonly row?: readonly string[];
  readonly compare?: string;
  readonly open?: string;
}

/** `probe`: runs experiments on uncertain behavior of HNS. */
export function probeCommand(session: Session): Command {
  return newCommand('probe', session, {
    summary: 'test uncertain behavior of HNS on this node',
    description:
      'Tests what win-hcn assumes about HNS, and reports whether each claim holds on this node. win-hcn is designed to ' +
      'work whether or not a claim holds: see docs/notes/uncertain-hns.md. Without --adapter, --nat and --restart-hns, ' +
      'probe needs no adapter and does not affect pods. It creates Private networks, namespaces, endpoints and load ' +
      'balancers, and deletes them, including those of an interrupted probe. The networks are named win-hcn-probe-… and ' +
      'have addresses in 198.19.0.0/16, or in 100.127.0.0/16 if this node uses the first. --adapter and --restart-hns ' +
      'interrupt connections and require --yes. Run one probe at a time. Exit codes: 0 success; 1 a claim does not hold, ' +
      'the reports differ, objects could not be deleted, the probe was interrupted, the adapter is unsuitable, or --yes ' +
      'is required; 2 invalid usage; 3 the Host Network Service does not respond.',
    examples: [
      'win-hcn probe',
      'win-hcn probe -o json > node1.json',
      'win-hcn probe --compare node1.json',
      'win-hcn probe --nat --adapter "Ethernet 2" --yes',
      'win-hcn probe --row callerIds --row attachTwice',
    ],
  })
    .option('--adapter <name>', 'also create networks on this adapter, which no network may use yet')
    .option('--nat', 'also create NAT and Internal networks, for which the node gets an interface')
    .option('--restart-hns', 'also restart the Host Network Service')
    .option(...yesOption)
    .option('--row <id>', 'run only the experiment of this row; can be repeated', repeatable(String))
    .option('--compare <file>', "show the differences from another node's report (JSON), or - for stdin")
    .addOption(formatOption())
    .addOption(new Option('--open <object>').hideHelp())
    .action((flags: Flags, command: Command) => run(flags, session, command));
}

async function run(flags: Flags, session: Session, command: Command): Promise<void> {
  const { adapter, nat = false, restartHns: restart = false, yes = false, output } = flags;
  if (flags.open !== undefined) return openForParent(flags.open, session);
  const selected = selectRows(flags.row, command);
  const other = flags.compare === undefined ? undefined : readObserved(flags.compare, session);
  const permissions: Permissions = { adapter, nat, restart };
  const impact = impactOf(permissions);
  if (impact.length > 0 && !yes) {
    await checkNode(permissions, session);
    session.print([...impact, 'No changes made. Rerun with --yes to apply.'].join('\n'));
    return session.setExitCode(exitCode.problemFound);
  }
  const { report, failure } = await probe(selected, permissions, session);
  const differences = other === undefined ? undefined : compareReports(report, other);
  save(report, session);
  const isRun = report.rows.some(({ verdict }) => verdict !== 'not tried');
  if (isHnsUnavailable(failure)) {
    session.printStderr(`win-hcn: ${failureMessage(failure, false)}`);
    if (!isRun && serialized(report, output) === undefined)
      return session.setExitCode(exitCode.hnsUnavailable);
  }
  const printed = { ...report, ...(differences !== undefined && { differences }) };
  session.print(serialized(printed, output) ?? reportText(printed, sessionFor(session, output)));
  session.setExitCode(exitCodeFor(report, failure, (differences ?? []).length));
}

function selectRows(ids: readonly string[] | undefined, command: Command): typeof rows {
  const unknown = ids?.find((id) => !rows.some((row) => row.id === id));
  if (unknown !== undefined)
    command.error(`win-hcn: unknown row "${unknown}". docs/notes/uncertain-hns.md lists the rows`);
  return ids === undefined ? rows : rows.filter(({ id }) => ids.includes(id));
}

/** What the experiments interrupt, in sentences. */
function impactOf({ adapter, restart }: Permissions): readonly string[] {
  return [
    ...(adapter === undefined
      ? []
      : [
          `Creates L2Bridge, L2Tunnel, Overlay and Transparent networks on adapter "${adapter}", one after the other, and deletes them.`,
          "Each creation and deletion interrupts the adapter's connections for some seconds.",
          'The adapter may lose its static address.',
          'The node briefly gets an interface with a probe address and a default route, which Windows may use.',
        ]),
    ...(restart
      ? [
          'Restarts the Host Network Service: new pods wait until it responds, and existing pods may lose their network.',
        ]
      : []),
  ];
}

/** Appends the report to a file beside the log, which is as protected as the log, for collect. */
function save(report: Report, { system, printStderr }: Session): void {
  const path = reportLog(system.logFile);
  if (path === undefined || system.openLog(path)(`${JSON.stringify(report)}\n`)) return;
  printStderr(`win-hcn: cannot write the report to ${path}: win-hcn collect will not include it`);
}

function exitCodeFor({ rows, remaining }: Report, failure: unknown, differences: number): ExitCode {
  if (failure !== undefined) return exitCodeOf(failure);
  const isProblem = (row: Finding) => row.verdict === 'does not hold';
  return rows.some(isProblem) || remaining.length > 0 || differences > 0
    ? exitCode.problemFound
    : exitCode.success;
}
