import type { Command } from 'commander';
import { kindName } from '../../hcn/open-objects.ts';
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
import { countText } from '../terminal/short-text.ts';
import { wrapSentences } from '../terminal/wrap.ts';
import { isExternal, NotTried, type Row } from './experiment.ts';
import { rows } from './experiments.ts';
import type { Leftover } from './leftovers.ts';
import { checkNode, type NodeObjects, readObjects } from './node.ts';
import { hasNat, probe } from './probe.ts';
import { type Report, reportText } from './report.ts';
import { networkTypes, obstacle, type Permissions } from './run.ts';

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
    const objects = await readObjects(session.system);
    // A run deletes the networks of an interrupted probe before it checks the adapter.
    const isOnAdapter = objects.leftovers.some((one) => one.adapter !== undefined);
    const checked = isOnAdapter ? { ...permissions, adapter: undefined } : permissions;
    await checkNode(checked, objects.others, session.system);
    session.print(wrapSentences(previewText(selected, permissions, objects), session.width));
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

function selectRows(ids: readonly string[] | undefined, command: Command): readonly Row[] {
  const unknown = ids?.find((id) => !rows.some((row) => row.id === id));
  if (unknown !== undefined)
    command.error(`win-hcn: unknown row "${unknown}". docs/notes/uncertain-hns.md lists the rows`);
  return ids === undefined ? rows : rows.filter(({ id }) => ids.includes(id));
}

function exitCodeFor({ rows: findings, remaining }: Report, failure: unknown): ExitCode {
  if (failure !== undefined) return exitCodeOf(failure);
  const isDifferent = findings.some(({ verdict }) => verdict === 'does not hold');
  return isDifferent || remaining.length > 0 ? exitCode.problemFound : exitCode.success;
}

/** What a run does to the node, in sentences. */
function previewText(
  selected: readonly Row[],
  permissions: Permissions,
  { leftovers, others }: NodeObjects,
): string {
  const { adapter, nat, restart } = permissions;
  const hasOtherNat = hasNat(others);
  const permitted = selected.filter((row) => obstacle(row, permissions, hasOtherNat) === undefined);
  const types = networkTypes(selected, permissions, hasOtherNat);
  const external = types.filter(isExternal);
  const freed = leftovers.flatMap((leftover) => leftover.adapter ?? []);
  const lines = (condition: boolean, ...texts: readonly string[]) => (condition ? texts : []);
  const minutes = 1 + (types.includes('NAT') ? 1 : 0) + external.length + (restart ? 2 : 0);
  return [
    ...leftoverTexts(leftovers, freed),
    `probe tests ${countText(permitted.length, 'claim')}, which takes about ${countText(minutes, 'minute')}. It creates and deletes a few endpoints, namespaces and load balancers, and`,
    '  up to 3 Private networks at a time',
    ...lines(
      types.includes('NAT'),
      '  a NAT and an Internal network, each of which adds an interface to the node',
    ),
    ...lines(
      external.length > 0,
      `  ${countText(external.length, 'network')} on adapter "${adapter}", one at a time: ${external.join(', ')}`,
    ),
    ...lines(
      nat && hasOtherNat,
      'Experiments on NAT networks are skipped: another program has a NAT network, and with two, HNS may hang.',
    ),
    "A pod's request may wait for one call of probe, usually less than a second" +
      (external.length > 0 ? ', up to 20 s while a network on the adapter is created or deleted.' : '.'),
    'probe pauses before each experiment. It does not change other objects.',
    ...lines(
      external.length > 0,
      `The connections of adapter "${adapter}" are interrupted ${countText(external.length * 2, 'time')}, for 6 to 20 s each. It may lose its static address.`,
      'The node briefly gets an interface with a probe address and a default route, which Windows may use.',
    ),
    ...lines(external.length === 0 && freed.length === 0, 'No adapter is interrupted.'),
    ...lines(restart, 'HNS restarts once: requests of pods wait until it responds.'),
    'No changes made. Rerun with --yes to apply.',
  ].join('\n');
}

/** `freed` are the adapters of leftover networks. */
function leftoverTexts(leftovers: readonly Leftover[], freed: readonly string[]): readonly string[] {
  if (leftovers.length === 0) return [];
  const kinds = Object.entries(Object.groupBy(leftovers, ({ kind }) => kindName(kind)));
  const counts = kinds.map(([kind, { length } = []]) => countText(length, kind));
  const adapters = [...new Set(freed)].map((name) =>
    name === '' ? 'an unknown adapter' : `adapter "${name}"`,
  );
  const interruption = `This interrupts the connections of ${adapters.join(' and ')} for 6 to 20 s per network.`;
  return [
    `First, probe deletes what an interrupted probe left: ${counts.join(', ')}.`,
    ...(adapters.length === 0 ? [] : [interruption]),
  ];
}
