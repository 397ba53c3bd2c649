import type { Command } from 'commander';
import { queryInventory } from '../inventory/read-inventory.ts';
import { newCommand } from '../terminal/new-command.ts';
import { type FormatFlags, formatOption, repeatable, yesOption } from '../terminal/options.ts';
import { serialized } from '../terminal/output.ts';
import {
  exitCode,
  exitCodeOf,
  failureMessage,
  isHnsUnavailable,
  type Session,
  sessionFor,
} from '../terminal/session.ts';
import { countText } from '../terminal/short-text.ts';
import { wrapSentences } from '../terminal/wrap.ts';
import { NotTried, type Row } from './experiment.ts';
import { rows } from './experiments.ts';
import { findLeftovers, type Leftover } from './leftovers.ts';
import { checkNode } from './node.ts';
import { probe } from './probe.ts';
import { reportText } from './report.ts';
import { isPermitted } from './run.ts';

interface Flags extends FormatFlags {
  readonly adapter?: string;
  readonly yes?: boolean;
  readonly row?: readonly string[];
}

/** `debug probe`: runs experiments on uncertain behavior of HNS. */
export function probeCommand(session: Session): Command {
  return newCommand('debug probe', session, {
    summary: 'test uncertain behavior of HNS on this node',
    description:
      'Tests whether the assumptions of docs/notes/uncertain-hns.md hold on this node. The plugin works either way. The probe does not ' +
      'affect pods: it creates a few Private networks named win-hcn-probe-… in 198.19.0.0/16, endpoints and namespaces, and ' +
      'deletes them, and those of an interrupted probe. --adapter requires an adapter with an address, without a default ' +
      'gateway, and in no virtual switch. The report has no names, addresses or IDs of the node. Run one probe at a time. Exit ' +
      'codes: 1 if an assumption is false, the probe was incomplete, or --yes is required; 3 if HNS does not respond.',
    examples: [
      'win-hcn debug probe',
      'win-hcn debug probe --yes -o json > node1.json',
      'win-hcn debug probe --adapter "Ethernet 2" --yes',
      'win-hcn debug probe --row callerIds --row attachTwice --yes',
    ],
  })
    .option('--adapter <name>', 'also create networks on this adapter, which no network may use yet')
    .option(...yesOption)
    .option('--row <id>', 'run only the experiment of this row; can be repeated', repeatable(String))
    .addOption(formatOption())
    .action((flags: Flags, command: Command) => run(flags, session, command));
}

async function run(flags: Flags, session: Session, command: Command): Promise<void> {
  const { adapter, yes = false, output } = flags;
  const selected = selectRows(flags.row, command);
  if (!yes) {
    const inventory = await queryInventory(session.system);
    const leftovers = findLeftovers(inventory);
    // A run first deletes the leftovers, which can use the adapter and the addresses.
    if (leftovers.length === 0) await checkNode(adapter, inventory, session.system);
    session.print(wrapSentences(previewText(selected, adapter, leftovers), session.width));
    return session.setExitCode(exitCode.problemFound);
  }
  const { report, failure } = await probe(selected, adapter, session);
  if (failure !== undefined && !(failure instanceof NotTried))
    session.printStderr(`win-hcn: ${failureMessage(failure, false)}`);
  const data = serialized(report, output);
  const isRun = report.rows.some(({ verdict }) => verdict !== 'not tried');
  if (isHnsUnavailable(failure) && !isRun && data === undefined)
    return session.setExitCode(exitCode.hnsUnavailable);
  session.print(data ?? reportText(report, sessionFor(session, output)));
  const isDifferent = report.rows.some(({ verdict }) => verdict === 'does not hold');
  if (failure !== undefined) session.setExitCode(exitCodeOf(failure));
  else if (isDifferent || report.remaining.length > 0) session.setExitCode(exitCode.problemFound);
}

function selectRows(ids: readonly string[] | undefined, command: Command): readonly Row[] {
  const unknown = ids?.find((id) => !rows.some((row) => row.id === id));
  if (unknown !== undefined)
    command.error(`win-hcn: unknown row "${unknown}". docs/notes/uncertain-hns.md lists the rows`);
  return ids === undefined ? rows : rows.filter(({ id }) => ids.includes(id));
}

/** What a run does to the node, in sentences. */
function previewText(
  selected: readonly Row[],
  adapter: string | undefined,
  leftovers: readonly Leftover[],
): string {
  const count = countText(selected.filter((row) => isPermitted(row, adapter)).length, 'claim');
  const frees = leftovers.some(({ isExternal }) => isExternal);
  return [
    ...(leftovers.length > 0
      ? [`First, probe deletes ${countText(leftovers.length, 'object')} that an interrupted probe left.`]
      : []),
    ...(frees ? ['This interrupts the connections of their adapter for 6 to 20 s per network.'] : []),
    `probe tests ${count} in up to ${adapter === undefined ? 1 : 3} min. It creates and deletes a few endpoints and namespaces, and up to 3 Private networks at a time. It does not change other objects.`,
    ...(adapter === undefined
      ? ["A pod's request may wait for one call of probe, usually less than a second."]
      : [
          `It creates up to 2 networks on adapter "${adapter}", one at a time. The connections of this adapter are interrupted up to 4 times, for 6 to 20 s each. It may lose its static address.`,
          'The node briefly gets an interface with a probe address and a default route, which Windows may use.',
          "A pod's request may wait up to 20 s while a network on the adapter is created or deleted.",
        ]),
    'No changes made. Rerun with --yes to apply.',
  ].join('\n');
}
