import { CniError, code } from '../../cni/error.ts';
import { HcnUnavailable } from '../../hcn/errors.ts';
import type { ListedPlugin } from '../conflist/plugin-list.ts';
import { readPlugin } from '../plugin/plugin-config.ts';
import { exitCode, failureMessage, type Session } from '../terminal/session.ts';
import { trackHandles } from '../watch/track-handles.ts';
import { runSync, type SyncFlags } from './sync-network.ts';
import { changeLines, isIncomplete, remainingText } from './sync-report.ts';

/**
 * Repeats a sync every so many seconds until the process is told to end, and logs what it changes, leaves alone, and fails with, each once.
 * Reads both files each time. A failure changes nothing and is retried. Throws HcnUnavailable if the node has no HCN. Sets the exit code of
 * a problem if the last sync was not complete.
 */
export async function keepSynced(
  seconds: number,
  file: string,
  flags: SyncFlags,
  session: Session,
): Promise<void> {
  const { terminal, system } = session;
  const { system: tracked, closeHandles } = trackHandles(session.quietSystem);
  const shutdown = terminal.shutdown();
  const log = (text: string) => session.print(`${system.clock().toISOString()} ${text}`);
  const syncOnce = async () => {
    const { config } = readFile(file, flags, session);
    const given = { ...flags, yes: true };
    const isStopped = () => shutdown.aborted;
    const { report, remarks } = await runSync(config, given, session, tracked, () => undefined, isStopped);
    if (report.applied) for (const line of changeLines(report)) log(line);
    return {
      isComplete: !isIncomplete(report),
      remarks: [...remarks, ...(report.remaining.length === 0 ? [] : [remainingText(report)])],
    };
  };
  let logged: ReadonlySet<string> = new Set();
  let wasComplete = false;
  while (!shutdown.aborted) {
    const { isComplete, remarks } = await syncOnce().catch((error: unknown) => {
      if (error instanceof HcnUnavailable) throw error;
      return { isComplete: false, remarks: [`Not synced: ${failureMessage(error, false)}`] };
    });
    for (const line of remarks) if (!logged.has(withoutPosition(line))) log(line);
    if (isComplete && !wasComplete) log('All remote subnets are in place.');
    logged = new Set(remarks.map(withoutPosition));
    wasComplete = isComplete;
    closeHandles();
    await terminal.pause(seconds, shutdown);
  }
  if (!wasComplete) session.setExitCode(exitCode.problemFound);
  log('Stopped. The remote subnets are kept.');
}

/** A file that is being written ends at another position in each round. */
function withoutPosition(line: string): string {
  return line.replace(/ at position \d+.*/, '');
}

/** Throws what `readPlugin` reports. */
function readFile(file: string, { plugin: type }: SyncFlags, session: Session): ListedPlugin {
  const problems: string[] = [];
  const plugin = readPlugin(file, type, {
    ...session,
    printStderr: (text) => problems.push(text),
    setExitCode: () => undefined,
  });
  if (plugin === undefined)
    throw new CniError(code.invalidConfig, `${file} cannot be used`, { details: problems.join('\n') });
  return plugin;
}
