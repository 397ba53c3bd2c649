import { CniError, code } from '../../cni/error.ts';
import { type SubnetChange, syncRemoteSubnets } from '../../commands/sync-remote-subnets.ts';
import { HcnUnavailable } from '../../hcn/errors.ts';
import type { JsonObject } from '../../json/members.ts';
import type { Step } from '../../steps/step.ts';
import type { System } from '../../system.ts';
import { previewCommand, printDryRun, printSteps } from '../plugin/change.ts';
import { openPlugin, readPlugin } from '../plugin/plugin-config.ts';
import { printable } from '../terminal/output.ts';
import { exitCode, failureMessage, type Session } from '../terminal/session.ts';
import { trackHandles } from '../watch/track-handles.ts';
import { planSyncOf, type SyncRequest } from './sync-plan.ts';

/** The options of `network sync`. */
export interface SyncFlags extends SyncRequest {
  readonly plugin?: string;
  readonly yes?: boolean;
}

/** What a sync did. */
interface Synced {
  /** `network "pods" ID`. */
  readonly network: string;
  /** What was changed. */
  readonly changed: readonly SubnetChange[];
  /** What the sync leaves alone, in sentences. */
  readonly remarks: readonly string[];
  /** What differs again after the sync, as a sentence; empty if nothing does. */
  readonly remaining: readonly string[];
  readonly isComplete: boolean;
}

/** Changes the remote subnets of a file's network to those of the file and the nodes of the cluster. Throws CniError. */
export async function syncNetwork(path: string, flags: SyncFlags, session: Session): Promise<void> {
  const plugin = readPlugin(path, flags.plugin, session);
  if (plugin === undefined) return;
  let interrupted: AbortSignal | undefined;
  const isStopped = () => interrupted?.aborted === true;
  const onPlanned = (steps: readonly Step[], remarks: readonly string[]) => {
    for (const remark of remarks) session.printStderr(`win-hcn: ${remark}`);
    if (flags.yes !== true || steps.length === 0) return printDryRun(steps, [], session);
    interrupted = finishAtInterrupt(session);
    printSteps(steps, [], session);
  };
  const running = runSync(plugin.config, flags, session, session.system, onPlanned, isStopped);
  const { network, changed, remaining, isComplete } = await running.catch((error: unknown) => {
    if (!isStopped()) throw error;
    session.printStderr(`win-hcn: ${failureMessage(error, false)}`);
    session.terminal.endInterrupted();
    throw error;
  });
  if (changed.length > 0) {
    const counts = Map.groupBy(changed, kindOf);
    const done = [...counts].map(([kind, { length }]) => `${length} ${kind}`).join(', ');
    session.print(printable(`remote subnets of ${network}: `) + session.style('green', done));
  }
  for (const text of remaining) session.printStderr(`win-hcn: ${text}`);
  if (!isComplete) session.setExitCode(exitCode.problemFound);
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
async function runSync(
  given: JsonObject,
  flags: SyncFlags,
  session: Session,
  system: System,
  onPlanned: (steps: readonly Step[], remarks: readonly string[]) => void,
  isStopped: () => boolean,
): Promise<Synced> {
  const opened = openPlugin(given, system);
  const { state, goal, changes, remarks, isConnected } = await planSyncOf(given, opened, flags, session);
  const { steps, failure } = await previewCommand(
    (preview) => syncRemoteSubnets(state, goal, preview),
    opened.targets,
  );
  if (failure !== undefined) throw failure;
  onPlanned(steps, remarks);
  const isApplied = flags.yes === true && steps.length > 0;
  const remaining = isApplied ? await syncRemoteSubnets(state, goal, opened.context, isStopped) : [];
  const { Name, ID } = state.network;
  const differing = remaining.map(({ subnet }) => subnet).join(', ');
  const again =
    `network "${Name}" differs again after the sync: ${differing}. Another program changes its remote subnets at ` +
    'the same time, or HNS accepted changes without effect.';
  const isDone = isApplied ? remaining.length === 0 : steps.length === 0;
  return {
    network: `network "${Name}" ${ID}`,
    changed: isApplied ? changes.filter((change) => change.steps.length > 0) : [],
    remarks,
    remaining: remaining.length === 0 ? [] : [again],
    isComplete: isConnected && isDone,
  };
}

function kindOf({ from, to }: SubnetChange): 'added' | 'changed' | 'removed' {
  if (to === undefined) return 'removed';
  return from.length === 0 ? 'added' : 'changed';
}

/** `+ 10.244.2.0/24 via 10.0.0.5`; `-` for a removed remote subnet, `~` for a changed one. */
function changeLine(change: SubnetChange): string {
  const { subnet, from, to } = change;
  const was = from.map(({ via }) => via ?? 'unknown').join(', ');
  if (to === undefined) return `- ${subnet} via ${was}`;
  return from.length === 0 ? `+ ${subnet} via ${to.via}` : `~ ${subnet} via ${to.via} (was ${was})`;
}

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
    const config = readFile(file, flags, session);
    const isStopped = () => shutdown.aborted;
    const synced = await runSync(config, flags, session, tracked, () => undefined, isStopped);
    for (const change of synced.changed) log(changeLine(change));
    return synced;
  };
  let logged: ReadonlySet<string> = new Set();
  let wasComplete = false;
  while (!shutdown.aborted) {
    const { isComplete, ...texts } = await syncOnce().catch((error: unknown) => {
      if (error instanceof HcnUnavailable) throw error;
      return { isComplete: false, remarks: [`Not synced: ${failureMessage(error, false)}`], remaining: [] };
    });
    const remarks = [...texts.remarks, ...texts.remaining];
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
function readFile(file: string, { plugin: type }: SyncFlags, session: Session): JsonObject {
  const problems: string[] = [];
  const plugin = readPlugin(file, type, {
    ...session,
    printStderr: (text) => problems.push(text),
    setExitCode: () => undefined,
  });
  if (plugin !== undefined) return plugin.config;
  throw new CniError(code.invalidConfig, `${file} cannot be used`, { details: problems.join('\n') });
}
