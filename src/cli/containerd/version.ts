import type { CniVersion } from '../../cni/version.ts';
import { type Query, quoteAlways, runQuery } from '../terminal/powershell.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { containerdCommands } from './commands.ts';

/** Where containerd is if no command line names it. */
const usualPaths = [
  'C:\\Program Files\\containerd\\bin\\containerd.exe',
  'C:\\Program Files\\containerd\\containerd.exe',
];

/** The version of this node's containerd, as in `2.0.1`; undefined if it cannot be read. Runs no program of a process. Never rejects. */
export async function readContainerdVersion(
  terminal: Pick<Terminal, 'powershell'>,
): Promise<string | undefined> {
  const commands = await runQuery(terminal, containerdCommands);
  if ('error' in commands) return undefined;
  const programs = commands.value.serviceCommandLines.flatMap((line) => programOf(line) ?? []);
  const output = await runQuery(terminal, versionOutput([...new Set([...programs, ...usualPaths])]));
  return 'value' in output ? parseContainerdVersion(output.value) : undefined;
}

/** The full path of the program in a command line. */
function programOf(line: string): string | undefined {
  const [, quoted, bare] = /^(?:"([^"]+)"|(.+?\.exe)(?:\s|$))/i.exec(line.trimStart()) ?? [];
  const path = quoted ?? bare;
  return path !== undefined && /^[A-Za-z]:\\.*containerd(\.exe)?$/i.test(path) ? path : undefined;
}

/** Runs the first of these programs that exists. */
function versionOutput(paths: readonly string[]): Query<string> {
  return {
    script: `
$path = @(${paths.map(quoteAlways).join(', ')}) | Where-Object { Test-Path -LiteralPath $_ } | Select-Object -First 1
$output = if ($path) { & $path --version } else { '' }
ConvertTo-Json -Compress @{ output = "$output" }`,
    read: (result) => result.read('output', 'a string'),
  };
}

/** The version in the output of `containerd --version`: `containerd github.com/containerd/containerd/v2 v2.0.1 88aa2f5`. */
export function parseContainerdVersion(output: string): string | undefined {
  return /^containerd \S+ v?(\d+\.\d+\.\d+\S*)/.exec(output.trim())?.[1];
}

/** The latest CNI version that a containerd uses: STATUS, of CNI 1.1.0, works from containerd 2.0.1 on. */
export function latestCniVersion(containerd: string): CniVersion {
  const [major = 0, minor = 0, patch = 0] = containerd.split(/[.-]/).map(Number);
  return major > 2 || (major === 2 && (minor > 0 || patch > 0)) ? '1.1.0' : '1.0.0';
}
