import type { CniVersion } from '../../cni/version.ts';
import { type Query, quoteAlways, runQuery } from '../terminal/powershell.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { containerdCommands } from './commands.ts';

/** The version of the service containerd, as in `2.0.1`; undefined if it cannot be read. Runs no program of a process. Never rejects. */
export async function readContainerdVersion(
  terminal: Pick<Terminal, 'powershell'>,
): Promise<string | undefined> {
  const commands = await runQuery(terminal, containerdCommands);
  const lines = 'value' in commands ? commands.value.serviceCommandLines : [];
  const program = programOf(lines[0] ?? '');
  if (program === undefined) return undefined;
  const output = await runQuery(terminal, versionOutput(program));
  return 'value' in output ? parseContainerdVersion(output.value) : undefined;
}

/** The full path of the program in a command line. */
function programOf(line: string): string | undefined {
  const [, quoted, bare] = /^(?:"([^"]+)"|(.+?\.exe)(?:\s|$))/i.exec(line.trimStart()) ?? [];
  const path = quoted ?? bare;
  return path !== undefined && /^[A-Za-z]:\\.*containerd(\.exe)?$/i.test(path) ? path : undefined;
}

function versionOutput(program: string): Query<string> {
  return {
    script: `$output = & ${quoteAlways(program)} --version
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
