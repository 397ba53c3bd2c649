import type { Command } from 'commander';
import { parsePause } from '../terminal/options.ts';
import type { Session } from '../terminal/session.ts';
import type { InstallFiles } from './files.ts';
import { withInstallErrors } from './in-use.ts';

/** The options of a command that keeps running. */
export interface WatchFlags {
  /** Seconds between two checks. */
  readonly watch?: number;
  readonly readyFile?: string;
  readonly yes?: boolean;
  readonly conf?: string;
}

/** Adds `--watch` and `--ready-file`. */
export function withWatch(command: Command, what: string, ready: string): Command {
  return command
    .option('--watch <seconds>', `keep running, and ${what}`, parsePause)
    .option('--ready-file <file>', `with --watch: ${ready}`);
}

/** The state that a command has established. */
export interface Established {
  /** The files that must not change. */
  readonly files: readonly string[];
  /** The content of the ready file. */
  readonly ready: Uint8Array;
}

/**
 * Runs `work`, with `--watch` again whenever a file changes, until the process is told to end. Throws what `work` throws: the kubelet then
 * starts the container again, with growing pauses.
 */
export async function watchFiles(
  work: () => Promise<Established>,
  flags: WatchFlags,
  command: Command,
  files: InstallFiles,
  session: Session,
): Promise<void> {
  const { watch: seconds, readyFile } = flags;
  const problem = problemIn(flags);
  if (problem !== undefined) command.error(`win-hcn: ${problem}`);
  if (seconds === undefined) return void (await work());
  const { terminal } = session;
  const shutdown = terminal.shutdown();
  const setReady = (bytes?: Uint8Array) =>
    withInstallErrors(async () => {
      if (readyFile !== undefined) files.remove(readyFile);
      if (readyFile !== undefined && bytes !== undefined) files.writeNew(readyFile, bytes);
    });
  await setReady();
  while (!shutdown.aborted) {
    const established = await work();
    const stampOf = () => established.files.map(files.stamp).join();
    const stamp = stampOf();
    await setReady(established.ready);
    while (!shutdown.aborted && stampOf() === stamp) await terminal.pause(seconds, shutdown);
    await setReady();
    if (!shutdown.aborted) session.print('A file was changed or deleted.');
  }
}

function problemIn({ watch, readyFile, yes, conf }: WatchFlags): string | undefined {
  if (watch === undefined) return readyFile === undefined ? undefined : '--ready-file requires --watch';
  if (yes !== true) return '--watch requires --yes';
  return conf === '-' ? '--watch cannot read the configuration from stdin: specify a file' : undefined;
}
