import { execFile } from 'node:child_process';
import { fileProblem, isMissingFile } from './files.ts';

/** The end of a run of pktmon.exe with all that it printed, or why there is none. */
export type PktmonResult =
  | { readonly exitCode: number; readonly output: string }
  | { readonly problem: string; readonly timedOut?: true };

const mebibyte = 1024 * 1024;
/** How long a killed pktmon.exe may take to end. */
const graceMilliseconds = 1000;

/**
 * Runs pktmon.exe by its full path, without a shell, and kills it after `seconds`. Never rejects. With a hidden window it has a console of
 * its own, so Ctrl+C does not end it.
 */
export function runPktmon(
  args: readonly string[],
  seconds: number,
  path = pktmonPath,
): Promise<PktmonResult> {
  const limits = { timeout: seconds * 1000, killSignal: 'SIGKILL', maxBuffer: 64 * mebibyte } as const;
  return new Promise<PktmonResult>((resolve) => {
    const late = { problem: `it did not finish within ${seconds} s`, timedOut: true } as const;
    setTimeout(() => resolve(late), limits.timeout + graceMilliseconds).unref();
    const child = execFile(
      path,
      args,
      { windowsHide: true, encoding: 'buffer', ...limits },
      (error, stdout, stderr) => {
        const output = `${windowsText(stdout)}${windowsText(stderr)}`;
        if (error === null) resolve({ exitCode: 0, output });
        else if (typeof error.code === 'number') resolve({ exitCode: error.code, output });
        else if (error.code === undefined || error.killed === true) resolve(late);
        else resolve(notRun(error, path));
      },
    );
    child.stdin?.end();
  }).catch((error: unknown) => notRun(error, path));
}

function notRun(error: unknown, path: string): PktmonResult {
  return {
    problem: isMissingFile(error)
      ? `${path} does not exist. Windows has it since Windows Server 2019`
      : fileProblem(error),
  };
}

const pktmonPath = `${process.env['SystemRoot'] ?? 'C:\\Windows'}\\System32\\pktmon.exe`;

/**
 * The text that a program of Windows printed or wrote: UTF-16 if it has a byte order mark or a zero after its first character, as the
 * text of `pktmon format` has been reported to be; UTF-8 if it is valid; otherwise bytes of an unknown code page, of which only ASCII is
 * certain.
 */
export function windowsText(bytes: Uint8Array): string {
  const hasMark = bytes[0] === 0xff && bytes[1] === 0xfe;
  if (hasMark || (bytes.length > 1 && bytes[0] !== 0 && bytes[1] === 0))
    return new TextDecoder('utf-16le').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('latin1').decode(bytes);
  }
}
