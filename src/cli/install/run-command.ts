import { createHash } from 'node:crypto';
import { createServer, type Server } from 'node:net';
import type { Command } from 'commander';
import { CniError, code, errorMessage } from '../../cni/error.ts';
import { errorCode } from '../terminal/files.ts';
import { secondsParser } from '../terminal/options.ts';
import { printable } from '../terminal/output.ts';
import { exitCode, type Session } from '../terminal/session.ts';
import { wrapSentences } from '../terminal/wrap.ts';
import type { InstallFolders } from './access.ts';
import { repairConfigurations } from './configurations.ts';
import { repairExecutables } from './executables.ts';
import { type FileChange, withInstallErrors } from './file-changes.ts';
import type { InstallFiles } from './files.ts';

/** Runs a command's work on the folders of an installation: with `yes` alone, and after repairing what an interrupted command left. */
export function inFolders<T>(
  { bin, conf }: Pick<InstallFolders, 'bin' | 'conf'>,
  yes: boolean | undefined,
  files: InstallFiles,
  work: () => Promise<T>,
): Promise<T> {
  return withInstallErrors(() => {
    if (!yes) return work();
    return exclusively([bin.path, conf.path], () => {
      repairExecutables(bin.path, files);
      repairConfigurations(conf.path, files);
      return work();
    });
  });
}

/** Prints numbered changes and remarks. */
export function printChanges(
  changes: readonly FileChange[],
  remarks: readonly string[],
  { print, width }: Session,
): void {
  const numbered = changes.map(({ title }, index) =>
    wrapSentences(printable(`${index + 1}. ${title}`), width, 3),
  );
  const notes = remarks.map((remark) => wrapSentences(printable(remark), width));
  if (numbered.length + notes.length > 0) print([...numbered, ...notes].join('\n'));
}

/** Ends a dry run that has changes. */
export function endDryRun({ print, style, setExitCode }: Session): void {
  print(style('yellow', 'No changes made. Rerun with --yes to apply.'));
  setExitCode(exitCode.problemFound);
}

/** Prints sentences on lines of their own. */
export function printSentences(sentences: readonly string[], { print, width }: Session): void {
  print(sentences.map((sentence) => wrapSentences(sentence, width)).join('\n'));
}

/**
 * Runs `work` while no other process changes these folders; throws CniError if one does. The mutex is a named pipe, on Linux an abstract
 * socket: it ends with its process, however that ends.
 */
export async function exclusively<T>(folders: readonly string[], work: () => Promise<T>): Promise<T> {
  const servers = new Map<string, Server>();
  try {
    for (const folder of folders) {
      const name = mutexName(folder, process.platform === 'win32');
      if (!servers.has(name)) servers.set(name, await listen(name, folder));
    }
    return await work();
  } finally {
    for (const server of servers.values()) await new Promise((resolve) => server.close(resolve));
  }
}

/**
 * Only administrators can create pipes with the protected prefix, so no other account can hold the name to prevent installations.
 * https://www.tiraniddo.dev/2017/11/named-pipe-secure-prefixes.html
 */
export function mutexName(folder: string, windows: boolean): string {
  const key = createHash('sha256').update(folder.toLowerCase()).digest('hex').slice(0, 16);
  const prefix = windows ? '\\\\.\\pipe\\ProtectedPrefix\\Administrators\\' : '\0';
  return `${prefix}win-hcn-install-${key}`;
}

async function listen(name: string, folder: string): Promise<Server> {
  const server = createServer((connection) => connection.destroy());
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(name, resolve);
    });
    return server;
  } catch (cause) {
    // Windows refuses a name that another account holds, and one that only administrators may use, with EACCES.
    const isRefused = ['EADDRINUSE', 'EACCES', 'EPERM'].some((one) => one === errorCode(cause));
    const message = isRefused
      ? `another command of win-hcn is changing ${folder}, or this account is not an administrator. Run this command again as an administrator`
      : `cannot check whether another command of win-hcn is changing ${folder}: ${errorMessage(cause)}`;
    throw new CniError(code.tryAgainLater, message, { cause });
  }
}

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
    .option('--watch <seconds>', `keep running, and ${what}`, secondsParser())
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
