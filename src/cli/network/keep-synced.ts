import { CniError, code } from '../../cni/error.ts';
import { HcnUnavailable } from '../../hcn/errors.ts';
import type { ListedPlugin } from '../conflist/plugin-list.ts';
import { readPlugin } from '../plugin/plugin-config.ts';
import { exitCode, failureMessage, type Session } from '../terminal/session.ts';
import { trackHandles } from '../watch/track-handles.ts';
import { isIncomplete, runSync, type SyncFlags } from './sync-network.ts';
import { changeLines, remainingText } from './sync-report.ts';

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
  let known: ReadonlySet<string> = new Set();
  let isFirst = true;
  let isComplete = false;
  while (!shutdown.aborted) {
    const { changes, state, complete } = await round();
    const news = state.filter((line) => !known.has(withoutPosition(line)));
    for (const line of [...changes, ...news]) log(line);
    if (complete && (isFirst || !isComplete)) log('All remote subnets are in place.');
    known = new Set(state.map(withoutPosition));
    isComplete = complete;
    isFirst = false;
    closeHandles();
    await terminal.pause(seconds, shutdown);
  }
  if (!isComplete) session.setExitCode(exitCode.problemFound);
  log('Stopped. The remote subnets are kept.');

  async function round(): Promise<Round> {
    try {
      const { config } = readFile(file, flags, session);
      const isStopped = () => shutdown.aborted;
      const running = runSync(config, { ...flags, yes: true }, session, tracked, undefined, isStopped);
      const { report, remarks } = await running;
      const remaining = report.remaining.length === 0 ? [] : [remainingText(report)];
      return {
        changes: report.applied ? changeLines(report) : [],
        state: [...remarks, ...remaining],
        complete: !isIncomplete(report),
      };
    } catch (error) {
      if (error instanceof HcnUnavailable) throw error;
      return {
        changes: [],
        state: [`Not synced: ${failureMessage(error, false)}`],
        complete: false,
      };
    }
  }
}

/** A file that is being written ends at another position in each round. */
function withoutPosition(line: string): string {
  return line.replace(/ at position \d+.*/, '');
}

interface Round {
  readonly changes: readonly string[];
  /** Lines that are logged when they are new. */
  readonly state: readonly string[];
  readonly complete: boolean;
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
