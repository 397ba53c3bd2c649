import { type Command, InvalidArgumentError, Option } from 'commander';
import { toCniError } from '../../cni/error.ts';
import { HcnUnavailable } from '../../hcn/errors.ts';
import type { System } from '../../system.ts';
import type { Format } from '../terminal/output.ts';
import { printable } from '../terminal/output.ts';
import { exitCode, type Session } from '../terminal/session.ts';
import { newDisplay } from './display.ts';
import { trackHandles } from './track-handles.ts';
import { changesBetween, type ReadView, type View } from './view.ts';

export interface WatchFlags {
  readonly output?: Format;
  /** Seconds between two views; true without a number. */
  readonly watch?: number | true;
}

const defaultSeconds = 2;
const maximumSeconds = 3600;

export function watchOption(): Option {
  return new Option(
    '-w, --watch [seconds]',
    `refresh until Ctrl+C (default: every ${defaultSeconds} s)`,
  ).argParser(parseSeconds);
}

/** Returns the seconds between two views; undefined without `--watch`. Ends the command if the output is for programs. */
export function watchSeconds({ output, watch }: WatchFlags, command: Command): number | undefined {
  if (watch !== undefined && (output === 'json' || output === 'yaml'))
    command.error(
      `win-hcn: --watch does not support -o ${output}: run the command repeatedly without --watch`,
    );
  return watch === true ? defaultSeconds : watch;
}

/**
 * Shows a view every so many seconds until Ctrl+C, with the changes since the last one. After a failure it continues, for a service that
 * restarts or an object that is missing. If the key is ambiguous at the start, it ends with the exit code of a problem found. Throws
 * OutputError, and HcnUnavailable if the node has no HCN.
 */
export async function watch(
  command: string,
  seconds: number,
  read: ReadView,
  session: Session,
): Promise<void> {
  const { terminal } = session;
  const interrupt = terminal.interrupt();
  const interrupted = new Promise<'interrupted'>((resolve) => {
    interrupt.addEventListener('abort', () => resolve('interrupted'), { once: true });
  });
  const display = newDisplay(command, seconds, session);
  const { system, closeHandles } = trackHandles(
    Number.isFinite(session.width) ? session.system : session.quietSystem,
  );
  let last: View | undefined;
  let failure: string | undefined;
  while (!interrupt.aborted) {
    const current = await Promise.race([readOrFail(read, system), interrupted]);
    if (current === 'interrupted') break;
    closeHandles();
    if ('failure' in current && current.isAmbiguous && last === undefined) {
      session.printStderr(`win-hcn: ${current.failure}`);
      return session.setExitCode(exitCode.problemFound);
    }
    if ('failure' in current) {
      display.show(last, current.failure, failure === current.failure ? [] : [`! ${current.failure}`]);
    } else {
      const recovery = failure === undefined ? [] : ['+ available again'];
      const changes = last === undefined ? [] : changesBetween(last.entries, current.view.entries);
      last = current.view;
      display.show(last, undefined, [...recovery, ...changes]);
    }
    failure = 'failure' in current ? current.failure : undefined;
    await terminal.pause(seconds, interrupt);
  }
  display.end();
}

async function readOrFail(
  read: ReadView,
  system: System,
): Promise<{ readonly view: View } | { readonly failure: string; readonly isAmbiguous?: boolean }> {
  try {
    const view = await read(system);
    if (view.text !== undefined) return { view };
    const failure = view.warnings.map((warning) => warning.replace(/^win-hcn: /, '')).join('\n');
    return { failure, isAmbiguous: view.isAmbiguous ?? false };
  } catch (error) {
    if (error instanceof HcnUnavailable) throw error;
    return { failure: printable(toCniError(error).message) };
  }
}

function parseSeconds(text: string): number {
  const seconds = Number(text);
  if (/^\d+$/.test(text) && seconds >= 1 && seconds <= maximumSeconds) return seconds;
  throw new InvalidArgumentError(
    `expected seconds from 1 to ${maximumSeconds}, such as --watch 5; put other arguments before --watch`,
  );
}
