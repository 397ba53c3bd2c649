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
import { countChanges, remainingText, remarkLines, reportOf, type SyncReport } from './sync-report.ts';

export interface SyncFlags extends SyncRequest, FormatFlags {
  readonly plugin?: string;
  readonly yes?: boolean;
}

/** Makes the remote subnets of a file's network what the file and the nodes of the cluster say. Throws CniError. */
export async function syncNetwork(file: string, flags: SyncFlags, outer: Session): Promise<void> {
  const session = sessionFor(outer, flags.output);
  const plugin = readPlugin(file, flags.plugin, session);
  if (plugin === undefined) return;
  const isData = flags.output === 'json' || flags.output === 'yaml';
  const stop = stopAtInterrupt(session);
  const onPlanned = (steps: readonly Step[], early: readonly string[]) => {
    if (flags.yes === true && steps.length > 0) stop.begin();
    if (isData) return;
    for (const remark of early) session.printStderr(`win-hcn: ${remark}`);
    if (flags.yes === true && steps.length > 0) printSteps(steps, [], session);
    else printDryRun(steps, [], session);
  };
  const running = runSync(plugin.config, flags, session, session.system, onPlanned, stop.isStopped);
  const { report } = await running.catch(stop.failed);
  const data = serialized(report, flags.output);
  if (data !== undefined) session.print(data);
  else if (report.applied) session.print(outcomeText(report, session));
  if (report.remaining.length > 0) session.printStderr(`win-hcn: ${remainingText(report)}`);
  if (isIncomplete(report)) session.setExitCode(exitCode.problemFound);
}

/** Makes Ctrl+C wait for the current change: between its removal and its addition, a remote subnet is unreachable. */
function stopAtInterrupt(session: Session) {
  let signal: AbortSignal | undefined;
  return {
    begin: () => {
      signal = session.terminal.interrupt();
      signal.addEventListener('abort', () =>
        session.printStderr(
          'win-hcn: finishing the current remote subnet. Press Ctrl+C again to exit before it is complete.',
        ),
      );
    },
    isStopped: () => signal?.aborted === true,
    failed: (error: unknown): never => {
      if (signal?.aborted) {
        session.printStderr(`win-hcn: ${failureMessage(error, false)}`);
        session.terminal.endInterrupted();
      }
      throw error;
    },
  };
}

/** Whether a remote subnet is not as it should be. */
export function isIncomplete({
  applied,
  added,
  changed,
  removed,
  conflicts,
  remaining,
  unconnected,
}: SyncReport): boolean {
  if (unconnected) return true;
  const planned = applied ? 0 : added.length + changed.length + removed.length;
  return planned + conflicts.length + remaining.length > 0;
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
  onPlanned: (steps: readonly Step[], remarks: readonly string[]) => void = () => undefined,
  isStopped: () => boolean = () => false,
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
