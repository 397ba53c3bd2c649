import type { Terminal } from '../../terminal.ts';
import type { Fact } from '../fact.ts';
import { ask } from './ask.ts';

/** How containerd is started on this node. */
export interface ContainerdCommands {
  /** Whether it is a service of its own; a distribution may start it as a process. */
  readonly isService: boolean;
  readonly isRunning: boolean;
  /** Those that are known, the service's first. */
  readonly commandLines: readonly string[];
}

const script = `
$services = @(Get-CimInstance Win32_Service -Filter "Name='containerd'" | ForEach-Object { "$($_.PathName)" })
$processes = @(Get-CimInstance Win32_Process -Filter "Name='containerd.exe'" | ForEach-Object { "$($_.CommandLine)" })
ConvertTo-Json -Compress @{ services = $services; processes = $processes }`;

/** Of another account's process Windows tells the command line to administrators only. */
export function askContainerdCommands(terminal: Terminal): Promise<Fact<ContainerdCommands>> {
  return ask(terminal, script, (printed) => {
    const [services, processes] = [
      printed.read('services', 'a list of strings'),
      printed.read('processes', 'a list of strings'),
    ];
    return {
      isService: services.length > 0,
      isRunning: processes.length > 0,
      commandLines: [...services, ...processes].filter(Boolean),
    };
  });
}
