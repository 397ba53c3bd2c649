import { execFile } from 'node:child_process';
import { win32 } from 'node:path';
import { fileProblem, isMissingFile } from './files.ts';

/** The end of a program with all that it printed, or why there is none. */
export type ProgramEnd =
  | { readonly exitCode: number; readonly stdout: Uint8Array; readonly stderr: Uint8Array }
  | { readonly problem: string; readonly timedOut?: true };

const mebibyte = 1024 * 1024;
/** How long a killed program may take to end. Windows can take long if it waits for a driver. */
const graceMilliseconds = 1000;

/**
 * Runs a program by its full path, without a shell, and kills it after `seconds`. Never rejects. With a hidden window it has a console of
 * its own, so Ctrl+C does not end it.
 */
export function runProgram(
  path: string,
  args: readonly string[],
  seconds: number,
  env: NodeJS.ProcessEnv = process.env,
): Promise<ProgramEnd> {
  const limits = { timeout: seconds * 1000, killSignal: 'SIGKILL', maxBuffer: 64 * mebibyte } as const;
  return new Promise<ProgramEnd>((resolve) => {
    const late = { problem: `it did not finish within ${seconds} s`, timedOut: true } as const;
    setTimeout(() => resolve(late), limits.timeout + graceMilliseconds).unref();
    const options = { windowsHide: true, encoding: 'buffer', env, ...limits } as const;
    const child = execFile(path, args, options, (error, stdout, stderr) => {
      const exitCode = error === null ? 0 : error.code;
      if (typeof exitCode === 'number') resolve({ exitCode, stdout, stderr });
      else if (exitCode === undefined || error?.killed === true) resolve(late);
      else resolve(notRun(error, path));
    });
    child.stdin?.end();
  }).catch((error: unknown) => notRun(error, path));
}

/** A program that does not start: Node throws some of these errors (Windows policy, long scripts) and passes others to the callback. */
function notRun(error: unknown, path: string): ProgramEnd {
  return { problem: isMissingFile(error) ? `${path} does not exist` : fileProblem(error) };
}

/** The path of a program in System32. */
function systemProgram(...names: readonly string[]): string {
  return win32.join(process.env['SystemRoot'] ?? 'C:\\Windows', 'System32', ...names);
}

/** The end of a run of pktmon.exe with all that it printed, or why there is none. */
export type PktmonResult =
  | { readonly exitCode: number; readonly output: string }
  | Extract<ProgramEnd, { problem: string }>;

/** Runs pktmon.exe. Never rejects. */
export async function runPktmon(
  args: readonly string[],
  seconds: number,
  path = systemProgram('pktmon.exe'),
): Promise<PktmonResult> {
  const end = await runProgram(path, args, seconds);
  if ('problem' in end) return end;
  return { exitCode: end.exitCode, output: `${windowsText(end.stdout)}${windowsText(end.stderr)}` };
}

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

/** The output of a script, or why it failed. */
export type ScriptResult = { readonly stdout: string } | { readonly problem: string };

/**
 * Runs a script in Windows PowerShell and kills it after `seconds`. Never rejects.
 * https://learn.microsoft.com/powershell/module/microsoft.powershell.core/about/about_powershell_exe
 */
export async function runPowerShell(
  script: string,
  seconds: number,
  path = systemProgram('WindowsPowerShell', 'v1.0', 'powershell.exe'),
): Promise<ScriptResult> {
  const command = Buffer.from(wrapped(script), 'utf16le').toString('base64');
  const words = ['-NoLogo', '-NoProfile', '-NonInteractive', '-EncodedCommand', command];
  const end = await runProgram(path, words, seconds, environment());
  if ('timedOut' in end) return { problem: `PowerShell did not finish within ${seconds} s` };
  if ('problem' in end) return { problem: `cannot run PowerShell: ${end.problem}` };
  const [stdout, stderr] = [end.stdout, end.stderr].map((bytes) => new TextDecoder().decode(bytes));
  if (end.exitCode === 0) return { stdout: stdout ?? '' };
  const [line] = errorsIn(stderr ?? '')
    .trim()
    .split(/\r?\n/);
  return { problem: `PowerShell failed with exit code ${end.exitCode}: ${line || 'no error output'}` };
}

/** UTF-8 output, no progress bars on stderr, and an error as text; PowerShell itself writes XML to a redirected stderr. */
function wrapped(script: string): string {
  return `[Console]::OutputEncoding = [Text.Encoding]::UTF8; $ProgressPreference = 'SilentlyContinue'
try {
${script}
} catch {
  [Console]::Error.WriteLine($_.Exception.Message)
  exit 1
}`;
}

/**
 * The environment without PSModulePath, so that Windows PowerShell sets its own: the one inherited from PowerShell 7 has modules that
 * Windows PowerShell cannot load.
 * https://learn.microsoft.com/powershell/module/microsoft.powershell.core/about/about_psmodulepath
 */
function environment(): NodeJS.ProcessEnv {
  const others = Object.entries(process.env).filter(([name]) => name.toLowerCase() !== 'psmodulepath');
  return Object.fromEntries(others);
}

/** PowerShell writes its own errors, such as those of constrained language mode, as XML. */
function errorsIn(stderr: string): string {
  const [, first] = /^#< CLIXML.*?<S S="Error">([^<]*)/s.exec(stderr) ?? [];
  return first?.replaceAll(/_x000[AD]_/g, '\n') ?? stderr;
}
