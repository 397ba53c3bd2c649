import { CniError, code } from '../../cni/error.ts';
import type { PktmonResult } from '../terminal/pktmon.ts';
import type { PktmonCommand } from './commands.ts';
import { excerpt, nonEmptyLines } from './lines.ts';

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

/** What pktmon printed, and the form of the command that it understood. */
interface PktmonOutput {
  readonly output: string;
  /** 0 for the newest. */
  readonly form: number;
}

/** Runs a command in the newest form that this build of pktmon accepts. Throws CaptureError. */
export async function runCommand(
  { task, forms, seconds }: PktmonCommand,
  port: Pick<CapturePort, 'run'>,
  accepts: (output: string) => boolean = () => true,
): Promise<PktmonOutput> {
  let failure = '';
  for (const [form, args] of forms.entries()) {
    const result = await port.run(args, seconds);
    if ('problem' in result)
      throw new CaptureError(
        `cannot run pktmon ${args.join(' ')}: ${result.problem}`,
        result.timedOut === true,
      );
    if (result.exitCode === 0 && accepts(result.output)) return { output: result.output, form };
    failure ||= failureText(task, args, result.exitCode, result.output);
    if (isRefused(result.output, result.exitCode)) break;
  }
  throw new CaptureError(failure);
}

/** Runs a command that the capture can do without. Returns its output, or why there is none. */
export async function tryCommand(
  command: PktmonCommand,
  port: Pick<CapturePort, 'run'>,
  accepts?: (output: string) => boolean,
): Promise<PktmonOutput | { readonly lacks: string }> {
  try {
    return await runCommand(command, port, accepts);
  } catch (error) {
    if (error instanceof CaptureError) return { lacks: error.message };
    throw error;
  }
}

function failureText(task: string, args: readonly string[], exitCode: number, output: string): string {
  const [line = 'it printed nothing'] = nonEmptyLines(output);
  const first = excerpt(line);
  const how =
    exitCode === 0
      ? `pktmon ${args.join(' ')} printed unexpected output: ${first}`
      : `pktmon ${args.join(' ')} failed with exit code ${exitCode}: ${first}`;
  const remedy = isRefused(output, exitCode)
    ? '. Run win-hcn in a console that was started as an administrator'
    : '';
  return `pktmon cannot ${task}: ${how.replace(/\.$/, '')}${remedy}`;
}

/** ERROR_ACCESS_DENIED, and the text of builds that return another code: `Failed to communicate with the PktMon driver. Access is denied.` */
function isRefused(output: string, exitCode: number): boolean {
  return exitCode === 5 || /access is denied/i.test(output);
}
