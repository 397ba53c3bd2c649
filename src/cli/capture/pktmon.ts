import { CniError, code } from '../../cni/error.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** The error if pktmon fails, or is in use. */
export function captureError(message: string): CniError {
  return new CniError(code.ioFailure, message);
}

/** `stop` merges metadata into the log, and conversions read all of it. */
const slowCommands: readonly unknown[] = ['stop', 'etl2txt', 'etl2pcap'];

/**
 * Runs pktmon with arguments and returns its output. Throws CniError.
 * https://learn.microsoft.com/windows-server/administration/windows-commands/pktmon
 */
export async function runPktmon(
  args: readonly string[],
  { pktmon }: Pick<Terminal, 'pktmon'>,
): Promise<string> {
  const words = `pktmon ${args.join(' ')}`;
  const result = await pktmon(args, slowCommands.includes(args[0]) ? 120 : 30);
  if ('problem' in result) throw captureError(`cannot run ${words}: ${result.problem}`);
  const { exitCode, output } = result;
  if (exitCode === 0) return output;
  const [line = 'it printed nothing'] = nonEmptyLines(output);
  // ERROR_ACCESS_DENIED; some builds return another code.
  const isDenied = exitCode === 5 || /access is denied/i.test(output);
  const remedy = isDenied ? '. Run win-hcn in a console that was started as an administrator' : '';
  throw captureError(
    `${words} failed with exit code ${exitCode}: ${line.slice(0, 200).replace(/\.$/, '')}${remedy}`,
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

/**
 * Whether a capture runs, by the output of `pktmon status`. Windows translates it: a running capture is described by several lines, that none
 * runs is one line.
 */
export function isCapturing(status: string): boolean {
  const lines = nonEmptyLines(status);
  return lines.length !== 1 && !lines.some((line) => /\bnot running\b/i.test(line));
}

/**
 * The number of filters, by the output of `pktmon filter list`; undefined if it has an unknown form. A table has a row for each filter, which
 * starts with its number; without filters, one word follows the title.
 */
export function countFilters(list: string): number | undefined {
  const rows = linesOf(list).filter((line) => /^\s*\d+\s+\S/.test(line));
  return rows.length > 0 || nonEmptyLines(list).length <= 2 ? rows.length : undefined;
}
