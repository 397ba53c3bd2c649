import { type Command, Option } from 'commander';
import { toCniError } from '../../cni/error.ts';
import { HcnUnavailable } from '../../hcn/errors.ts';
import type { Inventory } from '../../model/inventory.ts';
import type { System } from '../../system.ts';
import { queryInventory, refreshLimits } from '../inventory/read-inventory.ts';
import { newPodReader } from '../inventory/read-pods.ts';
import { secondsParser } from '../terminal/options.ts';
import { type Format, printable } from '../terminal/output.ts';
import { exitCode, plain, type Session, type Style } from '../terminal/session.ts';
import { wrapSentences } from '../terminal/wrap.ts';
import { trackHandles } from './track-handles.ts';

/** What a command shows of one moment. */
export interface View {
  /** Returns the text to print; undefined if there is nothing to show, which the warnings explain. */
  readonly text: ((session: Session) => string) | undefined;
  /** Lines for stderr. */
  readonly warnings: readonly string[];
  readonly isProblem: boolean;
}

/** Reads HCN and returns a view. Throws what HCN's client throws. */
type ReadView = (system: System) => Promise<View>;

/** The flags of a command that shows a view. */
export interface WatchFlags {
  readonly output?: Format;
  /** Absent without `--watch`. */
  readonly watch?: number;
}

const defaultSeconds = 2;

/** `--watch` of every command that shows a view. */
export function watchOption(): Option {
  return new Option(
    '-w, --watch [seconds]',
    `check again every given number of seconds (default: ${defaultSeconds}) until Ctrl+C, and print the lines that are new or gone`,
  )
    .argParser(secondsParser('seconds from 1 to 3600, such as --watch 5; put other arguments before --watch'))
    .preset(String(defaultSeconds));
}

/** Reads HCN and prints a view once, or with `--watch` its changes until Ctrl+C. Ends the command for a format without lines to compare. */
export async function showView(
  viewOf: (inventory: Inventory) => View | Promise<View>,
  { output, watch: seconds }: WatchFlags,
  session: Session,
  command: Command,
): Promise<void> {
  const withPods = newPodReader(session);
  const limits = seconds === undefined ? undefined : refreshLimits;
  const read: ReadView = async (system) => viewOf(withPods(await queryInventory(system, limits)));
  if (seconds === undefined) return printView(await read(session.system), session);
  if (output === 'json')
    command.error('win-hcn: --watch does not support -o json: run the command repeatedly without --watch');
  return watch(seconds, read, session);
}

function printView({ text, warnings, isProblem }: View, session: Session): void {
  if (text !== undefined) session.print(text(session));
  for (const warning of warnings) session.printStderr(warning);
  if (isProblem) session.setExitCode(exitCode.problemFound);
}

/**
 * Prints a view, then every so many seconds the lines that are new or gone, until Ctrl+C. After a failure it continues, for a service
 * that restarts or an object that is missing. Throws OutputError, and HcnUnavailable if the node has no HCN.
 */
async function watch(seconds: number, read: ReadView, session: Session): Promise<void> {
  const interrupt = session.terminal.interrupt();
  const interrupted = new Promise<undefined>((resolve) => {
    interrupt.addEventListener('abort', () => resolve(undefined), { once: true });
  });
  const { system, closeHandles } = trackHandles(session.quietSystem);
  let shown: readonly string[] | undefined;
  let failure: string | undefined;
  while (!interrupt.aborted) {
    const current = await Promise.race([readOrFail(read, system), interrupted]);
    if (current === undefined) return;
    closeHandles();
    if ('failure' in current) {
      if (current.failure !== failure) printChange('!', current.failure, session);
      failure = current.failure;
    } else {
      if (failure !== undefined) printChange('+', 'available again', session);
      failure = undefined;
      const lines = linesOf(current.view, session);
      if (shown === undefined) printView({ ...current.view, isProblem: false }, session);
      for (const line of shown ?? []) if (!lines.includes(line)) printChange('-', line, session);
      for (const line of lines) if (shown?.includes(line) === false) printChange('+', line, session);
      shown = lines;
    }
    await session.terminal.pause(seconds, interrupt);
  }
}

async function readOrFail(
  read: ReadView,
  system: System,
): Promise<{ readonly view: View } | { readonly failure: string }> {
  try {
    const view = await read(system);
    if (view.text !== undefined) return { view };
    return { failure: view.warnings.map((warning) => warning.replace(/^win-hcn: /, '')).join('\n') };
  } catch (error) {
    if (error instanceof HcnUnavailable) throw error;
    return { failure: printable(toCniError(error).message) };
  }
}

/** The lines of a view and its warnings, whatever the width of its columns. */
function linesOf({ text, warnings }: View, session: Session): readonly string[] {
  const lines = [...(text?.(plain(session)).split('\n') ?? []), ...warnings];
  return lines.map((line) => line.trim().replaceAll(/ +/g, ' ')).filter((line) => line !== '');
}

const styles: Readonly<Record<'+' | '-' | '!', Style>> = { '+': 'green', '-': 'red', '!': 'red' };

function printChange(mark: keyof typeof styles, text: string, session: Session): void {
  const time = session.system.clock().toTimeString().slice(0, 8);
  session.print(session.style(styles[mark], wrapSentences(`${time} ${mark} ${text}`, session.width, 2)));
}
