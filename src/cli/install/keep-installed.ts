import { createHash } from 'node:crypto';
import type { Command } from 'commander';
import { CniError, code } from '../../cni/error.ts';
import { checkFile } from '../conflist/check-file.ts';
import { readPluginFolders } from '../conflist/checks/runtime.ts';
import { displayName } from '../conflist/config-file.ts';
import { parsePause } from '../terminal/options.ts';
import type { Session } from '../terminal/session.ts';
import { fileName } from '../terminal/windows-path.ts';
import type { InstallFiles } from './files.ts';
import { installError, removeIfPresent } from './in-use.ts';
import { type Kept, keep } from './keep.ts';
import { fillConflist, type NodeFlags } from './node-conflist.ts';
import type { GivenConfiguration } from './plan-configuration.ts';

/** The options that keep an installation, or its removal. */
export interface WatchFlags {
  /** Seconds between two checks. */
  readonly watch?: number;
  readonly readyFile?: string;
  readonly yes?: boolean;
  readonly output?: string;
}

/** Adds `--watch` and `--ready-file`. */
export function withWatch(command: Command, what: string, ready: string): Command {
  return command
    .option('--watch <seconds>', `keep running, and ${what}`, parsePause)
    .option('--ready-file <file>', `with --watch: ${ready}`);
}

/** Returns the seconds between two checks; undefined without `--watch`. Ends the command if options contradict each other. */
export function watchSeconds(
  flags: WatchFlags & { readonly conf?: string },
  command: Command,
): number | undefined {
  const problem = problemIn(flags);
  if (problem !== undefined) command.error(`win-hcn: ${problem}`);
  return flags.watch;
}

function problemIn({ watch, readyFile, yes, output, conf }: WatchFlags & { readonly conf?: string }) {
  if (watch === undefined) return readyFile === undefined ? undefined : '--ready-file requires --watch';
  if (yes !== true) return '--watch requires --yes';
  if (output === 'json' || output === 'yaml') return `--watch does not support -o ${output}`;
  return conf === '-' ? '--watch cannot read the configuration from stdin: specify a file' : undefined;
}

export interface InstallWatch extends NodeFlags {
  readonly conf?: string;
  readonly readyFile?: string;
}

/**
 * Installs with `apply`, and again whenever the configuration or a file that `apply` returned changes. Ends when the process is told to.
 */
export function keepInstalled(
  seconds: number,
  flags: InstallWatch,
  apply: (given: GivenConfiguration | undefined) => Promise<readonly string[]>,
  files: InstallFiles,
  session: Session,
): Promise<void> {
  const { conf } = flags;
  const kept: Kept<GivenConfiguration | undefined> = {
    source: () => (conf === undefined ? '' : hashOf(conf, session)),
    accept: async () => (conf === undefined ? undefined : acceptConfiguration(conf, flags, session)),
    apply,
    stateOf: (paths) => paths.map((path) => files.stamp(path)).join(),
    report: (latest) => writeReady(flags.readyFile, latest && (latest.input?.bytes ?? nothing), files),
    texts: {
      done: 'Installed. The latest configuration is active.',
      failed: 'Not installed',
      earlier: 'The previously installed configuration stays active.',
      changed: 'An installed file was changed or deleted. Reinstalling.',
      ended: 'Ended. win-hcn stays installed.',
    },
  };
  return keep(seconds, kept, session);
}

/** Removes with `apply`, and again whenever a file that it returned is back. */
export function keepUninstalled(
  seconds: number,
  readyFile: string | undefined,
  apply: () => Promise<readonly string[]>,
  files: InstallFiles,
  session: Session,
): Promise<void> {
  const kept: Kept<undefined> = {
    source: () => '',
    accept: async () => undefined,
    apply,
    stateOf: (paths) => paths.map((path) => files.stamp(path)).join(),
    report: (latest) => writeReady(readyFile, latest && nothing, files),
    texts: {
      done: 'win-hcn is not installed.',
      failed: 'Not uninstalled',
      changed: 'win-hcn was installed again. Uninstalling.',
      ended: 'Ended.',
    },
  };
  return keep(seconds, kept, session);
}

const nothing = new Uint8Array();

/** Writes the file that a readiness probe reads, or with undefined removes it. Throws CniError. */
function writeReady(path: string | undefined, bytes: Uint8Array | undefined, files: InstallFiles): void {
  if (path === undefined) return;
  try {
    removeIfPresent(path, files);
    if (bytes !== undefined) files.writeNew(path, bytes);
  } catch (error) {
    throw installError(bytes === undefined ? 'delete' : 'write', path, error);
  }
}

function hashOf(path: string, { terminal }: Session): string | undefined {
  try {
    return createHash('sha256').update(terminal.readFile(path)).digest('hex');
  } catch {
    return undefined;
  }
}

/** Reads a configuration, fills its placeholders and validates it. Throws CniError with all problems. */
async function acceptConfiguration(
  path: string,
  flags: NodeFlags,
  session: Session,
): Promise<GivenConfiguration> {
  const name = fileName(path);
  const bytes = await fillConflist(session.read(path), path, flags, 0, session);
  const { problems } = checkFile(bytes, name, session.system.executable, readPluginFolders(session));
  if (problems.length === 0) return { name, bytes };
  const lines = problems.map(
    ({ line, column, text }) => `${displayName(name)}:${line}:${column}: problem: ${text}`,
  );
  throw new CniError(code.invalidConfig, `${path} is invalid`, { details: lines.join('\n') });
}
