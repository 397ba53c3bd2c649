import { execFile } from 'node:child_process';

/** What a script printed, or why it has nothing to say. */
export type ScriptResult = { readonly stdout: string } | { readonly problem: string };

const mebibyte = 1024 * 1024;
/** How long one that is killed may still take to end. */
const graceMilliseconds = 1000;
/** Output in UTF-8, and no progress bars among the errors. */
const manners = "[Console]::OutputEncoding = [Text.Encoding]::UTF8; $ProgressPreference = 'SilentlyContinue'";

/** A script that ends with 1 and its error as text, which PowerShell itself would write as XML where nobody sees its stderr. */
function wrapped(script: string): string {
  return `${manners}
try {
${script}
} catch {
  [Console]::Error.WriteLine($_.Exception.Message)
  exit 1
}`;
}

/**
 * Runs a script in Windows PowerShell, and kills it after some seconds. Never rejects.
 * https://learn.microsoft.com/powershell/module/microsoft.powershell.core/about/about_powershell_exe
 */
export function runPowerShell(script: string, seconds: number, path = powershell): Promise<ScriptResult> {
  const command = Buffer.from(wrapped(script), 'utf16le').toString('base64');
  const words = ['-NoLogo', '-NoProfile', '-NonInteractive', '-EncodedCommand', command];
  const limits = { timeout: seconds * 1000, killSignal: 'SIGKILL', maxBuffer: 64 * mebibyte } as const;
  return new Promise<ScriptResult>((resolve) => {
    const late = { problem: `PowerShell did not end within ${seconds} s` };
    // Windows may take long to end what was killed while a driver has it.
    setTimeout(() => resolve(late), limits.timeout + graceMilliseconds).unref();
    const child = execFile(
      path,
      words,
      { windowsHide: true, env: environment(), ...limits },
      (error, stdout, stderr) => {
        if (error === null) resolve({ stdout });
        else if (error.code === undefined || error.killed === true) resolve(late);
        else if (typeof error.code === 'number')
          resolve({ problem: `PowerShell ended with ${error.code}: ${firstLine(errorsIn(stderr))}` });
        else resolve(notRun(error));
      },
    );
    child.stdin?.end();
  }).catch(notRun);
}

/**
 * Without PSModulePath, which Windows PowerShell then makes anew: PowerShell 7's, which whatever is started from it inherits, leads to
 * modules that Windows PowerShell cannot load.
 * https://learn.microsoft.com/powershell/module/microsoft.powershell.core/about/about_psmodulepath
 */
function environment(): NodeJS.ProcessEnv {
  const others = Object.entries(process.env).filter(([name]) => name.toLowerCase() !== 'psmodulepath');
  return Object.fromEntries(others);
}

/** Node throws some of what keeps a program from starting, such as a policy of Windows or too long a script, and passes on the rest. */
function notRun(error: unknown): ScriptResult {
  return { problem: `PowerShell cannot be run: ${error instanceof Error ? error.message : String(error)}` };
}

/** What PowerShell itself complains of, as where a policy constrains its language, is XML. */
function errorsIn(stderr: string): string {
  const [, first] = /^#< CLIXML.*?<S S="Error">([^<]*)/s.exec(stderr) ?? [];
  return first?.replaceAll(/_x000[AD]_/g, '\n') ?? stderr;
}

function firstLine(text: string): string {
  return text.trim().split(/\r?\n/)[0] || 'it said nothing';
}

const powershell = `${process.env['SystemRoot'] ?? 'C:\\Windows'}\\System32\\WindowsPowerShell\\v1.0\\powershell.exe`;
