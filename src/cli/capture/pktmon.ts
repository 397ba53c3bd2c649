import { CniError, code } from '../../cni/error.ts';
import type { PktmonResult } from '../terminal/pktmon.ts';

/** What a capture needs of its surroundings. */
export interface CapturePort {
  /** Runs pktmon.exe with arguments and kills it after `seconds`. Never rejects. */
  run(args: readonly string[], seconds: number): Promise<PktmonResult>;
  /** The end of a file that pktmon wrote, as text, and whether its start is missing; undefined if it cannot be read. */
  readText(path: string): { readonly text: string; readonly isCut: boolean } | undefined;
  /** Creates a file with the content of another one. Throws as node:fs does, also if the file exists. */
  createCopy(path: string, from: string): void;
  /** Removes a file if it exists. Throws as node:fs does. */
  removeFile(path: string): void;
  /** Whether a process with this ID exists. */
  isRunning(processId: number): boolean;
  readonly processId: number;
  /** The folder for files that exist only during a capture. Other accounts may create files there. */
  readonly folder: string;
  /** The names in that folder; empty if it cannot be read. */
  listFolder(): readonly string[];
  /** Random text for the names of files, so that other users cannot create them first. */
  readonly secret: string;
  /** Waits for `seconds`, or until Ctrl+C. */
  wait(seconds: number): Promise<void>;
  /** Reports something to the user. */
  report(text: string): void;
}

/** pktmon failed, or must not be used now. */
export class CaptureError extends CniError {
  override readonly name = 'CaptureError';
  /** Whether the command may have had its effect nevertheless. */
  readonly isUncertain: boolean;

  constructor(message: string, isUncertain = false) {
    super(code.ioFailure, message);
    this.isUncertain = isUncertain;
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
  port: Pick<CapturePort, 'run'>,
): Promise<string> {
  const words = `pktmon ${args.join(' ')}`;
  const result = await port.run(args, slowCommands.includes(args[0]) ? 120 : 30);
  if ('problem' in result)
    throw new CaptureError(`cannot run ${words}: ${result.problem}`, result.timedOut === true);
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
export function nonEmptyLines(output: string): readonly string[] {
  return linesOf(output)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** A text for a message: its first 200 characters. */
export function excerpt(text: string): string {
  return text.length <= 200 ? text : `${text.slice(0, 200)}...`;
}
