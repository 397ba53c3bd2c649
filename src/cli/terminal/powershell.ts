import { execFile } from 'node:child_process';
import { errorMessage } from '../../cni/error.ts';
import { type JsonFormat, type Members, parseJson, readMembers } from '../../json/members.ts';
import { fileProblem, isMissingFile } from './files.ts';

/** A value read from the node, or the reason why it is not available. */
export type Fact<T> = { readonly value: T } | { readonly error: string };

export async function factFrom<T>(work: Promise<T>): Promise<Fact<T>> {
  try {
    return { value: await work };
  } catch (error) {
    return { error: errorMessage(error) };
  }
}

/** A PowerShell script that prints one JSON object, and how to read that object. `read` throws if a member is missing or mistyped. */
export interface Query<T> {
  readonly script: string;
  readonly read: (output: Members) => T;
}

/** PowerShell alone takes seconds to start on a busy node. */
const timeoutSeconds = 15;

/** Runs a script and kills it after `seconds`. Never rejects. */
export interface PowerShell {
  powershell(script: string, seconds: number): Promise<ScriptResult>;
}

/** Returns what a query reads. Never rejects. */
export async function runQuery<T>({ powershell }: PowerShell, { script, read }: Query<T>): Promise<Fact<T>> {
  const result = await powershell(`$ErrorActionPreference = 'Stop'\n${script}`, timeoutSeconds);
  if ('problem' in result) return { error: result.problem };
  try {
    return { value: read(readMembers(parseJson(result.stdout.trim()), '', outputFormat)) };
  } catch {
    const [line = ''] = result.stdout.trim().split(/\r?\n/);
    const shown = line.length > most ? `${line.slice(0, most).trimEnd()}...` : line || 'nothing';
    return { error: `PowerShell printed unexpected output: ${shown}` };
  }
}

/** The characters of unexpected output that an error has. */
const most = 60;

const outputFormat: JsonFormat = {
  refuse: (path, _, expected) => new TypeError(`${path} is not ${expected}`),
};

/** Quotes a text as one argument of a PowerShell command, if it needs quotes. */
export function quote(text: string): string {
  return /^(?!-)[\w:\\/.-]+$/.test(text) ? text : quoteAlways(text);
}

/** Quotes a text as a PowerShell string. Typographic single quotes end a string as straight ones do, so they are doubled as well. */
export function quoteAlways(text: string): string {
  return `'${text.replaceAll(/['\u2018-\u201b]/g, '$&$&')}'`;
}

/** The output of a script, or why it failed. */
export type ScriptResult = { readonly stdout: string } | { readonly problem: string };

const mebibyte = 1024 * 1024;
/** How long a killed script may take to end. */
const graceMilliseconds = 1000;
/** UTF-8 output, and no progress bars on stderr. */
const preamble =
  "[Console]::OutputEncoding = [Text.Encoding]::UTF8; $ProgressPreference = 'SilentlyContinue'";

/** Makes a script fail with exit code 1 and its error as text; PowerShell itself writes XML to a redirected stderr. */
function wrapped(script: string): string {
  return `${preamble}
try {
${script}
} catch {
  [Console]::Error.WriteLine($_.Exception.Message)
  exit 1
}`;
}

/**
 * Runs a script in Windows PowerShell and kills it after `seconds`. Never rejects.
 * https://learn.microsoft.com/powershell/module/microsoft.powershell.core/about/about_powershell_exe
 */
export function runPowerShell(script: string, seconds: number, path = powershell): Promise<ScriptResult> {
  const command = Buffer.from(wrapped(script), 'utf16le').toString('base64');
  const words = ['-NoLogo', '-NoProfile', '-NonInteractive', '-EncodedCommand', command];
  const limits = { timeout: seconds * 1000, killSignal: 'SIGKILL', maxBuffer: 64 * mebibyte } as const;
  return new Promise<ScriptResult>((resolve) => {
    const late = { problem: `PowerShell did not finish within ${seconds} s` };
    // Windows can take long to end a killed process that waits for a driver.
    setTimeout(() => resolve(late), limits.timeout + graceMilliseconds).unref();
    const child = execFile(
      path,
      words,
      { windowsHide: true, env: environment(), ...limits },
      (error, stdout, stderr) => {
        if (error === null) resolve({ stdout });
        else if (error.code === undefined || error.killed === true) resolve(late);
        else if (typeof error.code === 'number')
          resolve({
            problem: `PowerShell failed with exit code ${error.code}: ${firstLine(errorsIn(stderr))}`,
          });
        else resolve(notRun(error, path));
      },
    );
    child.stdin?.end();
  }).catch((error: unknown) => notRun(error, path));
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

/** A program that does not start: Node throws some of these errors (Windows policy, long scripts) and passes others to the callback. */
function notRun(error: unknown, path: string): ScriptResult {
  const reason = isMissingFile(error) ? `${path} does not exist` : fileProblem(error);
  return { problem: `cannot run PowerShell: ${reason}` };
}

/** PowerShell writes its own errors, such as those of constrained language mode, as XML. */
function errorsIn(stderr: string): string {
  const [, first] = /^#< CLIXML.*?<S S="Error">([^<]*)/s.exec(stderr) ?? [];
  return first?.replaceAll(/_x000[AD]_/g, '\n') ?? stderr;
}

function firstLine(text: string): string {
  return text.trim().split(/\r?\n/)[0] || 'no error output';
}

const powershell = `${process.env['SystemRoot'] ?? 'C:\\Windows'}\\System32\\WindowsPowerShell\\v1.0\\powershell.exe`;
