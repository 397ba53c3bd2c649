import { syncRemoteSubnets } from '../../commands/sync-remote-subnets.ts';
import type { JsonObject } from '../../json/members.ts';
import type { Step } from '../../steps/step.ts';
import type { System } from '../../system.ts';
import { previewCommand, printDryRun, printSteps } from '../plugin/change.ts';
import { openPlugin, readPlugin } from '../plugin/plugin-config.ts';
import type { FormatFlags } from '../terminal/options.ts';
import { printable, serialized } from '../terminal/output.ts';
import { exitCode, failureMessage, type Session, sessionFor } from '../terminal/session.ts';
import { planSyncOf, type SyncRequest } from './plan-sync.ts';
import {
  countChanges,
  isIncomplete,
  remainingText,
  remarkLines,
  reportOf,
  type SyncReport,
} from './sync-report.ts';

/** The options of `network sync`. */
export interface SyncFlags extends SyncRequest, FormatFlags {
  readonly plugin?: string;
  readonly yes?: boolean;
}

/** Makes the remote subnets of a file's network what the file and the nodes of the cluster say. Throws CniError. */
export async function syncNetwork(path: string, flags: SyncFlags, outer: Session): Promise<void> {
  const session = sessionFor(outer, flags.output);
  const plugin = readPlugin(path, flags.plugin, session);
  if (plugin === undefined) return;
  let interrupted: AbortSignal | undefined;
  const onPlanned = (steps: readonly Step[], remarks: readonly string[]) => {
    const isApplied = flags.yes === true && steps.length > 0;
    if (isApplied) interrupted = finishAtInterrupt(session);
    if (isData(flags)) return;
    for (const remark of remarks) session.printStderr(`win-hcn: ${remark}`);
    if (isApplied) printSteps(steps, [], session);
    else printDryRun(steps, [], session);
  };
  const isStopped = () => interrupted?.aborted === true;
  const running = runSync(plugin.config, flags, session, session.system, onPlanned, isStopped);
  const { report } = await running.catch((error: unknown) => {
    if (!isStopped()) throw error;
    session.printStderr(`win-hcn: ${failureMessage(error, false)}`);
    session.terminal.endInterrupted();
    throw error;
  });
  const data = serialized(report, flags.output);
  if (data !== undefined) session.print(data);
  else if (report.applied) session.print(outcomeText(report, session));
  if (report.remaining.length > 0) session.printStderr(`win-hcn: ${remainingText(report)}`);
  if (isIncomplete(report)) session.setExitCode(exitCode.problemFound);
}

/** Whether the output is data for programs. */
export function isData({ output }: FormatFlags): boolean {
  return output === 'json' || output === 'yaml';
}

/** Makes Ctrl+C wait for the current change: between its removal and its addition, a remote subnet is unreachable. */
function finishAtInterrupt(session: Session): AbortSignal {
  const signal = session.terminal.interrupt();
  signal.addEventListener('abort', () =>
    session.printStderr(
      'win-hcn: finishing the current remote subnet. Press Ctrl+C again to exit before it is complete.',
    ),
  );
  return signal;
}

/**
 * Plans a sync, and applies it with `yes`. `onPlanned` receives the steps, and what the sync leaves alone, before the first change. Throws
 * CniError. `isStopped`: see `syncRemoteSubnets`.
 */
export async function runSync(
  given: JsonObject,
  flags: Pick<SyncFlags, 'nodes' | 'force' | 'yes'>,
  session: Session,
  system: System,
  onPlanned: (steps: readonly Step[], remarks: readonly string[]) => void,
  isStopped: () => boolean,
): Promise<{ readonly report: SyncReport; readonly remarks: readonly string[] }> {
  const opened = openPlugin(given, system);
  const planned = await planSyncOf(given, opened, flags, session);
  const { state, goal } = planned;
  const { steps, failure } = await previewCommand(
    (preview) => syncRemoteSubnets(state, goal, preview),
    opened.targets,
  );
  if (failure !== undefined) throw failure;
  const remarks = remarkLines(reportOf(planned, false));
  onPlanned(steps, remarks);
  const isApplied = flags.yes === true && steps.length > 0;
  const remaining = isApplied ? await syncRemoteSubnets(state, goal, opened.context, isStopped) : [];
  return { report: reportOf(planned, isApplied, remaining), remarks };
}

function outcomeText(report: SyncReport, session: Session): string {
  const { name, id } = report.network;
  return (
    printable(`remote subnets of network "${name}" ${id}: `) + session.style('green', countChanges(report))
  );
}
