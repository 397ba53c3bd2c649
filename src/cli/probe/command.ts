import type { Command } from 'commander';
import { newCommand } from '../terminal/new-command.ts';
import { type FormatFlags, formatOption, repeatable, yesOption } from '../terminal/options.ts';
import { serialized } from '../terminal/output.ts';
import {
  type ExitCode,
  exitCode,
  exitCodeOf,
  failureMessage,
  isHnsUnavailable,
  type Session,
  sessionFor,
} from '../terminal/session.ts';
import { wrapSentences } from '../terminal/wrap.ts';
import { NotTried } from './observation.ts';
import { previewText } from './preview.ts';
import { probe } from './probe.ts';
import type { Report } from './report.ts';
import { reportText } from './report-text.ts';
import { rows } from './rows.ts';
import type { Permissions } from './run-rows.ts';
import { readStart } from './start.ts';

interface Flags extends FormatFlags {
  readonly adapter?: string;
  readonly nat?: boolean;
  readonly restartHns?: boolean;
  readonly yes?: boolean;
  readonly row?: readonly string[];
}

/** `probe`: runs experiments on uncertain behavior of HNS. */
export function probeCommand(session: Session): Command {
  return newCommand('probe', session, {
    summary: 'test uncertain behavior of HNS on this node',
    description:
      'Tests what win-hcn assumes about HNS, and reports whether each claim holds on this node. win-hcn is designed to ' +
      'work whether or not a claim holds: see docs/notes/uncertain-hns.md. Without --yes, probe only shows what it would ' +
      'create and interrupt. Without --adapter, --nat and --restart-hns, it needs no adapter and does not affect pods: it ' +
      'creates a few Private networks, endpoints and namespaces. It deletes what it created, including the objects of an ' +
      'interrupted probe. Its networks are named win-hcn-probe-… and have addresses in 198.19.0.0/16, or in 100.127.0.0/16 ' +
      'if this node uses the first. --adapter requires an adapter with an address, without a default gateway, and in no virtual ' +
      'switch; --restart-hns requires a drained node. The report has no names, addresses or IDs of the node. Run one probe at a time. ' +
      'Exit codes: 0 success; 1 a claim does not hold, objects could not be deleted, the probe was ' +
      'interrupted, the node is unsuitable, or --yes is required; 2 invalid usage; 3 the Host Network Service does not ' +
      'respond.',
    examples: [
      'win-hcn probe',
      'win-hcn probe --yes -o json > node1.json',
      'win-hcn probe --nat --adapter "Ethernet 2" --yes',
      'win-hcn probe --row callerIds --row attachTwice --yes',
    ],
  })
    .option('--adapter <name>', 'also create networks on this adapter, which no network may use yet')
    .option('--nat', 'also create NAT and Internal networks, for which the node gets an interface')
    .option('--restart-hns', 'also restart the Host Network Service')
    .option(...yesOption)
    .option('--row <id>', 'run only the experiment of this row; can be repeated', repeatable(String))
    .addOption(formatOption())
    .action((flags: Flags, command: Command) => run(flags, session, command));
}

async function run(flags: Flags, session: Session, command: Command): Promise<void> {
  const { adapter, nat = false, restartHns: restart = false, yes = false, output } = flags;
  const selected = selectRows(flags.row, command);
  const permissions: Permissions = { adapter, nat, restart };
  if (!yes) {
    const text = previewText(selected, permissions, await readStart(permissions, session));
    session.print(wrapSentences(text, session.width));
    return session.setExitCode(exitCode.problemFound);
  }
  const { report, failure } = await probe(selected, permissions, session);
  const isRun = report.rows.some(({ verdict }) => verdict !== 'not tried');
  if (failure !== undefined && !(failure instanceof NotTried))
    session.printStderr(`win-hcn: ${failureMessage(failure, false)}`);
  if (isHnsUnavailable(failure) && !isRun && serialized(report, output) === undefined)
    return session.setExitCode(exitCode.hnsUnavailable);
  session.print(
    serialized(report, output) ?? reportText(report, output === 'wide', sessionFor(session, output)),
  );
  session.setExitCode(exitCodeFor(report, failure));
}

function selectRows(ids: readonly string[] | undefined, command: Command): typeof rows {
  const unknown = ids?.find((id) => !rows.some((row) => row.id === id));
  if (unknown !== undefined)
    command.error(`win-hcn: unknown row "${unknown}". docs/notes/uncertain-hns.md lists the rows`);
  return ids === undefined ? rows : rows.filter(({ id }) => ids.includes(id));
}

function exitCodeFor({ rows, remaining }: Report, failure: unknown): ExitCode {
  if (failure !== undefined) return exitCodeOf(failure);
  const isDifferent = rows.some(({ verdict }) => verdict === 'does not hold');
  return isDifferent || remaining.length > 0 ? exitCode.problemFound : exitCode.success;
}
