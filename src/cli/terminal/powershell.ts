import { execFile } from 'node:child_process';
import { fileProblem, isMissingFile } from './file-error.ts';

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
