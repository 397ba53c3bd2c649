import { CniError, code } from '../../cni/error.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** pktmon failed, or must not be used now. */
export class CaptureError extends CniError {
  override readonly name = 'CaptureError';

  constructor(message: string) {
    super(code.ioFailure, message);
  }
}

/** `stop` merges metadata into the log, and conversions read all of it. */
const slowCommands: readonly unknown[] = ['stop', 'etl2txt', 'etl2pcap'];

/**
 * Runs pktmon with arguments; `task` is as in `pktmon cannot TASK`. Throws CaptureError.
 * https://learn.microsoft.com/windows-server/administration/windows-commands/pktmon
 */
export async function runPktmon(
  task: string,
  args: readonly string[],
  { pktmon }: Pick<Terminal, 'pktmon'>,
): Promise<string> {
  const words = `pktmon ${args.join(' ')}`;
  const result = await pktmon(args, slowCommands.includes(args[0]) ? 120 : 30);
  if ('problem' in result) throw new CaptureError(`cannot run ${words}: ${result.problem}`);
  const { exitCode, output } = result;
  if (exitCode === 0) return output;
  const [line = 'it printed nothing'] = nonEmptyLines(output);
  // ERROR_ACCESS_DENIED; some builds return another code.
  const isDenied = exitCode === 5 || /access is denied/i.test(output);
  const remedy = isDenied ? '. Run win-hcn in a console that was started as an administrator' : '';
  const first = excerpt(line).replace(/\.$/, '');
  throw new CaptureError(
    `pktmon cannot ${task}: ${words} failed with exit code ${exitCode}: ${first}${remedy}`,
  );
}

/** Lines of pktmon are a few hundred characters long. A sender of packets chooses some of their text. */
export const mostCharacters = 4096;

/** The lines of pktmon's text, without what is beyond 4096 characters. */
export function linesOf(text: string): readonly string[] {
  return text.split(/\r?\n/).map((line) => line.slice(0, mostCharacters));
}

/** The lines of an output, without spaces around them. */
function nonEmptyLines(output: string): readonly string[] {
  return linesOf(output)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** A text for a message: its first 200 characters. */
export function excerpt(text: string): string {
  return text.length <= 200 ? text : `${text.slice(0, 200)}...`;
}

/**
 * Reads the output of `pktmon status`: the running capture with the path of its log, if the output names one; undefined if none runs. Windows
 * translates it: a running capture is described by several lines, that none runs is one line.
 */
export function parseStatus(output: string): { readonly log: string | undefined } | undefined {
  const lines = nonEmptyLines(output);
  const [log] = lines.flatMap((line) => pathIn(line) ?? []);
  const isRunning =
    lines.length !== 1 || log !== undefined || lines.some((line) => /\brunning\b/i.test(line));
  return isRunning && !lines.some((line) => /\bnot running\b/i.test(line)) ? { log } : undefined;
}

/** The path of a log in a line, of a drive or a share. */
function pathIn(line: string): string | undefined {
  const start = line.search(/[A-Za-z]:[\\/]|\\\\/);
  return start < 0 ? undefined : /^.*\.etl\b/i.exec(line.slice(start))?.[0];
}

/**
 * Reads the names of the filters in the output of `pktmon filter list`; undefined if it has an unknown form. A table has a row for each
 * filter, which starts with its number; without filters, one word follows the title. Windows translates titles, but not rows.
 */
export function parseFilterNames(output: string): readonly string[] | undefined {
  const lines = linesOf(output);
  const rows = lines.filter((line) => /^\s*\d+\s+\S/.test(line));
  if (rows.length === 0) return nonEmptyLines(output).length <= 2 ? [] : undefined;
  // The second and third of the dashed lines below the titles.
  const [, name, next] = [...(lines.find((line) => /^\s*-(?: +-+)+\s*$/.test(line)) ?? '').matchAll(/-+/g)];
  return rows.map((row) =>
    name === undefined ? (row.trim().split(/\s+/)[1] ?? '') : row.slice(name.index, next?.index).trim(),
  );
}
