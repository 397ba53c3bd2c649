import type { Terminal } from '../../terminal.ts';
import type { Fact } from '../fact.ts';
import { ask } from './ask.ts';

/** Those of the service first: a distribution that brings its own containerd starts it as a process of its own. */
const script = `
$lines = @(Get-CimInstance Win32_Service -Filter "Name='containerd'" | ForEach-Object { "$($_.PathName)" })
$lines += @(Get-CimInstance Win32_Process -Filter "Name='containerd.exe'" | ForEach-Object { "$($_.CommandLine)" })
ConvertTo-Json -Compress @{ commandLines = $lines }`;

/** The command lines of containerd on this node; of another account's process Windows tells only administrators. */
export function askContainerdCommands(terminal: Terminal): Promise<Fact<readonly string[]>> {
  return ask(terminal, script, (printed) => printed.texts('commandLines').filter(Boolean));
}
